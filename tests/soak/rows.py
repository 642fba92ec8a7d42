"""A stream of transitions without end, of which any part can be made at once.

Line n of the stream is line n % size of one of 24 blocks; a hash of the seed and n // size chooses
the block, so that the stream does not repeat itself. Numbers `seq` are n + size: within a block only
their first digits change."""

import random
import struct
import zlib

BLOCKS = 24
STATES = 6


def feature_table(dimension):
    """Of states that lie between `dimension` corners: nonnegative, with sum 1."""
    table = []
    for state in range(STATES):
        place = state * (dimension - 1) / (STATES - 1)
        corner = min(int(place), dimension - 2)
        share = round(place - corner, 2)
        row = ["0"] * dimension
        row[corner], row[corner + 1] = f"{1 - share:.4g}", f"{share:.4g}"
        table.append(row)
    return table


class Rows:
    """Of a configuration: in its form, with its columns, and with bad lines if it skips those."""

    def __init__(self, configuration, seed, size=10_000):
        self.form, self.columns = configuration.form, configuration.columns
        self.dimension, self.bad = configuration.dimension, configuration.bad
        self.seed, self.size = seed, size
        self.table = feature_table(self.dimension)
        random_numbers = random.Random(seed)
        self.blocks, self.good = zip(*(self.make_block(random_numbers) for _ in range(BLOCKS)))

    def header(self):
        if self.form == "ndjson":
            return b""
        names = [f"{part}{i + 1}" for part in "xy" for i in range(self.dimension)]
        return ",".join([*names, "cost", *self.columns]).encode() + b"\n"

    def make_block(self, random_numbers):
        """A walk from state 0 to state 0; where numbers have their first digits, it has @."""
        lines, good, state = [], 0, 0
        for n in range(self.size):
            if self.bad and random_numbers.random() < 0.0005:
                lines.append("1,nothing,2" if self.form == "csv" else '{"x":[1')
                continue
            good += 1
            following = random_numbers.choice((0, state, min(state + 1, STATES - 1)))
            following = 0 if n == self.size - 1 else following
            cost = f"{random_numbers.gauss(state + 1, 1):.3g}"
            more = {"terminal": str(int(state == 2 and following == 0)),
                    "weight": random_numbers.choice(("1", "0.5", "1.5", "0")),
                    "seq": f"@{n:0{len(str(self.size)) - 1}d}"}
            lines.append(self.line(state, following, cost, more))
            state = following
        return "\n".join(lines).encode() + b"\n", good

    def line(self, state, following, cost, more):
        x, y = self.table[state], self.table[following]
        if self.form == "csv":
            return ",".join([*x, *y, cost, *(more[name] for name in self.columns)])
        rest = "".join(f',"{name}":{more[name]}' for name in self.columns)
        return f'{{"x":[{",".join(x)}],"y":[{",".join(y)}],"cost":{cost}{rest}}}'

    def chosen(self, k):
        return zlib.crc32(struct.pack("<qq", self.seed, k)) % BLOCKS

    def block(self, k):
        return self.blocks[self.chosen(k)].replace(b"@", b"%d" % (k + 1))

    def parts(self, first, last):
        """The bytes of lines first to last - 1, at most a block at a time, with their number."""
        while first < last:
            k, begin = divmod(first, self.size)
            end = min(self.size, begin + last - first)
            content = self.block(k)
            if end - begin < self.size:
                content = b"".join(content.splitlines(keepends=True)[begin:end])
            yield content, end - begin
            first += end - begin

    def updates(self, lines):
        """How many of the first `lines` are good, counted without the command."""
        whole, rest = divmod(lines, self.size)
        count = sum(self.good[self.chosen(k)] for k in range(whole)) if self.bad else lines - rest
        bad = (b"nothing", b'{"x":[1\n')[self.form == "ndjson"]
        part = b"".join(content for content, _ in self.parts(lines - rest, lines))
        return count + rest - part.count(bad)

    def line_of_seq(self, seq):
        return seq - self.size
