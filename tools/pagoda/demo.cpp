// pagoda demo: from an empty server to approximate search on real data, with the figures that
// matter beside the exact scan. The last line is for programs:
// demo: recall@10=0.xxx speedup=NN.N index_bytes_per_row=NNN
#include <algorithm>
#include <cstdio>

#include "tools/pagoda/commands.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/index.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

constexpr size_t k = 10;
constexpr size_t examples = 5;
constexpr size_t example_rows = 4;
constexpr size_t exact_warm_up = 2;
constexpr size_t index_warm_up = 50;
// The scan of the table as created is timed on this many queries: it is the slow one.
constexpr size_t table_scan_queries = 100;

constexpr Option options[] = {
    {"connect", "CONNINFO", "", "connection string of libpq; the environment otherwise"},
    {"data", "PATH", bundled_data, "folder or file prefix of the data set, with texts"},
    {"table", "NAME", "pagoda_demo", "table to create; one of that name is dropped"},
    {"method", "NAME", "ivf_rabitq", "index access method"},
    {"queries", "COUNT", "0", "run only the first queries; 0 is all"},
};

// The scanned rows arrive as the exact answer, so they serve as the reference of the recall too.
Neighbours as_reference(const SearchRun& run) {
    Neighbours reference{run.ids.size(), k, {}};
    for (const auto& ids : run.ids) {
        if (ids.size() != k) throw Failure("the exact scan returned too few rows");
        reference.ids.insert(reference.ids.end(), ids.begin(), ids.end());
    }
    return reference;
}

void print_sizes(const Dataset& set, int64_t bytes_of_table, const IndexCost& cost) {
    const auto rows = double(set.base.rows);
    Table table({"", "MB", "bytes/row"});
    const auto add = [&](const char* what, double bytes) {
        table.add({what, fixed(bytes / 1e6, 1), fixed(bytes / rows, 0)});
    };
    add("raw vectors (f32)", rows * double(set.base.columns) * 4);
    add("table with TOAST", double(bytes_of_table));
    add("index", double(cost.bytes));
    std::printf("\n%s", table.print(TableFormat::text).c_str());
}

struct Speeds {
    SearchRun table_scan;   // exact, on the table as created
    SearchRun in_row_scan;  // exact, on a copy that keeps the vectors in the row
    SearchRun index;
};

// The faster of the two exact scans: the one of the table as created also fetches every vector from
// its TOAST table, which no index should get the credit for.
double exact_queries_per_second(const Speeds& speeds) {
    return std::max(speeds.table_scan.queries_per_second(),
                    speeds.in_row_scan.queries_per_second());
}

double speedup(const Speeds& speeds) {
    return speeds.index.queries_per_second() / exact_queries_per_second(speeds);
}

void print_speeds(const Speeds& speeds, const Neighbours& truth, const std::string& method) {
    Table table({"", "queries/s", "x exact", "p50 ms", "p95 ms", "recall@10"});
    const double base = exact_queries_per_second(speeds);
    const auto add = [&](const std::string& what, const SearchRun& run) {
        table.add({what, fixed(run.queries_per_second(), 1),
                   fixed(run.queries_per_second() / base, 1), fixed(run.latency_ms(0.5), 2),
                   fixed(run.latency_ms(0.95), 2), fixed(run.recall(truth, k), 3)});
    };
    add("exact scan", speeds.table_scan);
    add("exact scan, vectors in the row", speeds.in_row_scan);
    add(method, speeds.index);
    std::printf("\n%s", table.print(TableFormat::text).c_str());
}

void print_examples(const Dataset& set, const SearchRun& run) {
    if (set.base_texts.empty() || set.query_texts.empty()) return;
    std::printf("\nNearest texts, found through the index:\n");
    // Examples spread over the queries rather than the first ones in a row.
    const size_t step = std::max<size_t>(run.ids.size() / examples, 1);
    for (size_t i = 0; i < std::min(examples, run.ids.size()); ++i) {
        const size_t query = i * step;
        std::printf("\n  %s\n", set.query_texts[query].c_str());
        const auto& ids = run.ids[query];
        for (size_t j = 0; j < std::min(example_rows, ids.size()); ++j) {
            std::printf("    %zu. %s\n", j + 1, set.base_texts[size_t(ids[j])].c_str());
        }
    }
}

void prepare_server(Connection& connection, const std::string& method) {
    if (!ensure_extension(connection, "vector")) {
        throw Failure("the extension \"vector\" is not available in this server");
    }
    ensure_extension(connection, "pagoda");
    if (!has_access_method(connection, method)) {
        throw Failure("the access method \"" + method + "\" is not available in this server");
    }
    std::printf("%s\n", connection.scalar("SELECT version()").c_str());
}

int run(const Arguments& arguments) {
    const std::string method = arguments.text("method");
    const Dataset set =
        open_dataset(arguments.text("data"), Metric::cosine, {0, arguments.count("queries")});
    Connection connection(arguments.text("connect"));
    prepare_server(connection, method);
    const SearchTarget target{arguments.text("table"), ColumnType::vector, Metric::cosine, k};

    const double load_seconds = load_table(connection, set, {target.table, target.type, true});
    std::printf("loaded %s texts as vectors of %zu dimensions in %.1f s\n",
                grouped(set.base.rows).c_str(), set.base.columns, load_seconds);
    set_search_session(connection);
    std::printf("scanning all rows for each query: the exact answer\n");
    Speeds speeds;
    speeds.table_scan =
        run_search(connection, target, set.queries, table_scan_queries, exact_warm_up);
    // Values above 2 kB are kept off the page by default, and fetching them one by one is most of
    // the time of that scan. A copy without this shows what the arithmetic alone costs.
    SearchTarget in_row = target;
    in_row.table += "_in_row";
    copy_in_row(connection, target.table, in_row.table);
    speeds.in_row_scan = run_search(connection, in_row, set.queries, 0, exact_warm_up);
    const Neighbours truth = as_reference(speeds.in_row_scan);

    const IndexDefinition definition{target.table + "_v_idx", method, ""};
    std::printf("%s\n", create_index_sql(target, definition).c_str());
    const IndexCost cost = build_index(connection, target, definition);
    std::printf("built in %.1f s\n", cost.seconds);
    if (!plan_uses_index(connection, target, set.queries, definition.name)) {
        throw Failure("the planner does not choose the index");
    }
    speeds.index = run_search(connection, target, set.queries, 0, index_warm_up);

    print_speeds(speeds, truth, method);
    print_sizes(set, table_bytes(connection, target.table), cost);
    print_examples(set, speeds.index);
    connection.execute("DROP TABLE " + quote_identifier(in_row.table));
    std::printf("\ndemo: recall@10=%.3f speedup=%.1f index_bytes_per_row=%.0f\n",
                speeds.index.recall(truth, k), speedup(speeds),
                double(cost.bytes) / double(set.base.rows));
    return exit_success;
}

}  // namespace

const Command demo_command = {"demo", "load the bundled texts, index them, search, show figures",
                              options, run};

}  // namespace pagoda::tool
