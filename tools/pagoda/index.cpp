// Builds indexes and asks the server for sizes.
#include "tools/pagoda/index.h"

#include <chrono>

namespace pagoda::tool {

bool has_access_method(Connection& connection, const std::string& method) {
    return connection.holds(
        "SELECT EXISTS (SELECT FROM pg_am WHERE amname = " + quote_literal(method) + ")");
}

bool ensure_extension(Connection& connection, const std::string& name) {
    const std::string literal = quote_literal(name);
    if (!connection.holds(
            "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = " + literal + ")")) {
        return false;
    }
    connection.execute("CREATE EXTENSION IF NOT EXISTS " + quote_identifier(name) + " CASCADE");
    return true;
}

std::string create_index_sql(const SearchTarget& target, const IndexDefinition& definition) {
    std::string sql = "CREATE INDEX " + quote_identifier(definition.name) + " ON " +
                      quote_identifier(target.table) + " USING " + definition.method + " (v " +
                      type_name(target.type) + "_" + metric_names(target.metric).opclass + ")";
    if (!definition.options.empty()) sql += " WITH (" + definition.options + ")";
    return sql;
}

IndexCost build_index(Connection& connection, const SearchTarget& target,
                      const IndexDefinition& definition) {
    const std::string before = connection.scalar("SELECT pg_current_wal_insert_lsn()");
    const auto start = std::chrono::steady_clock::now();
    connection.execute(create_index_sql(target, definition));
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    IndexCost cost;
    cost.seconds = elapsed.count();
    cost.wal_bytes = connection.scalar_int("SELECT pg_current_wal_insert_lsn() - " +
                                           quote_literal(before) + "::pg_lsn");
    cost.bytes = connection.scalar_int("SELECT pg_total_relation_size(" +
                                       quote_literal(quote_identifier(definition.name)) + ")");
    return cost;
}

int64_t table_bytes(Connection& connection, const std::string& table) {
    return connection.scalar_int("SELECT pg_table_size(" + quote_literal(quote_identifier(table)) +
                                 ")");
}

}  // namespace pagoda::tool
