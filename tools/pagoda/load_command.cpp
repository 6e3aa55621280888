// pagoda load: a data set into a table.
#include <cstdio>

#include "tools/pagoda/commands.h"
#include "tools/pagoda/failure.h"
#include "tools/pagoda/index.h"
#include "tools/pagoda/load.h"
#include "tools/pagoda/table.h"

namespace pagoda::tool {
namespace {

constexpr Option options[] = {
    {"connect", "CONNINFO", "", "connection string of libpq; the environment otherwise"},
    {"data", "PATH", bundled_data, "folder or file prefix of the data set"},
    {"table", "NAME", "", "table to create; one of that name is dropped"},
    {"type", "TYPE", "vector", "column type: vector or halfvec"},
    {"rows", "COUNT", "0", "load only the first rows; 0 is all"},
    {"plain", nullptr, "", "keep vectors in the row instead of off the page"},
};

int run(const Arguments& arguments) {
    TableOptions table{arguments.text("table"), parse_column_type(arguments.text("type")),
                       !arguments.flag("plain")};
    if (table.table.empty()) throw UsageFailure("--table is needed");
    const Dataset set =
        open_dataset(arguments.text("data"), Metric::cosine, {arguments.count("rows"), 0});
    Connection connection(arguments.text("connect"));
    if (!ensure_extension(connection, "vector")) {
        throw Failure("the extension \"vector\" is not available in this server");
    }
    const double seconds = load_table(connection, set, table);
    std::printf("loaded %s rows x %zu dimensions in %.1f s, %s bytes\n",
                grouped(set.base.rows).c_str(), set.base.columns, seconds,
                grouped(size_t(table_bytes(connection, table.table))).c_str());
    return exit_success;
}

}  // namespace

const Command load_command = {"load", "put a data set into a table", options, run};

}  // namespace pagoda::tool
