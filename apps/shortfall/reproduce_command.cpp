#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/machine.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/output.hpp"
#include "files/atomic_file.hpp"
#include "files/file_lock.hpp"
#include "report/page.hpp"
#include "shortfall/errors/error.hpp"
#include "studies/findings.hpp"
#include "studies/run.hpp"
#include "studies/source_hash.hpp"
#include "studies/study.hpp"

namespace shortfall::app {
namespace {

namespace fs = std::filesystem;
using report::Json;
using studies::Study;

struct ReproduceOptions : GeneralOptions {
  std::vector<std::string> names;
  std::string out = "reproduction";
  bool quick = false;
  bool fresh = false;
};

bool wants_all(const ReproduceOptions& options) {
  return options.names == std::vector<std::string>{"all"};
}

/// In the order of the report, each once.
std::vector<Study> chosen_studies(const ReproduceOptions& options,
                                  const studies::StudyOptions& study_options) {
  std::vector<Study> studies = studies::all_studies(study_options);
  if (wants_all(options)) return studies;
  for (const std::string& name : options.names) {
    if (std::ranges::count(studies, name, &Study::name) > 0) continue;
    std::string names;
    for (const Study& study : studies) names += ", " + study.name;
    throw InvalidInput(
        name == "all"
            ? "all cannot be combined with other names; accepted: all, or names of studies"
            : fmt::format("unknown study '{}'; accepted: all{}", name, names));
  }
  std::erase_if(studies, [&](const Study& study) {
    return std::ranges::count(options.names, study.name) == 0;
  });
  return studies;
}

/// Throws InvalidInput where a run would replace a file with results of another scale, seed or
/// version, results that were edited, or anything that this command did not write.
void check_overwrites_nothing(const std::vector<studies::StudyRun>& runs) {
  for (const studies::StudyRun& run : runs) {
    const fs::path path = run.document_path();
    std::error_code error;
    const bool exists = fs::exists(path, error);
    if (error)
      throw InvalidInput(
          fmt::format("{}: {}; accepted: a file that can be read", path.string(), error.message()));
    if (!exists || run.is_done()) continue;
    throw InvalidInput(
        fmt::format("{}: it is from another scale, seed or version of {}, or was edited; accepted: "
                    "another --out, or --fresh to replace it",
                    path.string(), run.study().name));
  }
}

/// Finishes the studies one after the other and shows progress. Throws Stopped.
std::vector<Json> finish(std::vector<studies::StudyRun>& runs) {
  CommandMonitor watch;
  TimeLeft left;
  for (const studies::StudyRun& run : runs) left.add_work(run.seconds_left());
  std::vector<Json> documents;
  for (studies::StudyRun& run : runs) {
    const std::string& name = run.study().name;
    const double seconds = run.seconds_left();
    const Stopwatch stopwatch;
    std::optional<Json> document = run.finish([&](const Progress& reached) {
      if (watch.line().due()) {
        watch.line().show(fmt::format("{} {}: {}", name, reached.activity,
                                      left.text(reached.fraction * seconds)));
      }
      return watch.is_stopped() ? Request::stop : Request::proceed;
    });
    if (!document) throw Stopped("; run it again to continue");
    documents.push_back(std::move(*document));
    left.finish(seconds);
    studies::VerdictsByOrigin counted = studies::count_verdicts(documents.back());
    counted.paper.add(counted.ours);
    watch.line().log(
        fmt::format("{}: {}; {}", name,
                    seconds == 0.0 ? "already done" : fmt::format("{:.1f} s", stopwatch.seconds()),
                    counted.paper.text()));
  }
  return documents;
}

/// The page with these studies.
std::string page_of(const std::vector<Json>& documents, const studies::Computed& computed) {
  const Json& first = documents.front();
  const Json data = {{"kind", "report"},
                     {"run",
                      {{"scale", first["scale"]},
                       {"seed", first["seed"]},
                       {"version", first["version"]},
                       {"source_hash", first["source_hash"]},
                       {"commit", computed.commit},
                       {"date", computed.date},
                       {"processor", computed.processor},
                       {"cores", computed.cores}}},
                     {"studies", documents}};
  return report::html_of(report::Page::report, data);
}

/// Writes the report on all studies.
void write_report(const fs::path& directory, const std::vector<Json>& documents, double seconds) {
  const Machine machine = this_machine();
  const studies::Computed computed{.commit = std::string(studies::source_commit()),
                                   .date = date_of_today(),
                                   .processor = machine.processor,
                                   .cores = machine.cores,
                                   .seconds = seconds};
  io::write_file((directory / "reproduction.md").string(),
                 studies::markdown_of(documents, computed));
  io::write_file((directory / "report.html").string(), page_of(documents, computed));
}

nlohmann::json json_of(const studies::Verdicts& counted) {
  return {{"confirmed", counted.confirmed},
          {"refuted", counted.refuted},
          {"not_reproduced", counted.not_reproduced},
          {"not_comparable", counted.not_comparable},
          {"open", counted.open}};
}

nlohmann::json summary_of(const ReproduceOptions& options, const std::vector<Json>& documents) {
  const fs::path directory = options.out;
  nlohmann::json list = nlohmann::json::array();
  for (const Json& document : documents) {
    const std::string name = document["study"];
    const auto [paper, ours] = studies::count_verdicts(document);
    list.push_back({{"study", name},
                    {"file", (directory / (name + ".json")).string()},
                    {"paper", json_of(paper)},
                    {"ours", json_of(ours)}});
  }
  nlohmann::json summary = {{"out", options.out},
                            {"scale", documents.front()["scale"].get<std::string>()},
                            {"seed", options.seed},
                            {"studies", std::move(list)},
                            {"report", nullptr}};
  if (wants_all(options)) summary["report"] = (directory / "report.html").string();
  return summary;
}

/// The statements of the paper and then ours, with the numbers of each verdict.
std::string text_of(const nlohmann::json& summary, const std::vector<Json>& documents) {
  TextTable table(TextTable::Align::first_left);
  table.add({"study", "confirmed", "refuted", "not reproduced", "not comparable", "open"});
  for (const auto& study : summary["studies"]) {
    for (const char* const whose : {"paper", "ours"}) {
      const auto& counted = study[whose];
      int all = 0;
      for (const auto& count : counted) all += count.get<int>();
      if (all == 0) continue;
      const std::string name = study["study"];
      table.add({*whose == 'p' ? name : name + ", our statements", counted["confirmed"].dump(),
                 counted["refuted"].dump(), counted["not_reproduced"].dump(),
                 counted["not_comparable"].dump(), counted["open"].dump()});
    }
  }
  std::string text = table.text();
  for (const Json& document : documents) {
    for (const Json& json : document["findings"]) {
      const auto finding = json.get<studies::Finding>();
      const bool is_refuted = finding.verdict == studies::Verdict::refuted;
      if (!is_refuted && finding.verdict != studies::Verdict::not_reproduced) continue;
      text += fmt::format("\n{}, {}: {}\n  found: {}\n", is_refuted ? "refuted" : "not reproduced",
                          document["study"].get<std::string>(), finding.claim, finding.found);
    }
  }
  const bool has_page = !summary["report"].is_null();
  return text + fmt::format("\n{}: {}\n", has_page ? "HTML report" : "Results",
                            summary[has_page ? "report" : "out"].get<std::string>());
}

ExitCode run_reproduce(const ReproduceOptions& options) {
  const studies::StudyOptions study_options{
      .scale = options.quick ? studies::Scale::quick : studies::Scale::full,
      .seed = options.seed,
      .threads = options.threads};
  const std::vector<Study> studies = chosen_studies(options, study_options);
  const fs::path directory = options.out;
  io::make_directory(directory.string());
  const io::FileLock lock((directory / "reproduction").string());
  const studies::RunOptions run_options{
      .directory = directory,
      .saved = options.fresh ? studies::SavedDocument::replaced : studies::SavedDocument::reused,
      .study = study_options};
  if (options.fresh) {
    // The documents stay until the new ones are written.
    for (const Study& study : studies) studies::remove_parts(study, directory);
  }
  std::vector<studies::StudyRun> runs;
  for (const Study& study : studies) runs.emplace_back(study, run_options);
  if (!options.fresh) check_overwrites_nothing(runs);
  const bool is_done = std::ranges::all_of(runs, &studies::StudyRun::is_done);
  const Stopwatch stopwatch;
  const std::vector<Json> documents = finish(runs);
  if (wants_all(options)) {
    write_report(directory, documents, is_done ? 0.0 : stopwatch.seconds());
  }
  const nlohmann::json summary = summary_of(options, documents);
  if (options.json) {
    print_json(summary);
  } else {
    print(text_of(summary, documents));
  }
  return success;
}

}  // namespace

void add_reproduce(const CommandGroup& group) {
  const auto options = std::make_shared<ReproduceOptions>();
  const Grammar grammar = group.add("reproduce", "Recompute the published tables and figures",
                                    [options] { return run_reproduce(*options); });
  grammar
      ->add_option(
          "names", options->names,
          "all, or one or more of table-m3, table-m5, table-runtime, figure-expectile,\n"
          "figure-soft-quantile, figure-policies, figure-gaps, figure-costs, counterexample,\n"
          "averagers, intervals, platelet-week, discount")
      ->required();
  std::vector<std::string> words = {"all"};
  for (const Study& study : studies::all_studies({})) words.push_back(study.name);
  grammar.offer("names", std::move(words));
  grammar->add_option("--out", options->out, "Output directory")
      ->check(not_empty())
      ->capture_default_str();
  grammar.writes_into("--out", {"report.html", "reproduction.md"});
  grammar->add_flag("--quick", options->quick,
                    "Fewer runs, iterations and settings; takes about two minutes");
  grammar->add_flag("--fresh", options->fresh,
                    "Recompute results that are already in the directory");
  add_general_options(grammar, *options, Randomness::seeded);
  grammar.add_check([options] { check_is_directory("--out", options->out); });
  grammar->footer(
      "Each study writes OUT/NAME.json, published numbers beside ours, and its tables as\n"
      "OUT/csv/NAME-TABLE.csv; all also writes an HTML report, OUT/report.html, and\n"
      "OUT/reproduction.md. A run that was stopped resumes when started again; results of the\n"
      "same scale, seed and version are kept.\n\n"
      "JSON: out, scale, seed, studies (each: study, file, paper, ours), report; paper and ours\n"
      "count statements: confirmed, refuted, not_reproduced, not_comparable, open\n\n"
      "Example: shortfall reproduce all --out reproduction");
}

}  // namespace shortfall::app
