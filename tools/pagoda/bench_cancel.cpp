// pagoda bench cancel: how long a build or a scan goes on after the user pressed Ctrl-C. Sends the
// statement without waiting, requests cancellation at moments spread over its running time, and
// measures from the request to the error.
#include <chrono>
#include <cstdio>
#include <thread>

#include "tools/pagoda/commands.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/index.h"
#include "tools/pagoda/measure.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr const char* query_canceled = "57014";

constexpr Option options[] = {
    {"connect", "CONNINFO", "", "connection string of libpq; the environment otherwise"},
    {"data", "PATH", bundled_data, "folder or file prefix of the data set"},
    {"metric", "NAME", "cosine", "l2, ip or cosine"},
    {"type", "TYPE", "vector", "column type: vector or halfvec"},
    {"method", "NAME", "ivf_rabitq", "index access method"},
    {"with", "OPTIONS", "", "options of the index, as inside WITH (...)"},
    {"rows", "COUNT", "0", "use only the first rows; 0 is all"},
    {"moments", "COUNT", "20", "cancellations of the build and of the scan"},
    {"table", "NAME", "pagoda_cancel", "table to create; one of that name is dropped"},
    {"format", "FORMAT", "text", "text, csv or json"},
};

// Reads all results; true when one of them is the cancellation. Any other error is a Failure.
bool drain(PGconn* connection) {
    bool cancelled = false;
    while (PGresult* raw = PQgetResult(connection)) {
        const ResultSet result(raw);
        if (PQresultStatus(raw) != PGRES_FATAL_ERROR) continue;
        const char* state = PQresultErrorField(raw, PG_DIAG_SQLSTATE);
        if (state == nullptr || std::string(state) != query_canceled) {
            throw Failure(PQresultErrorMessage(raw));
        }
        cancelled = true;
    }
    return cancelled;
}

// Seconds from the request to the error; negative when the statement ended before it.
double cancel_after(Connection& connection, const std::string& sql, double delay) {
    PGconn* raw = connection.get();
    const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> cancel(PQgetCancel(raw),
                                                                    &PQfreeCancel);
    if (PQsendQuery(raw, sql.c_str()) != 1) throw Failure(PQerrorMessage(raw));
    std::this_thread::sleep_for(Seconds(delay));
    char error[256];
    const auto start = Clock::now();
    if (PQcancel(cancel.get(), error, sizeof error) != 1) throw Failure(error);
    const bool cancelled = drain(raw);
    const double seconds = Seconds(Clock::now() - start).count();
    return cancelled ? seconds : -1;
}

double seconds_of(Connection& connection, const std::string& sql) {
    const auto start = Clock::now();
    connection.execute(sql);
    return Seconds(Clock::now() - start).count();
}

void measure(Connection& connection, const char* what, const std::string& sql, double running,
             size_t moments, const std::string& undo, Table& table) {
    std::vector<double> milliseconds;
    for (size_t i = 0; i < moments; ++i) {
        const double delay = running * (double(i) + 0.5) / double(moments);
        const double seconds = cancel_after(connection, sql, delay);
        if (seconds >= 0) {
            milliseconds.push_back(seconds * 1e3);
        } else if (!undo.empty()) {
            connection.execute(undo);
        }
    }
    std::vector<std::string> cells = {what, fixed(running, 2), std::to_string(milliseconds.size())};
    if (milliseconds.empty()) {
        cells.insert(cells.end(), 3, "");
    } else {
        cells.push_back(fixed(percentile(milliseconds, 0.5), 1));
        cells.push_back(fixed(percentile(milliseconds, 0.95), 1));
        cells.push_back(fixed(percentile(milliseconds, 1), 1));
    }
    table.add(cells);
}

// Reads the whole table in index order, so that it runs long enough to be cancelled.
std::string scan_sql(const SearchTarget& target, const Dataset& set) {
    std::vector<float> values(set.queries.columns);
    set.queries.copy_row(0, values);
    std::string literal = "[";
    for (const float value : values) literal += std::to_string(value) + ",";
    literal.back() = ']';
    return "SELECT count(*) FROM (SELECT id FROM " + quote_identifier(target.table) +
           " ORDER BY v " + metric_names(target.metric).symbol + " " + quote_literal(literal) +
           " LIMIT " + std::to_string(set.base.rows) + ") AS nearest";
}

int run(const Arguments& arguments) {
    const TableFormat format = parse_table_format(arguments.text("format"));
    const Metric metric = parse_metric(arguments.text("metric"));
    const Dataset set = open_dataset(arguments.text("data"), metric, {arguments.count("rows"), 1});
    const size_t moments = arguments.count("moments");
    Connection connection(arguments.text("connect"));
    ensure_extension(connection, "vector");
    ensure_extension(connection, "pagoda");
    const SearchTarget target{arguments.text("table"), parse_column_type(arguments.text("type")),
                              metric, set.base.rows};
    load_table(connection, set, {target.table, target.type, true});

    const IndexDefinition definition{target.table + "_v_idx", arguments.text("method"),
                                     arguments.text("with")};
    const std::string build = create_index_sql(target, definition);
    const std::string undo = "DROP INDEX IF EXISTS " + quote_identifier(definition.name);
    Table table({"statement", "uncancelled s", "cancelled", "p50 ms", "p95 ms", "max ms"});
    const double build_seconds = seconds_of(connection, build);
    connection.execute(undo);
    measure(connection, "build", build, build_seconds, moments, undo, table);
    connection.execute(undo);
    connection.execute(build);

    set_search_session(connection);
    connection.execute("SET enable_seqscan = off");
    connection.execute("SET enable_sort = off");
    const std::string scan = scan_sql(target, set);
    measure(connection, "scan to the end", scan, seconds_of(connection, scan), moments, "", table);
    std::fputs(table.print(format).c_str(), stdout);
    connection.execute("DROP TABLE " + quote_identifier(target.table));
    return exit_success;
}

}  // namespace

const Command bench_cancel_command = {
    "bench cancel", "measure how soon a cancelled build or scan stops", options, run};

}  // namespace pagoda::tool
