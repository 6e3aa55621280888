// Puts a data set into a table (id int, v vector(n) or halfvec(n), txt text) by binary COPY, and
// encodes query parameters in the binary format of the two types: int16 dimensions, int16 zero,
// elements in network byte order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tools/pagoda/connection.h"
#include "tools/pagoda/dataset.h"

namespace pagoda::tool {

enum class ColumnType : uint8_t { vector, halfvec };

const char* type_name(ColumnType type);
ColumnType parse_column_type(const std::string& name);  // throws UsageFailure

struct TableOptions {
    std::string table;
    ColumnType type = ColumnType::vector;
    // Off-page storage is the types' default for values above 2 kB; false keeps them in the row.
    bool default_storage = true;
};

// Appends the binary form of a row of `matrix`.
void append_vector(const MatrixView& matrix, size_t row, ColumnType type,
                   std::vector<std::byte>& out);

// Drops the table where it exists, creates and fills it, then runs VACUUM ANALYZE. Returns seconds.
double load_table(Connection& connection, const Dataset& set, const TableOptions& options);

// True when nothing of the table is stored off the page.
bool is_in_row(Connection& connection, const std::string& table);

// Makes `copy` the same rows with the vectors kept in the row, whatever their size; for values that
// are off the page by default this is the layout that an exact scan reads fastest. Throws Failure
// when a row does not fit a page.
void copy_in_row(Connection& connection, const std::string& table, const std::string& copy);

}  // namespace pagoda::tool
