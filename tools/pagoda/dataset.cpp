// Opens the files of a data set and checks that they agree with each other.
#include "tools/pagoda/dataset.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

constexpr std::array<MetricNames, 3> names = {{
    {"l2", "<->", "l2_ops"},
    {"ip", "<#>", "ip_ops"},
    {"cosine", "<=>", "cosine_ops"},
}};

bool is_folder(const std::string& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

MatrixView open_matrix(const std::string& path, std::vector<MappedFile>& files) {
    files.emplace_back(path);
    const Result<MatrixView> view = parse_npy(files.back().bytes());
    if (!view) throw Failure(path + ": expected " + view.error().expected);
    return view.value();
}

MatrixView limited(const MatrixView& view, size_t count) {
    return count == 0 || count >= view.rows ? view : view.first_rows(count);
}

std::vector<std::string> read_lines(const std::string& path, size_t count) {
    std::vector<std::string> lines;
    if (!file_exists(path)) return lines;
    std::ifstream file(path);
    std::string line;
    while (lines.size() < count && std::getline(file, line)) lines.push_back(line);
    if (lines.size() != count) throw Failure(path + ": fewer lines than there are rows");
    return lines;
}

void read_truth(const std::string& path, Dataset& set) {
    if (!file_exists(path)) return;
    const MappedFile file(path);
    Result<Neighbours> truth = parse_ivecs(file.bytes());
    if (!truth) throw Failure(path + ": expected " + truth.error().expected);
    const auto& ids = truth.value().ids;
    const bool in_range =
        std::ranges::all_of(ids, [&](int32_t id) { return id >= 0 && size_t(id) < set.base.rows; });
    if (!in_range) throw Failure(path + ": an id is not a row of the data set");
    if (truth.value().queries < set.queries.rows) throw Failure(path + ": fewer rows than queries");
    set.truth = truth.value();
}

}  // namespace

const MetricNames& metric_names(Metric metric) {
    return names[size_t(metric)];
}

Metric parse_metric(const std::string& name) {
    for (size_t i = 0; i < names.size(); ++i) {
        if (name == names[i].name) return Metric(i);
    }
    throw UsageFailure("unknown metric \"" + name + "\": l2, ip or cosine");
}

Dataset open_dataset(const std::string& path, Metric metric, const DatasetLimits& limits) {
    const std::string prefix = is_folder(path) ? path + "/" : path + "_";
    Dataset set;
    set.name = path.substr(path.find_last_not_of('/') == std::string::npos
                               ? 0
                               : path.find_last_of('/', path.find_last_not_of('/')) + 1);
    while (!set.name.empty() && set.name.back() == '/') set.name.pop_back();
    const MatrixView base = open_matrix(prefix + "base.npy", set.files);
    const MatrixView queries = open_matrix(prefix + "query.npy", set.files);
    if (base.columns != queries.columns) {
        throw Failure(path + ": rows and queries have different dimensions");
    }
    if (base.rows == 0 || queries.rows == 0) throw Failure(path + ": no rows or no queries");
    if (base.rows > size_t(INT32_MAX)) throw Failure(path + ": more rows than an int4 id counts");
    set.base = limited(base, limits.rows);
    set.queries = limited(queries, limits.queries);
    set.base_texts = read_lines(prefix + "base.txt", set.base.rows);
    set.query_texts = read_lines(prefix + "query.txt", set.queries.rows);
    if (set.base.rows == base.rows) {
        read_truth(prefix + "gt_" + metric_names(metric).name + ".ivecs", set);
    }
    return set;
}

}  // namespace pagoda::tool
