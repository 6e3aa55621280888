// A data set on disk: base vectors, held-out queries, and where present texts and exact neighbours.
// Named by a folder with base.npy and query.npy, or by a common prefix: PREFIX_base.npy,
// PREFIX_query.npy, PREFIX_gt_METRIC.ivecs. Texts are base.txt and query.txt, one a line.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/pagoda/ivecs.h"
#include "tools/pagoda/mapped_file.h"
#include "tools/pagoda/npy.h"

namespace pagoda::tool {

enum class Metric : uint8_t { l2, inner_product, cosine };

struct MetricNames {
    const char* name;     // on the command line and in file names
    const char* symbol;   // SQL operator
    const char* opclass;  // suffix of the operator class: vector_cosine_ops
};

const MetricNames& metric_names(Metric metric);
Metric parse_metric(const std::string& name);  // throws UsageFailure

struct Dataset {
    std::string name;
    MatrixView base, queries;
    std::vector<std::string> base_texts, query_texts;  // empty, or one a row
    std::optional<Neighbours> truth;                   // as stored; only for all rows

    std::vector<MappedFile> files;  // own the bytes of the views
};

struct DatasetLimits {
    size_t rows = 0;     // 0: all
    size_t queries = 0;  // 0: all
};

// Throws Failure when a file is missing or malformed. Stored neighbours of `metric` are read only
// when all rows are used.
Dataset open_dataset(const std::string& path, Metric metric, const DatasetLimits& limits);

}  // namespace pagoda::tool
