// pagoda check recall: the floors that the index promises with default settings. Builds the index
// on a data set for each column type, runs the held-out queries, compares with neighbours computed
// by this program, and fails when recall or size is out of bounds.
#include <cstdio>

#include "tools/pagoda/commands.h"
#include "tools/pagoda/exact.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/index.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

constexpr Option options[] = {
    {"connect", "CONNINFO", "", "connection string of libpq; the environment otherwise"},
    {"data", "PATH", bundled_data, "folder or file prefix of the data set"},
    {"metric", "NAME", "cosine", "l2, ip or cosine"},
    {"types", "LIST", "vector,halfvec", "column types"},
    {"method", "NAME", "ivf_rabitq", "index access method"},
    {"with", "OPTIONS", "", "options of the index, as inside WITH (...)"},
    {"rows", "COUNT", "0", "use only the first rows; 0 is all"},
    {"queries", "COUNT", "0", "use only the first queries; 0 is all"},
    {"k", "COUNT", "10", "neighbours asked for"},
    {"min-recall", "FLOOR", "0.95", "fail below this mean recall"},
    {"max-size", "RATIO", "0", "fail when index bytes exceed this share of the raw f32 vectors"},
};

struct Floors {
    double recall = 0;
    double size = 0;  // 0: not checked
};

bool check_one(Connection& connection, const Dataset& set, const SearchTarget& target,
               const IndexDefinition& definition, const Neighbours& truth, const Floors& floors) {
    load_table(connection, set, {target.table, target.type, true});
    const IndexCost cost = build_index(connection, target, definition);
    const bool planned = plan_uses_index(connection, target, set.queries, definition.name);
    const SearchRun run = run_search(connection, target, set.queries, 0, 0);
    connection.execute("DROP TABLE " + quote_identifier(target.table));

    const double recall = run.recall(truth, target.k);
    const double raw = double(set.base.rows) * double(set.base.columns) * 4;
    const double size = double(cost.bytes) / raw;
    const bool passed =
        planned && recall >= floors.recall && (floors.size == 0 || size <= floors.size);
    std::printf(
        "%s %s %s: recall@%zu=%.4f (floor %.2f) index/raw=%.3f build=%.1fs p50=%.2fms"
        "%s\n",
        passed ? "ok    " : "FAILED", set.name.c_str(), type_name(target.type), target.k, recall,
        floors.recall, size, cost.seconds, run.latency_ms(0.5),
        planned ? "" : " (the planner does not choose the index)");
    return passed;
}

int run(const Arguments& arguments) {
    const Metric metric = parse_metric(arguments.text("metric"));
    const size_t k = arguments.count("k");
    const Floors floors{arguments.real("min-recall"), arguments.real("max-size")};
    const Dataset set = open_dataset(arguments.text("data"), metric,
                                     {arguments.count("rows"), arguments.count("queries")});
    if (k == 0 || k > set.base.rows) throw UsageFailure("--k must be from 1 to the row count");
    Connection connection(arguments.text("connect"));
    ensure_extension(connection, "vector");
    ensure_extension(connection, "pagoda");
    set_search_session(connection);
    const Neighbours truth = reference_neighbours(set, metric, k);

    bool passed = true;
    for (const std::string& name : arguments.list("types")) {
        const SearchTarget target{"pagoda_check_recall", parse_column_type(name), metric, k};
        const IndexDefinition definition{"pagoda_check_recall_idx", arguments.text("method"),
                                         arguments.text("with")};
        passed = check_one(connection, set, target, definition, truth, floors) && passed;
    }
    return passed ? exit_success : exit_failure;
}

}  // namespace

const Command check_recall_command = {
    "check recall", "check the recall and size floors of an index on a data set", options, run};

}  // namespace pagoda::tool
