// amcostestimate: the planner's choice between an ordered index scan and reading the table.
//
// The first row costs the query's preparation, the ranking of lists, the level-0 codes of the
// probed lists and the refinement of some candidates; everything else is spread evenly over the
// remaining rows, which is what LIMIT takes its share of. Pages that every scan reads (meta, mean,
// centroids, entries) count as cached, as core counts the inner pages of a B-tree.
//
// Core costs a sequential scan as if it never read the out-of-line values that the distance
// operator needs, which is most of its work. Only the ratio of both plans decides, so our cost is
// scaled by the share of the sequential scan's work that core sees.
#include "core/ivf/directory.h"
#include "pg/compat.h"
#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/ivf/opclass.h"
#include "pg/page_store.h"
#include "pg/settings.h"

namespace pagoda::ivf {

namespace {

// Rows whose level-1 code a scan for a few rows evaluates.
constexpr double refined_rows = 100;

// What the index looks like to a scan.
struct Shape {
    double rows;
    double lists;
    double probed_share;  // of the lists, visited before the first row comes out
    double dim;
    double code_pages;    // all level-0 codes
    double record_pages;  // all level-1 records
    double element_bytes;
};

struct ScanCost {
    double startup_cpu, total_cpu;
    double startup_io, total_io;
    double pages;
};

Shape shape_of(const IndexOptInfo* info) {
    Relation index = index_open(info->indexoid, NoLock);  // the planner holds the lock
    Store store(index);
    const MetaPage meta = read_meta(store);
    const double element_bytes = operator_class_of(index).element == Element::f32 ? 4 : 2;
    index_close(index, NoLock);
    const double rows = std::max(info->tuples, 1.0);
    const double lists = std::max<double>(meta.list_count - 1.0, 1);
    double probes = meta.learnt_probes > 0 ? meta.learnt_probes : lists;
    if (setting_probes > 0) probes = setting_probes;
    const double code_bytes =
        static_cast<double>(rabitq::group_bytes(meta.padded_dim)) / rabitq::group_lanes;
    const double row_bytes = static_cast<double>(record_bytes(meta.padded_dim, meta.refine_bits));
    return {rows,
            lists,
            std::min(probes / lists, 1.0),
            static_cast<double>(meta.dim),
            std::ceil(rows * code_bytes / content_bytes),
            std::ceil(rows * row_bytes / content_bytes),
            element_bytes};
}

// Between a random and a sequential read, as for a bitmap heap scan: the denser, the cheaper.
double page_cost(double pages, double of_pages, double random_cost, double sequential_cost) {
    if (of_pages <= 1) return random_cost;
    const double density = std::sqrt(std::min(pages / of_pages, 1.0));
    return random_cost - (random_cost - sequential_cost) * density;
}

// One operator call (cpu_operator_cost) stands for about 25 ns here; the divisors are dimensions
// that a kernel handles in that time.
ScanCost cost_of(const Shape& shape, double random_cost, double sequential_cost) {
    const double compare = cpu_operator_cost * (0.25 + shape.dim / 2000);
    const double refine = cpu_index_tuple_cost + cpu_operator_cost * shape.dim / 500;
    const double prepare = cpu_operator_cost * shape.dim;
    const double ranked = std::min(shape.lists, 8 * std::sqrt(shape.lists));
    const double probed_rows = shape.rows * shape.probed_share;
    const double refined = std::min(refined_rows, probed_rows);
    const double probed_lists = shape.lists * shape.probed_share;

    ScanCost cost = {};
    cost.startup_cpu = prepare + ranked * cpu_operator_cost * shape.dim / 300 +
                       probed_rows * compare + refined * refine;
    // The order of all rows is kept by heaps, which cost what a sort does.
    cost.total_cpu = cost.startup_cpu + (shape.rows - probed_rows) * compare +
                     (shape.rows - refined) * refine +
                     shape.rows * std::log2(shape.rows + 1) * 2 * cpu_operator_cost;

    const double code_pages = std::ceil(shape.code_pages * shape.probed_share);
    const double first_pages = std::min(probed_lists, code_pages);
    const double probed_record_pages = std::ceil(shape.record_pages * shape.probed_share);
    const double record_pages = std::min(refined, probed_record_pages);
    cost.startup_io =
        first_pages * random_cost + (code_pages - first_pages) * sequential_cost +
        record_pages * page_cost(record_pages, probed_record_pages, random_cost, sequential_cost);
    cost.total_io = cost.startup_io + (shape.code_pages - code_pages) * sequential_cost +
                    (shape.record_pages - record_pages) * sequential_cost;
    cost.pages = code_pages + record_pages;
    return cost;
}

// The part of a sequential scan's cost that core knows of.
double visible_share(const Shape& shape, const RelOptInfo* table) {
    const double vector_bytes = 8 + shape.dim * shape.element_bytes;
    const double seen =
        table->pages * seq_page_cost + shape.rows * (cpu_tuple_cost + cpu_operator_cost);
    const double vector_pages = shape.rows * vector_bytes / BLCKSZ;
    if (vector_pages <= table->pages) return 1;
    const double chunks = std::ceil(vector_bytes / TOAST_MAX_CHUNK_SIZE);
    const double hidden = (vector_pages - table->pages) * seq_page_cost +
                          shape.rows * chunks * (cpu_index_tuple_cost + cpu_tuple_cost);
    return seen / (seen + hidden);
}

// The share of page reads that find the page cached because an earlier of the scans read it.
double cached_scale(PlannerInfo* root, const IndexOptInfo* info, double pages, double loop_count) {
    if (loop_count <= 1 || pages <= 0) return 1;
    const double fetched =
        index_pages_fetched(pages * loop_count, info->pages, info->pages, root) / loop_count;
    return std::min(fetched / pages, 1.0);
}

void estimate(PlannerInfo* root, IndexPath* path, double loop_count, Cost* startup_cost,
              Cost* total_cost) {
    const IndexOptInfo* info = path->indexinfo;
    double random_cost, sequential_cost;
    get_tablespace_page_costs(info->reltablespace, &random_cost, &sequential_cost);
    const Shape shape = shape_of(info);
    const ScanCost cost = cost_of(shape, random_cost, sequential_cost);
    const double scale = visible_share(shape, info->rel);
    const double cached = cached_scale(root, info, cost.pages, loop_count);
    *startup_cost = scale * (cost.startup_cpu + cached * cost.startup_io);
    *total_cost = scale * (cost.total_cpu + cached * cost.total_io);
}

// A scan follows one distance. Its order is of estimates: where the planner would take it for
// sorted input of grouping, DISTINCT or window functions, equal distances could come apart.
bool is_usable(const PlannerInfo* root, const IndexPath* path) {
    const Query* query = root->parse;
    const bool wants_sorted = query->groupClause != NIL || query->distinctClause != NIL ||
                              query->windowClause != NIL || query->groupingSets != NIL;
    return list_length(path->indexorderbys) == 1 && !path->indexinfo->hypothetical && !wants_sorted;
}

}  // namespace

void cost_estimate(PlannerInfo* root, IndexPath* path, double loop_count, Cost* startup_cost,
                   Cost* total_cost, Selectivity* selectivity, double* correlation, double* pages) {
    boundary([=] {
        const IndexOptInfo* info = path->indexinfo;
        *correlation = 0;
        *pages = info->pages;
        *selectivity = 1;
        if (!is_usable(root, path)) {
            discourage_path(path, startup_cost, total_cost);
            return;
        }
        if (info->indpred != NIL && info->rel->tuples > 0) {
            *selectivity = std::min(info->tuples / info->rel->tuples, 1.0);
        }
        estimate(root, path, loop_count, startup_cost, total_cost);
    });
}

}  // namespace pagoda::ivf
