// Index definitions that the tool builds, and what building one costs.
#pragma once

#include <string>

#include "tools/pagoda/connection.h"
#include "tools/pagoda/search.h"

namespace pagoda::tool {

struct IndexDefinition {
    std::string name;     // of the index in the database
    std::string method;   // access method
    std::string options;  // of WITH (...), without parentheses; may be empty
};

struct IndexCost {
    double seconds = 0;
    int64_t bytes = 0;      // all forks
    int64_t wal_bytes = 0;  // of the whole server while it was built
};

bool has_access_method(Connection& connection, const std::string& method);

// Creates the extension when it is available; returns whether it is now present.
bool ensure_extension(Connection& connection, const std::string& name);

std::string create_index_sql(const SearchTarget& target, const IndexDefinition& definition);
IndexCost build_index(Connection& connection, const SearchTarget& target,
                      const IndexDefinition& definition);

// Main fork, TOAST and maps, without indexes.
int64_t table_bytes(Connection& connection, const std::string& table);

}  // namespace pagoda::tool
