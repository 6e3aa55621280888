// Runs the queries of a data set against a table, one after the other on one connection, through a
// prepared statement with binary parameters, and measures each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/pagoda/connection.h"
#include "tools/pagoda/dataset.h"
#include "tools/pagoda/load.h"

namespace pagoda::tool {

struct SearchTarget {
    std::string table;
    ColumnType type = ColumnType::vector;
    Metric metric = Metric::cosine;
    size_t k = 10;

    // SELECT id FROM table ORDER BY v OP $1 LIMIT k
    std::string sql() const;
};

struct SearchRun {
    std::vector<double> seconds;            // per query, as seen by the client
    std::vector<std::vector<int32_t>> ids;  // per query, nearest first
    std::optional<double> cpu_seconds;      // of the server's process, for all queries

    double queries_per_second() const;
    double latency_ms(double fraction) const;  // percentile
    // Mean processor time of a query in the server; unlike the clock it does not count the time
    // that other programs took. Empty when the server is not on this machine.
    std::optional<double> cpu_ms() const;
    // Mean over the queries of recall_at(k); a query that returned fewer rows loses them.
    double recall(const Neighbours& exact, size_t k) const;
};

// The session settings of every measured search: no parallel workers (one core against one core),
// no JIT, one plan for all executions of a prepared statement.
void set_search_session(Connection& connection);

// Prepares anew and runs the first `count` queries (all when count is 0), after running `warm_up`
// of them unmeasured.
SearchRun run_search(Connection& connection, const SearchTarget& target, const MatrixView& queries,
                     size_t count, size_t warm_up);

// True when the plan of target.sql() under the session's settings reads index `index`.
bool plan_uses_index(Connection& connection, const SearchTarget& target, const MatrixView& queries,
                     const std::string& index);

}  // namespace pagoda::tool
