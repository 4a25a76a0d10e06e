// Nearest neighbours: of every query the nearest point, found in a tree.
//
// Written here although libraries do this: the tree is there for the auction, and the light library that was tried
// hangs in a forked data-loader worker (its OpenMP threads do not survive the fork).

#include <memory>

#include "cost_tree.h"
#include "threads.h"

namespace {
constexpr int64_t kQueriesAtOnce = 512;
}

extern "C" void nearest_search(
    const float* queries,     // [num_clouds, num_queries, 3], finite
    const float* points,      // [num_clouds, num_points, 3], finite
    const uint8_t* is_there,  // [num_clouds, num_points], which points may be found; null: all
    int64_t num_clouds, int64_t num_queries, int64_t num_points,
    int32_t* index,  // [num_clouds, num_queries]; -1 where there is no point
    int64_t max_threads) {
    const int num_threads = static_cast<int>(max_threads);
    std::vector<std::unique_ptr<CostTree>> trees(num_clouds);
    parallel_for(num_clouds, num_threads, [&](int64_t cloud, int) {
        trees[cloud] = std::make_unique<CostTree>(
            points + 3 * num_points * cloud, static_cast<int>(num_points),
            is_there ? is_there + num_points * cloud : nullptr);
    });
    const int64_t num_chunks = (num_queries + kQueriesAtOnce - 1) / kQueriesAtOnce;
    parallel_for(num_clouds * num_chunks, num_threads, [&](int64_t item, int) {
        const int64_t cloud = item / num_chunks, first = item % num_chunks * kQueriesAtOnce;
        const CostTree& tree = *trees[cloud];
        for (int64_t i = first; i < std::min(first + kQueriesAtOnce, num_queries); ++i) {
            const int slot = tree.best(queries + 3 * (num_queries * cloud + i));
            index[num_queries * cloud + i] = slot < 0 ? -1 : tree.point(slot);
        }
    });
}
