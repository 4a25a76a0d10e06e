// One head of one cloud: its points written to its grid and read back, forward and backward.
//
// Letters: N points, C channels, D grid dimension. A template's C is a compile-time channel count, or 0: any, at run time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "corners.h"

enum class Reduce { Max, Sum, Mean };

constexpr int32_t NOBODY = -1;  // the "winner" of a node where the floor of zero won

// Rows of one head: `row(n)` is point n's contiguous channels (or key axes) inside a tensor of any outer layout.
template <typename T>
struct Rows {
    T* first;
    int64_t stride;
    T* row(int64_t n) const { return first + n * stride; }
};

// Rows of one head lie far apart, most on pages of their own, so the hardware does not foresee the next ones.
template <int C, typename T>
__attribute__((always_inline)) inline void fetch_ahead(Rows<T> rows, int64_t n, int64_t num_rows) {
    constexpr int64_t AHEAD = 12;
    if (n + AHEAD >= num_rows) return;
    for (int c = 0; c < (C ? C : 1); c += 16) __builtin_prefetch(rows.row(n + AHEAD) + c, !std::is_const<T>::value);
}

template <int D>
struct HeadPoints {
    Rows<const float> keys;  // [N, D]
    const uint8_t* mask;     // [N], 0 = not there; null = all are
    int64_t num_points;
    bool is_there(int64_t n) const { return mask == nullptr || mask[n]; }
};

// Calls visit(n, corners) for points that are there, absent(n) for others, in order. `ahead`: rows that these will want.
template <int C, int D, bool JOINED, typename Visit, typename Absent, typename... Ahead>
__attribute__((always_inline)) inline void walk(const HeadPoints<D>& points, const GridShape<D>& shape, int channels,
                                                const Visit& visit, const Absent& absent, Ahead... ahead) {
    for (int64_t first = 0; first < points.num_points; first += Cells<D>::SPAN) {
        const Cells<D> cells(points.keys.row(first), points.keys.stride, points.num_points - first, shape);
        for (int i = 0; i < cells.count; ++i) {
            (fetch_ahead<C>(ahead, first + i, points.num_points), ...);
            if (points.is_there(first + i)) {
                visit(first + i, Corners<C, D, JOINED>(cells, i, shape, channels));
            } else {
                absent(first + i);
            }
        }
    }
}

// Calls action(JOINED): whether the two corners of a row are handled as one vector. On an axis of one node they are the
// same corner, and must be handled one after the other.
template <int C, int D, typename Action>
void with_joined(const GridShape<D>& shape, const Action& action) {
    if constexpr (CAN_JOIN<C>) {
        if (shape.side[D - 1] > 1) return action(std::true_type());
    }
    action(std::false_type());
}

// Marks the corners of every point's cell.
template <int D>
void mark_corners(const HeadPoints<D>& points, const GridShape<D>& shape, uint8_t* touched) {
    for (int64_t first = 0; first < points.num_points; first += Cells<D>::SPAN) {
        const Cells<D> cells(points.keys.row(first), points.keys.stride, points.num_points - first, shape);
        for (int i = 0; i < cells.count; ++i) {
            if (!points.is_there(first + i)) continue;
            for (int corner = 0; corner < 1 << D; ++corner) {
                int node = cells.lower[i];
                for (int axis = 0; axis < D; ++axis) node += corner >> axis & 1 ? shape.reach[axis] : 0;
                touched[node] = 1;
            }
        }
    }
}

// grid[node] = max(grid[node], weight * value), and who won it. The grid must start at 0, `winner` (unless null) at
// NOBODY. Points come in order and only a larger contribution replaces: of equal ones the lowest index wins. NaN stays.
template <int C, int D>
void splat_max(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid, int32_t* winner) {
    const int channels = C ? C : num_channels;
    with_joined<C, D>(shape, [&](auto joined) {
        using Here = Corners<C, D, joined.value>;
        using Vector = typename Here::Vector;
        using Whole = typename Here::Whole;
        auto splat = [&](auto with_winner) {
            walk<C, D, joined.value>(
                points, shape, channels,
                [&](int64_t n, const Here& corners) {
                    for (int c = 0; c < channels; c += LANES<C>) {
                        const Vector value = Here::at_ends(load<Floats<C>>(values.row(n) + c));
                        for (int row = 0; row < Here::ROWS; ++row) {
                            for (int end = 0; end < Here::ENDS; ++end) {
                                const int64_t at = corners.offset[row][end] + c;
                                const auto node = load<Vector>(grid + at);
                                const Vector offer = corners.weight(row, end) * value;
                                const Vector larger = offer > node ? offer : node;
                                store(grid + at, offer != offer ? offer : larger);
                                if constexpr (with_winner.value) {
                                    const auto before = load<Whole>(winner + at);
                                    const Whole after = offer > node ? static_cast<int32_t>(n) + Whole{} : before;
                                    store(winner + at, offer != offer ? NOBODY + Whole{} : after);
                                }
                            }
                        }
                    }
                },
                [](int64_t) {}, values);
        };
        winner == nullptr ? splat(std::false_type()) : splat(std::true_type());
    });
}

// grid[node] += weight * value.
template <int C, int D>
void splat_sum(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid) {
    const int channels = C ? C : num_channels;
    with_joined<C, D>(shape, [&](auto joined) {
        using Here = Corners<C, D, joined.value>;
        using Vector = typename Here::Vector;
        walk<C, D, joined.value>(
            points, shape, channels,
            [&](int64_t n, const Here& corners) {
                for (int c = 0; c < channels; c += LANES<C>) {
                    const Vector value = Here::at_ends(load<Floats<C>>(values.row(n) + c));
                    for (int row = 0; row < Here::ROWS; ++row) {
                        for (int end = 0; end < Here::ENDS; ++end) {
                            float* node = grid + corners.offset[row][end] + c;
                            store(node, Vector(load<Vector>(node) + corners.weight(row, end) * value));
                        }
                    }
                }
            },
            [](int64_t) {}, values);
    });
}

// Of how many points' cells each node is a corner (with weight 0 too); a point counts once per node.
template <int D>
void count_points(const HeadPoints<D>& points, const GridShape<D>& shape, int32_t* count) {
    for (int64_t first = 0; first < points.num_points; first += Cells<D>::SPAN) {
        const Cells<D> cells(points.keys.row(first), points.keys.stride, points.num_points - first, shape);
        for (int i = 0; i < cells.count; ++i) {
            if (!points.is_there(first + i)) continue;
            for (int corner = 0; corner < 1 << D; ++corner) {
                int node = cells.lower[i];
                bool is_repeated = false;
                for (int axis = 0; axis < D; ++axis) {
                    if (!(corner >> axis & 1)) continue;
                    node += shape.reach[axis];
                    is_repeated |= shape.side[axis] == 1;
                }
                count[node] += !is_repeated;
            }
        }
    }
}

// Sums to means, or their gradients: divides every touched node.
inline void divide_by_count(float* grid, const int32_t* count, int64_t num_nodes, int channels) {
    for (int64_t node = 0; node < num_nodes; ++node) {
        if (count[node] < 2) continue;
        for (int c = 0; c < channels; ++c) grid[node * channels + c] /= static_cast<float>(count[node]);
    }
}

// Who gets a node's gradient: every point that wrote to it, its noted winner, or the first whose contribution is what the
// node holds.
enum class Heir { Everyone, Winner, Largest };

// The gradients of values (written) and of grid coordinates (added) from that of the grid. `winner` is for Heir::Winner;
// `grid`, for Heir::Largest, is what was written to: nodes are struck off it as they find their heir.
template <int C, int D, Heir HEIR>
void splat_backward(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
                    const float* grid_gradient, const int32_t* winner, float* grid, Rows<float> value_gradient,
                    Rows<float> coordinate_gradient) {
    const int channels = C ? C : num_channels;
    with_joined<C, D>(shape, [&](auto joined) {
        using Here = Corners<C, D, joined.value>;
        using Vector = typename Here::Vector;
        using Whole = typename Here::Whole;
        walk<C, D, joined.value>(
            points, shape, channels,
            [&](int64_t n, const Here& corners) {
                Vector to_coordinate[D] = {};
                for (int c = 0; c < channels; c += LANES<C>) {
                    const Vector value = Here::at_ends(load<Floats<C>>(values.row(n) + c));
                    Vector to_value[Here::ENDS];
                    for (int end = 0; end < Here::ENDS; ++end) {
                        Vector received[Here::ROWS];
                        for (int row = 0; row < Here::ROWS; ++row) {
                            const int64_t at = corners.offset[row][end] + c;
                            received[row] = load<Vector>(grid_gradient + at);
                            if constexpr (HEIR == Heir::Winner) {
                                const Whole point = static_cast<int32_t>(n) + Whole{};
                                received[row] = load<Whole>(winner + at) == point ? received[row] : Vector{};
                            } else if constexpr (HEIR == Heir::Largest) {
                                const auto node = load<Vector>(grid + at);
                                const Vector offer = corners.weight(row, end) * value;
                                const Vector positive = offer > Vector{} ? offer : Vector{} - 2;
                                received[row] = positive == node ? received[row] : Vector{};
                                store(grid + at, positive == node ? Vector{} - 1 : node);
                            }
                        }
                        const Between<D, Vector> between(received, corners.fraction);
                        to_value[end] = corners.end_weight[end] * between.at;
                        const Vector weighted = corners.end_weight[end] * value;
                        for (int axis = 0; axis < D - 1; ++axis) to_coordinate[axis] += between.slope[axis] * weighted;
                        to_coordinate[D - 1] += between.at * (Here::sign(end) * value);
                    }
                    store(value_gradient.row(n) + c, Here::over_ends(to_value));
                }
                float* to = coordinate_gradient.row(n);
                for (int axis = 0; axis < D; ++axis) to[axis] += sum_lanes<Here::WIDTH>(to_coordinate[axis]);
            },
            [&](int64_t n) {
                for (int c = 0; c < channels; ++c) value_gradient.row(n)[c] = 0;
            },
            values, value_gradient);
    });
}

// output = [relu](sum over corners of weight * node).
template <int C, int D>
void read_grid(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels, bool relu,
               Rows<float> output) {
    const int channels = C ? C : num_channels;
    with_joined<C, D>(shape, [&](auto joined) {
        using Here = Corners<C, D, joined.value>;
        using Vector = typename Here::Vector;
        walk<C, D, joined.value>(
            points, shape, channels,
            [&](int64_t n, const Here& corners) {
                for (int c = 0; c < channels; c += LANES<C>) {
                    Vector ends[Here::ENDS];
                    for (int end = 0; end < Here::ENDS; ++end) {
                        Vector rows[Here::ROWS];
                        for (int row = 0; row < Here::ROWS; ++row) {
                            rows[row] = load<Vector>(grid + corners.offset[row][end] + c);
                        }
                        ends[end] = corners.end_weight[end] * Between<D, Vector>(rows, corners.fraction).at;
                    }
                    Floats<C> sum = Here::over_ends(ends);
                    if (relu) sum = sum < Floats<C>{} ? Floats<C>{} : sum;
                    store(output.row(n) + c, sum);
                }
            },
            [&](int64_t n) {
                for (int c = 0; c < channels; ++c) output.row(n)[c] = 0;
            },
            output);
    });
}

// The gradients of the grid and of grid coordinates (both added) from that of what was read.
template <int C, int D>
void read_backward(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels,
                   Rows<const float> gradient, float* grid_gradient, Rows<float> coordinate_gradient) {
    const int channels = C ? C : num_channels;
    with_joined<C, D>(shape, [&](auto joined) {
        using Here = Corners<C, D, joined.value>;
        using Vector = typename Here::Vector;
        walk<C, D, joined.value>(
            points, shape, channels,
            [&](int64_t n, const Here& corners) {
                Vector to_coordinate[D] = {};
                for (int c = 0; c < channels; c += LANES<C>) {
                    const Vector arrived = Here::at_ends(load<Floats<C>>(gradient.row(n) + c));
                    for (int end = 0; end < Here::ENDS; ++end) {
                        const Vector weighted = corners.end_weight[end] * arrived;
                        Vector rows[Here::ROWS];
                        for (int row = 0; row < Here::ROWS; ++row) {
                            const int64_t at = corners.offset[row][end] + c;
                            rows[row] = load<Vector>(grid + at);
                            float* to_node = grid_gradient + at;
                            store(to_node, Vector(load<Vector>(to_node) + corners.row_weight[row] * weighted));
                        }
                        const Between<D, Vector> between(rows, corners.fraction);
                        for (int axis = 0; axis < D - 1; ++axis) to_coordinate[axis] += between.slope[axis] * weighted;
                        to_coordinate[D - 1] += between.at * (Here::sign(end) * arrived);
                    }
                }
                float* to = coordinate_gradient.row(n);
                for (int axis = 0; axis < D; ++axis) to[axis] += sum_lanes<Here::WIDTH>(to_coordinate[axis]);
            },
            [](int64_t) {}, gradient);
    });
}

// Turns gradients of coordinates into those of keys, for every point; masked ones get none.
template <int D>
void finish_key_gradient(const HeadPoints<D>& points, const GridShape<D>& shape, bool balance, Rows<float> gradient) {
    for (int64_t n = 0; n < points.num_points; ++n) {
        if (points.is_there(n)) {
            to_key_gradient<D>(gradient.row(n), points.keys.row(n), shape, balance);
        } else {
            for (int axis = 0; axis < D; ++axis) gradient.row(n)[axis] = 0;
        }
    }
}

template <int D>
void clear_rows(Rows<float> rows, int64_t num_rows) {
    for (int64_t n = 0; n < num_rows; ++n) {
        for (int axis = 0; axis < D; ++axis) rows.row(n)[axis] = 0;
    }
}
