"""Learns streams for as long as it is let, while processes are killed, stopped and started again and
disks are full, and compares what is left with what undisturbed runs over the same rows leave:

    soak.py SHORTFALL [--minutes M | --updates N] [--seed S] [--workers W] [--only NAME]

Exit code 1 if anything differs or is lost, or if a planted mistake is not found."""

import argparse
import json
import multiprocessing
import os
import queue
import sys
import time

from configurations import CONFIGURATIONS, LONG
from job import MEMORY_BOUND, Job
from places import own_mounts

COUNTED = ("rows", "kills", "hangups", "stops", "pauses", "cuts", "full_disks",
           "read_only", "refused", "restarts", "looks", "comparisons")
# Mistakes, the configuration in which each is made, and a word of what must be said about it.
PLANTED = (("skip a row", "td-lambda-ndjson", "state differs"),
           ("send a row twice", "newton-as-published", "the checkpoint has"),
           ("flip a digit", "newton-intervals", "state differs"),
           ("leave out a resume", "td-lambda-ndjson", "state differs"),
           ("leave a file", "newton-as-published", "leaves"),
           ("take memory", "newton-intervals", "memory: "))
LINES_PER_EVENT = 1_000_000
SHARE = 1 / 12  # of the time, that one stream may take at most
PROGRESS = 20  # seconds


class Counts:
    """Numbers that all workers add to."""

    def __init__(self):
        self.numbers = multiprocessing.Array("q", len(COUNTED))

    def add(self, name, number=1):
        with self.numbers.get_lock():
            self.numbers[COUNTED.index(name)] += number

    def all(self):
        return dict(zip(COUNTED, self.numbers))


def find_planted(binary):
    """Whether each planted mistake is found, before anything else is believed."""
    missed = []
    for n, (mistake, name, word) in enumerate(PLANTED):
        configuration = next(one for one in CONFIGURATIONS if one.name == name)
        job = Job(binary, configuration, 900 + n, 4000, 2, block=1000, saving=0.01, planted=mistake)
        job.schedule = [(line, "restart") for line in (1000, 2500)]
        problems = [problem for problem in job.run()["problems"] if word in problem]
        print(f"planted: {mistake}: " + (f"found: {problems[0][:70]}" if problems else "NOT FOUND"),
              flush=True)
        missed += [] if problems else [mistake]
    return missed


def planned(arguments, n):
    """The configuration of the n-th stream, its lines and how often it is disturbed; nothing if
    there are no more. There is no end if minutes are given."""
    chosen = [one for one in (*CONFIGURATIONS, LONG) if one.name == arguments.only] or CONFIGURATIONS
    if arguments.updates:
        lines = arguments.updates // (2 * len(chosen))
        return (chosen[n], lines, 12) if n < len(chosen) else None
    is_long = arguments.minutes >= 45 and not arguments.only
    if is_long and n == 0:
        return LONG, LONG.lines, LONG.lines // (8 * LINES_PER_EVENT)
    configuration = chosen[(n - is_long) % len(chosen)]
    return configuration, configuration.lines, max(60, configuration.lines // LINES_PER_EVENT)


def work(arguments, counts, deadline, turn, results):
    """Takes streams in turn until there are none, or no time is left."""
    options = {"block": 1000, "saving": 0.01} if arguments.updates else {}
    try:
        while deadline is None or time.monotonic() < deadline - 10:
            with turn.get_lock():
                n, turn.value = turn.value, turn.value + 1
            plan = planned(arguments, n)
            if plan is None:
                break
            configuration, lines, events = plan
            if deadline is not None:
                share = 60 * arguments.minutes * (1 if configuration is LONG else SHARE)
                options["stop_at"] = min(deadline, time.monotonic() + max(30, share))
            job = Job(arguments.shortfall, configuration, arguments.seed + n, lines, events,
                      count=counts.add, **options)
            results.put(job.run())
    finally:
        results.put(None)


def collect(workers, results, counts, begun):
    """What the workers found; prints how far they are."""
    found, running = [], len(workers)
    told = time.monotonic()
    while running:
        try:
            result = results.get(timeout=1)
        except queue.Empty:
            result = ()
        if result is None:
            running -= 1
        elif result:
            found.append(result)
            print(f"{result['configuration']}, seed {result['seed']}: {result['updates']:,} updates, "
                  f"twice, in {result['seconds']} s, {result['peak_kib']} KiB: "
                  + ("; ".join(result["problems"]) or "the same bytes"), flush=True)
        if time.monotonic() - told > PROGRESS:
            told, now = time.monotonic(), counts.all()
            print(f"{(told - begun) / 60:.1f} min: {now['rows']:,} rows sent, {now['kills']} kills, "
                  f"{now['stops']} stops, {now['full_disks']} full disks, {now['restarts']} "
                  f"restarts, {now['comparisons']} comparisons", flush=True)
    return found


def summarise(found, counts, missed, arguments, seconds):
    problems = [f"{one['configuration']}, seed {one['seed']}: {problem}"
                for one in found for problem in one["problems"]]
    updates = 2 * sum(one["updates"] for one in found)
    document = {
        "seed": arguments.seed, "seconds": round(seconds, 1), "updates": updates,
        "longest_stream": max((one["updates"] for one in found), default=0), **counts.all(),
        "differences": len(problems), "planted_missed": missed,
        "peak_kib": max((one["peak_kib"] for one in found), default=0),
        "largest_growth_kib": max((one["growth_kib"] for one in found), default=0),
        "growth_bound_kib": MEMORY_BOUND}
    print(json.dumps(document))
    print(f"{updates:,} updates, half of them disturbed, in {seconds:.0f} s "
          f"({updates / seconds:,.0f} a second); {document['kills']} kills, {document['hangups']} "
          f"hangups, {document['stops']} stops, {document['pauses']} pauses, {document['cuts']} rows "
          f"cut, {document['full_disks']} full disks, {document['read_only']} read-only folders, "
          f"{document['refused']} second runs refused, {document['restarts']} restarts\n"
          f"{document['comparisons']} comparisons, {len(problems)} differences; peak "
          f"{document['peak_kib']} KiB, at most {document['largest_growth_kib']} above a short run")
    for problem in problems:
        print(f"PROBLEM: {problem}")
    return 1 if problems or missed or not found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("shortfall", type=os.path.abspath)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--updates", type=int, help="instead of minutes: in all runs together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=0, help="streams at once; 0: all cores")
    parser.add_argument("--only", help="one configuration", default="")
    arguments = parser.parse_args()
    if arguments.only and arguments.only not in [one.name for one in (*CONFIGURATIONS, LONG)]:
        parser.error("--only: accepted: " + ", ".join(one.name for one in (*CONFIGURATIONS, LONG)))
    own_mounts([sys.executable, "-B", *sys.argv])
    begun = time.monotonic()
    print(f"seed {arguments.seed}", flush=True)
    missed = find_planted(arguments.shortfall)
    counts, results, turn = Counts(), multiprocessing.Queue(), multiprocessing.Value("q", 0)
    deadline = None if arguments.updates else time.monotonic() + 60 * arguments.minutes
    workers = [multiprocessing.Process(target=work, args=(arguments, counts, deadline, turn, results))
               for _ in range(arguments.workers or os.cpu_count())]
    for worker in workers:
        worker.start()
    found = collect(workers, results, counts, begun)
    for worker in workers:
        worker.join()
    failed = sum(worker.exitcode != 0 for worker in workers)
    code = summarise(found, counts, missed, arguments, time.monotonic() - begun)
    if failed:
        print(f"PROBLEM: {failed} workers have failed")
    return 1 if failed else code


if __name__ == "__main__":
    sys.exit(main())
