// Prepared searches and their figures.
#include "tools/pagoda/search.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <numeric>

#include "tools/pagoda/measure.h"

namespace pagoda::tool {
namespace {

constexpr const char* statement = "pagoda_search";

std::vector<int32_t> one_search(Connection& connection, std::span<const std::byte> parameter) {
    const ResultSet result = connection.execute_prepared(statement, parameter);
    std::vector<int32_t> ids;
    ids.reserve(size_t(result.rows()));
    for (int i = 0; i < result.rows(); ++i) ids.push_back(result.binary_int(i, 0));
    return ids;
}

// Linux keeps the nanoseconds that a process ran; only a server behind a Unix socket is surely
// here.
std::optional<double> server_cpu_seconds(Connection& connection) {
    const char* host = PQhost(connection.get());
    if (host == nullptr || host[0] != '/') return std::nullopt;
    std::ifstream file("/proc/" + std::to_string(PQbackendPID(connection.get())) + "/schedstat");
    double nanoseconds = 0;
    if (!(file >> nanoseconds)) return std::nullopt;
    return nanoseconds * 1e-9;
}

}  // namespace

std::string SearchTarget::sql() const {
    return "SELECT id FROM " + quote_identifier(table) + " ORDER BY v " +
           metric_names(metric).symbol + " $1 LIMIT " + std::to_string(k);
}

double SearchRun::queries_per_second() const {
    return double(seconds.size()) / std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double SearchRun::latency_ms(double fraction) const {
    return percentile(seconds, fraction) * 1e3;
}

std::optional<double> SearchRun::cpu_ms() const {
    if (!cpu_seconds) return std::nullopt;
    return *cpu_seconds / double(seconds.size()) * 1e3;
}

double SearchRun::recall(const Neighbours& exact, size_t k) const {
    double sum = 0;
    for (size_t i = 0; i < ids.size(); ++i) sum += recall_at(ids[i], exact.of(i), k);
    return sum / double(ids.size());
}

void set_search_session(Connection& connection) {
    connection.execute("SET max_parallel_workers_per_gather = 0");
    connection.execute("SET jit = off");
    connection.execute("SET plan_cache_mode = force_generic_plan");
}

SearchRun run_search(Connection& connection, const SearchTarget& target, const MatrixView& queries,
                     size_t count, size_t warm_up) {
    if (count == 0 || count > queries.rows) count = queries.rows;
    connection.execute("DEALLOCATE ALL");
    connection.prepare(statement, target.sql(), type_name(target.type));

    SearchRun run;
    std::vector<std::byte> parameter;
    for (size_t i = 0; i < std::min(warm_up, count); ++i) {
        parameter.clear();
        append_vector(queries, i, target.type, parameter);
        one_search(connection, parameter);
    }
    const std::optional<double> cpu_before = server_cpu_seconds(connection);
    for (size_t i = 0; i < count; ++i) {
        parameter.clear();
        append_vector(queries, i, target.type, parameter);
        const auto start = std::chrono::steady_clock::now();
        run.ids.push_back(one_search(connection, parameter));
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        run.seconds.push_back(elapsed.count());
    }
    const std::optional<double> cpu_after = server_cpu_seconds(connection);
    if (cpu_before && cpu_after) run.cpu_seconds = *cpu_after - *cpu_before;
    return run;
}

bool plan_uses_index(Connection& connection, const SearchTarget& target, const MatrixView& queries,
                     const std::string& index) {
    connection.execute("DEALLOCATE ALL");
    connection.prepare(statement, target.sql(), type_name(target.type));
    std::vector<float> values(queries.columns);
    queries.copy_row(0, values);
    std::string literal = "[";
    for (const float value : values) literal += std::to_string(value) + ",";
    literal.back() = ']';
    const ResultSet plan = connection.execute(std::string("EXPLAIN EXECUTE ") + statement + "(" +
                                              quote_literal(literal) + ")");
    for (int i = 0; i < plan.rows(); ++i) {
        if (plan.text(i, 0).find("Index Scan using " + index) != std::string::npos) return true;
    }
    return false;
}

}  // namespace pagoda::tool
