// A tree over points in space, each with a price: finds which point has the lowest price + distance from a query.
//
// Nodes have 16 children, so that one vectorised loop bounds all of them at once; leaves hold up to 16 points. At a few
// thousand points a search looks at some 100 of them; prices change in place. With all prices at 0 it is a plain
// nearest-neighbour search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

class CostTree {
  public:
    static constexpr float kNever = std::numeric_limits<float>::infinity();  // the price of what must not be found

    struct Found {
        int slot = -1;          // where the best point lies in the tree; -1: every point costs kNever
        float best = kNever;    // its price + distance
        float second = kNever;  // that of the best among the others
    };

    CostTree(
        const float* points,  // [num_points, 3], finite
        int num_points,
        const uint8_t* is_there = nullptr)  // [num_points], which of them to take; all if null
    {
        std::vector<int> order;
        for (int i = 0; i < num_points; ++i) {
            if (!is_there || is_there[i]) order.push_back(i);
        }
        const int count = static_cast<int>(order.size());
        int num_leaves = 1;
        while (num_leaves * kWidth < count) num_leaves *= 2;
        point_.assign(num_leaves * kWidth, -1);
        price_.assign(num_leaves * kWidth, kNever);
        for (auto& axis : position_) axis.assign(num_leaves * kWidth, 0.0f);
        place(points, order.data(), count, 0, num_leaves);
        for (int num_nodes = num_leaves;; num_nodes = (num_nodes + kWidth - 1) / kWidth) {
            add_level(num_nodes);
            if (num_nodes <= kWidth) break;
        }
    }

    int num_slots() const { return static_cast<int>(point_.size()); }
    int point(int slot) const { return point_[slot]; }  // the point's index, -1 for an empty slot
    float price(int slot) const { return price_[slot]; }

    float distance(int slot, const float* query) const {
        const float x = position_[0][slot] - query[0], y = position_[1][slot] - query[1],
                    z = position_[2][slot] - query[2];
        return std::sqrt(x * x + y * y + z * z);
    }

    void set_price(int slot, float price) {
        price_[slot] = price;
        const float* below = price_.data();
        int node = slot / kWidth;
        for (auto& level : levels_) {
            const float lowest = lowest_of(below + node * kWidth);
            if (level.price[node] == lowest) return;
            level.price[node] = lowest;
            below = level.price.data();
            node /= kWidth;
        }
    }

    // Of equal costs the one that the search meets first is the best: always the same for the same tree and query.
    Found best_two(const float* query) const { return search<true>(query); }
    int best(const float* query) const { return search<false>(query).slot; }  // faster

  private:
    static constexpr int kWidth = 16;

    struct Level {  // of each node: the box around its points, and the lowest price among them
        std::vector<float> low[3], high[3], price;
    };

    // Costs are never negative, and non-negative floats are ordered as their bits are, read as integers: comparing
    // those, a compiler may vectorise a minimum without being allowed to ignore NaNs.
    static int32_t bits_of(float cost) {
        int32_t bits;
        std::memcpy(&bits, &cost, sizeof bits);
        return bits;
    }
    static float float_of(int32_t bits) {
        float cost;
        std::memcpy(&cost, &bits, sizeof cost);
        return cost;
    }
    static float lowest_of(const float* costs) {
        int32_t lowest = bits_of(costs[0]);
        for (int k = 1; k < kWidth; ++k) lowest = std::min(lowest, bits_of(costs[k]));
        return float_of(lowest);
    }

    // Halves the points along their longest side until one leaf is left for them.
    void place(const float* points, int* order, int count, int leaf, int num_leaves) {
        if (num_leaves == 1) {
            for (int k = 0; k < count; ++k) {
                const int slot = leaf * kWidth + k;
                point_[slot] = order[k];
                price_[slot] = 0.0f;
                for (int d = 0; d < 3; ++d) position_[d][slot] = points[3 * order[k] + d];
            }
            return;
        }
        int longest = 0;
        float length = -1.0f;
        for (int d = 0; d < 3; ++d) {
            float low = kNever, high = -kNever;
            for (int k = 0; k < count; ++k) {
                low = std::min(low, points[3 * order[k] + d]);
                high = std::max(high, points[3 * order[k] + d]);
            }
            if (high - low > length) longest = d, length = high - low;
        }
        const int half = count / 2;
        std::nth_element(order, order + half, order + count, [&](int a, int b) {
            const float x = points[3 * a + longest], y = points[3 * b + longest];
            return x < y || (x == y && a < b);
        });
        place(points, order, half, leaf, num_leaves / 2);
        place(points, order + half, count - half, leaf + num_leaves / 2, num_leaves / 2);
    }

    void add_level(int num_nodes) {
        Level level;
        const int padded = (num_nodes + kWidth - 1) / kWidth * kWidth;
        level.price.assign(padded, kNever);
        for (int d = 0; d < 3; ++d) level.low[d].assign(padded, 0.0f), level.high[d].assign(padded, 0.0f);
        const Level* below = levels_.empty() ? nullptr : &levels_.back();
        for (int node = 0; node < num_nodes; ++node) {
            for (int d = 0; d < 3; ++d) {
                const float* lows = below ? below->low[d].data() : position_[d].data();
                const float* highs = below ? below->high[d].data() : position_[d].data();
                const float* prices = below ? below->price.data() : price_.data();
                float low = kNever, high = -kNever;
                for (int k = node * kWidth; k < (node + 1) * kWidth; ++k) {
                    if (prices[k] == kNever) continue;
                    low = std::min(low, lows[k]), high = std::max(high, highs[k]);
                    level.price[node] = 0.0f;
                }
                if (low <= high) level.low[d][node] = low, level.high[d][node] = high;
            }
        }
        levels_.push_back(std::move(level));
    }

    template <bool kNeedsSecond>
    Found search(const float* query) const {
        Found found;
        visit<kNeedsSecond>(static_cast<int>(levels_.size()) - 1, 0, query, found);
        return found;
    }

    template <bool kNeedsSecond>
    void visit(int depth, int parent, const float* query, Found& found) const {
        const Level& level = levels_[depth];
        const int first = parent * kWidth;
        int32_t bound[kWidth];  // a lower bound of each child's costs; its last four bits give way to the child's number
        for (int k = 0; k < kWidth; ++k) {
            float square = 0.0f;
            for (int d = 0; d < 3; ++d) {
                const float below = level.low[d][first + k] - query[d], above = query[d] - level.high[d][first + k];
                const float outside = std::max(std::max(below, above), 0.0f);
                square += outside * outside;
            }
            bound[k] = (bits_of(std::sqrt(square) + level.price[first + k]) & ~(kWidth - 1)) | k;
        }
        while (true) {  // the most promising child first: it lowers the limit for the others
            int32_t lowest = bound[0];
            for (int k = 1; k < kWidth; ++k) lowest = std::min(lowest, bound[k]);
            if (!(float_of(lowest & ~(kWidth - 1)) < (kNeedsSecond ? found.second : found.best))) return;
            const int child = lowest & (kWidth - 1);
            bound[child] = bits_of(kNever) | child;
            if (depth == 0) {
                scan(first + child, query, found);
            } else {
                visit<kNeedsSecond>(depth - 1, first + child, query, found);
            }
        }
    }

    void scan(int leaf, const float* query, Found& found) const {
        const int first = leaf * kWidth;
        float cost[kWidth];
        for (int k = 0; k < kWidth; ++k) cost[k] = distance(first + k, query) + price_[first + k];
        for (int k = 0; k < kWidth; ++k) {
            if (!(cost[k] < found.second)) continue;
            if (cost[k] < found.best) {
                found.second = found.best;
                found.best = cost[k];
                found.slot = first + k;
            } else {
                found.second = cost[k];
            }
        }
    }

    std::vector<int> point_;
    std::vector<float> position_[3], price_;
    std::vector<Level> levels_;  // from just above the leaves up to the root
};
