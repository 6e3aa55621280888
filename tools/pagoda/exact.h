// Exact nearest neighbours of a data set's queries, computed by this program and not by the server:
// the reference of recall. Distances are summed in f64 on the stored values; ties go to the smaller
// id. Rows are shared out to threads; a few seconds for 100,000 x 512 and 1,000 queries.
#pragma once

#include <cstddef>

#include "tools/pagoda/dataset.h"

namespace pagoda::tool {

// per_query <= rows. Zero vectors under cosine count as farthest.
Neighbours exact_neighbours(const MatrixView& base, const MatrixView& queries, Metric metric,
                            size_t per_query);

// The stored neighbours of the set when they reach `per_query`, else computed ones.
Neighbours reference_neighbours(const Dataset& set, Metric metric, size_t per_query);

}  // namespace pagoda::tool
