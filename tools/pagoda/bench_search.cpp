// pagoda bench search: one table, one server, one run; every engine builds its index on the same
// table, then rounds go through all engines and settings in turn, so that a busy machine disturbs
// all of them alike. During a round the other indexes are dropped inside a transaction that is
// rolled back: the planner sees only the one under test.
#include <algorithm>
#include <cstdio>
#include <optional>

#include "tools/pagoda/bench_engines.h"
#include "tools/pagoda/commands.h"
#include "tools/pagoda/exact.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/measure.h"
#include "tools/pagoda/progress.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

constexpr Option options[] = {
    {"connect", "CONNINFO", "", "connection string of libpq; the environment otherwise"},
    {"data", "PATH", bundled_data, "folder or file prefix of the data set"},
    {"metric", "NAME", "cosine", "l2, ip or cosine"},
    {"type", "TYPE", "vector", "column type: vector or halfvec"},
    {"plain", nullptr, "", "keep vectors in the row instead of off the page"},
    {"rows", "COUNT", "0", "use only the first rows; 0 is all"},
    {"queries", "COUNT", "0", "use only the first queries; 0 is all"},
    {"exact-queries", "COUNT", "50", "queries of a round of the exact scan"},
    {"k", "COUNT", "10", "neighbours asked for"},
    {"rounds", "COUNT", "5", "rounds through all engines and settings"},
    {"engines", "LIST", "exact,exact_in_row,ivf_rabitq,hnsw,ivfflat", "what to compare"},
    {"probes", "LIST", "default", "ivf_rabitq: values of pagoda.probes"},
    {"epsilon", "WIDTH", "", "ivf_rabitq: pagoda.epsilon"},
    {"lists", "COUNT", "", "ivf_rabitq: lists"},
    {"refine-bits", "BITS", "", "ivf_rabitq: refine_bits"},
    {"hnsw-m", "COUNT", "16", "hnsw: m"},
    {"hnsw-ef-construction", "COUNT", "64", "hnsw: ef_construction"},
    {"ef-search", "LIST", "40,80,160,320", "hnsw: values of hnsw.ef_search"},
    {"ivfflat-lists", "COUNT", "", "ivfflat: lists; its documentation's rule otherwise"},
    {"ivfflat-probes", "LIST", "", "ivfflat: values of ivfflat.probes; 1, 2, 4 x sqrt(lists)"},
    {"build-memory", "SIZE", "1GB", "maintenance_work_mem of the builds"},
    {"build-workers", "COUNT", "1", "max_parallel_maintenance_workers of the builds"},
    {"table", "NAME", "pagoda_bench", "table to create; one of that name is dropped"},
    {"keep", nullptr, "", "leave the table and its indexes"},
    {"format", "FORMAT", "text", "text, csv or json"},
};

// Queries run unmeasured at the start of a round.
constexpr size_t exact_warm_up = 2;
constexpr size_t index_warm_up = 100;

// One engine at one setting, over all rounds.
struct Point {
    size_t engine = 0;
    std::string value;
    std::vector<double> rates, p50, p99, cpu, recall;
};

struct Bench {
    Connection& connection;
    const Dataset& set;
    SearchTarget target;
    std::vector<Engine> engines;
    std::vector<IndexCost> costs;
    std::vector<Point> points;
    size_t exact_queries = 0;
};

void report(const char* text) {
    std::fprintf(stderr, "%s\n", text);
}

// Makes what the engine searches; throws Failure when it cannot take part.
IndexCost prepare_engine(Bench& bench, const Engine& engine) {
    if (!engine.is_exact()) {
        if (!has_access_method(bench.connection, engine.index.method)) {
            throw Failure("not installed");
        }
        report(create_index_sql(bench.target, engine.index).c_str());
        return build_index(bench.connection, bench.target, engine.index);
    }
    if (engine.table != bench.target.table) {
        if (is_in_row(bench.connection, bench.target.table)) {
            throw Failure("the vectors are in the row already");
        }
        copy_in_row(bench.connection, bench.target.table, engine.table);
    }
    return {};
}

void prepare_all(Bench& bench) {
    for (Engine& engine : bench.engines) {
        bench.costs.emplace_back();
        try {
            bench.costs.back() = prepare_engine(bench, engine);
        } catch (const Failure& failure) {
            engine.note = failure.what();
        }
        if (!engine.note.empty()) {
            report(("skipped " + engine.label + ": " + engine.note).c_str());
        }
    }
}

// Leaves only the engine's own index visible until the transaction ends.
void begin_round(Bench& bench, const Engine& engine, const std::string& value) {
    bench.connection.execute("BEGIN");
    for (const Engine& other : bench.engines) {
        if (other.is_exact() || !other.note.empty() || other.label == engine.label) continue;
        bench.connection.execute("DROP INDEX " + quote_identifier(other.index.name));
    }
    if (!engine.is_exact()) bench.connection.execute("SET LOCAL enable_seqscan = off");
    if (!engine.constant.empty()) bench.connection.execute("SET LOCAL " + engine.constant);
    if (value != "default") {
        bench.connection.execute("SET LOCAL " + engine.knob + " = " + quote_literal(value));
    }
}

void run_point(Bench& bench, Point& point, const Neighbours& truth) {
    const Engine& engine = bench.engines[point.engine];
    begin_round(bench, engine, point.value);
    if (!engine.is_exact() &&
        !plan_uses_index(bench.connection, bench.target, bench.set.queries, engine.index.name)) {
        throw Failure("the plan does not use the index of " + engine.label);
    }
    const size_t count = engine.is_exact() ? bench.exact_queries : 0;
    SearchTarget target = bench.target;
    target.table = engine.table;
    const SearchRun run = run_search(bench.connection, target, bench.set.queries, count,
                                     engine.is_exact() ? exact_warm_up : index_warm_up);
    bench.connection.execute("ROLLBACK");
    point.rates.push_back(run.queries_per_second());
    point.p50.push_back(run.latency_ms(0.5));
    point.p99.push_back(run.latency_ms(0.99));
    if (run.cpu_ms()) point.cpu.push_back(*run.cpu_ms());
    point.recall.push_back(run.recall(truth, bench.target.k));
}

void run_rounds(Bench& bench, size_t rounds, const Neighbours& truth) {
    for (size_t i = 0; i < bench.engines.size(); ++i) {
        if (!bench.engines[i].note.empty()) continue;
        for (const std::string& value : bench.engines[i].values) {
            bench.points.push_back({i, value, {}, {}, {}, {}, {}});
        }
    }
    Progress progress("searching", rounds * bench.points.size());
    for (size_t round = 0; round < rounds; ++round) {
        for (Point& point : bench.points) {
            run_point(bench, point, truth);
            progress.advance(1);
        }
    }
}

std::optional<double> exact_rate(const Bench& bench) {
    for (const Point& point : bench.points) {
        if (bench.engines[point.engine].is_exact()) return spread_of(point.rates).median;
    }
    return std::nullopt;
}

Table summary(const Bench& bench) {
    const std::string recall_name = "recall@" + std::to_string(bench.target.k);
    Table table({"engine", "setting", recall_name, "qps", "qps min", "qps max", "p50 ms", "p99 ms",
                 "cpu ms", "x exact", "build s", "index MB", "B/row", "of raw f32",
                 "build WAL MB"});
    const std::optional<double> base = exact_rate(bench);
    const auto rows = double(bench.set.base.rows);
    const double raw = rows * double(bench.set.base.columns) * 4;
    for (const Point& point : bench.points) {
        const Engine& engine = bench.engines[point.engine];
        const IndexCost& cost = bench.costs[point.engine];
        const Spread rate = spread_of(point.rates);
        const auto bytes = double(cost.bytes);
        std::string setting = engine.knob.empty() ? "" : engine.knob + "=" + point.value;
        if (!engine.constant.empty()) setting += " " + engine.constant;
        std::vector<std::string> cells = {
            engine.label,
            setting,
            fixed(spread_of(point.recall).median, 4),
            fixed(rate.median, 1),
            fixed(rate.min, 1),
            fixed(rate.max, 1),
            fixed(spread_of(point.p50).median, 3),
            fixed(spread_of(point.p99).median, 3),
            point.cpu.empty() ? "" : fixed(spread_of(point.cpu).median, 3),
            base ? fixed(rate.median / *base, 1) : ""};
        if (engine.is_exact()) {
            cells.insert(cells.end(), 5, "");
        } else {
            for (const std::string& cell :
                 {fixed(cost.seconds, 1), fixed(bytes / 1e6, 1), fixed(bytes / rows, 0),
                  fixed(bytes / raw, 3), fixed(double(cost.wal_bytes) / 1e6, 1)}) {
                cells.push_back(cell);
            }
        }
        table.add(cells);
    }
    return table;
}

void print_setting(Bench& bench, const Arguments& arguments, double load_seconds) {
    Connection& connection = bench.connection;
    std::printf("%s\n", connection.scalar("SELECT version()").c_str());
    const ResultSet extensions = connection.execute(
        "SELECT extname || ' ' || extversion FROM pg_extension WHERE extname <> 'plpgsql' "
        "ORDER BY 1");
    for (int i = 0; i < extensions.rows(); ++i) {
        std::printf("extension %s\n", extensions.text(i, 0).c_str());
    }
    std::printf("shared_buffers %s, maintenance_work_mem %s, maintenance workers %s\n",
                connection.scalar("SHOW shared_buffers").c_str(),
                connection.scalar("SHOW maintenance_work_mem").c_str(),
                connection.scalar("SHOW max_parallel_maintenance_workers").c_str());
    std::printf("%s: %s rows x %zu, %s, %s, vectors %s; loaded in %.1f s, table %.1f MB\n",
                bench.set.name.c_str(), grouped(bench.set.base.rows).c_str(),
                bench.set.base.columns, type_name(bench.target.type),
                metric_names(bench.target.metric).name,
                arguments.flag("plain") ? "in the row" : "stored as by default", load_seconds,
                double(table_bytes(connection, bench.target.table)) / 1e6);
    std::printf("%zu queries, %zu for the exact scan, %zu rounds, medians\n\n",
                bench.set.queries.rows, bench.exact_queries, arguments.count("rounds"));
}

void set_build_session(Connection& connection, const Arguments& arguments) {
    connection.execute("SET maintenance_work_mem = " +
                       quote_literal(arguments.text("build-memory")));
    connection.execute("SET max_parallel_maintenance_workers = " +
                       std::to_string(arguments.count("build-workers")));
}

void drop_tables(Bench& bench) {
    bench.connection.execute("DROP TABLE " + quote_identifier(bench.target.table));
    for (const Engine& engine : bench.engines) {
        bench.connection.execute("DROP TABLE IF EXISTS " + quote_identifier(engine.table));
    }
}

int run(const Arguments& arguments) {
    const TableFormat format = parse_table_format(arguments.text("format"));
    const Metric metric = parse_metric(arguments.text("metric"));
    const ColumnType type = parse_column_type(arguments.text("type"));
    const Dataset set = open_dataset(arguments.text("data"), metric,
                                     {arguments.count("rows"), arguments.count("queries")});
    const SearchTarget target{arguments.text("table"), type, metric, arguments.count("k")};
    if (target.k == 0 || target.k > set.base.rows) {
        throw UsageFailure("--k must be from 1 to the row count");
    }
    if (arguments.count("rounds") == 0) throw UsageFailure("--rounds must be at least 1");
    Connection connection(arguments.text("connect"));
    Bench bench{connection, set, target, choose_engines(arguments, target.table, set.base.rows),
                {},         {},  0};
    bench.exact_queries = std::clamp<size_t>(arguments.count("exact-queries"), 1, set.queries.rows);
    ensure_extension(connection, "vector");
    ensure_extension(connection, "pagoda");
    const Neighbours truth = reference_neighbours(set, metric, target.k);

    set_build_session(connection, arguments);
    report(("loading " + set.name).c_str());
    const double load_seconds =
        load_table(connection, set, {target.table, type, !arguments.flag("plain")});
    prepare_all(bench);
    set_search_session(connection);
    run_rounds(bench, arguments.count("rounds"), truth);

    if (format == TableFormat::text) print_setting(bench, arguments, load_seconds);
    std::fputs(summary(bench).print(format).c_str(), stdout);
    for (const Engine& engine : bench.engines) {
        if (!engine.note.empty() && format == TableFormat::text) {
            std::printf("skipped %s: %s\n", engine.label.c_str(), engine.note.c_str());
        }
    }
    if (!arguments.flag("keep")) drop_tables(bench);
    return exit_success;
}

}  // namespace

const Command bench_search_command = {
    "bench search", "compare index access methods on one table: recall, speed, build, size",
    options, run};

}  // namespace pagoda::tool
