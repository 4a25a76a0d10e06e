// One head of one cloud: its points written to its grid and read back, forward and backward.
//
// Letters: N points, C channels, D grid dimension. A template's C is a compile-time channel count, or 0: any, at run time.
#pragma once

#include <cstdint>
#include <vector>

#include "cells.h"

enum class Reduce { Max, Sum, Mean };

constexpr int32_t NOBODY = -1;  // the "winner" of a node where the floor of zero won

// Rows of one head: `row(n)` is point n's contiguous channels (or key axes) inside a tensor of any outer layout.
template <typename T>
struct Rows {
    T* first;
    int64_t stride;
    T* row(int64_t n) const { return first + n * stride; }
};

template <int D>
struct HeadPoints {
    Rows<const float> keys;  // [N, D]
    const uint8_t* mask;     // [N], 0 = not there; null = all are
    int64_t num_points;
    bool is_there(int64_t n) const { return mask == nullptr || mask[n]; }
};

// Room for one point's channels.
template <int C>
struct Channels {
    float data[C];
    explicit Channels(int) {}
};
template <>
struct Channels<0> {
    std::vector<float> data;
    explicit Channels(int num_channels) : data(num_channels) {}
};

template <int C>
float dot(const float* a, const float* b, int num_channels) {
    if (C == 0) {
        float sum = 0;
        for (int c = 0; c < num_channels; ++c) sum += a[c] * b[c];
        return sum;
    }
    float product[C ? C : 1];
    for (int c = 0; c < C; ++c) product[c] = a[c] * b[c];
    for (int half = C / 2; half > 0; half /= 2) {  // a tree, which vectorises, in place of a chain
        for (int c = 0; c < half; ++c) product[c] += product[c + half];
    }
    return product[0];
}

// grid[node] = max(grid[node], weight * value), and who won it. The grid must start at 0, `winner` at NOBODY.
// Points come in order and only a larger contribution replaces: of equal ones the lowest index wins. NaN stays.
template <int C, int D>
void splat_max(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid, int32_t* winner) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        const float* __restrict value = values.row(n);
        for (int corner = 0; corner < Cell<D>::K; ++corner) {
            const float weight = cell.weight[corner];
            float* __restrict node = grid + static_cast<int64_t>(cell.node[corner]) * channels;
            if (winner == nullptr) {
                for (int c = 0; c < channels; ++c) {
                    const float x = weight * value[c];
                    node[c] = x > node[c] || x != x ? x : node[c];
                }
            } else {
                int32_t* __restrict best = winner + static_cast<int64_t>(cell.node[corner]) * channels;
                const auto point = static_cast<int32_t>(n);
                for (int c = 0; c < channels; ++c) {
                    const float x = weight * value[c];
                    best[c] = x > node[c] ? point : x != x ? NOBODY : best[c];
                    node[c] = x > node[c] || x != x ? x : node[c];
                }
            }
        }
    }
}

// grid[node] += weight * value.
template <int C, int D>
void splat_sum(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        const float* __restrict value = values.row(n);
        for (int corner = 0; corner < Cell<D>::K; ++corner) {
            float* __restrict node = grid + static_cast<int64_t>(cell.node[corner]) * channels;
            for (int c = 0; c < channels; ++c) node[c] += cell.weight[corner] * value[c];
        }
    }
}

// Of how many points' cells each node is a corner (with weight 0 too); a point counts once per node.
template <int D>
void count_points(const HeadPoints<D>& points, const GridShape<D>& shape, int32_t* count) {
    for (int64_t n = 0; n < points.num_points; ++n) {
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        for (int corner = 0; corner < Cell<D>::K; ++corner) {
            bool is_repeated = false;
            for (int axis = 0; axis < D; ++axis) {
                is_repeated |= Cell<D>::is_upper(corner, axis) && shape.side[axis] == 1;
            }
            count[cell.node[corner]] += !is_repeated;
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

// The gradients of values (written) and of grid coordinates (added) from that of the grid; with winners, only to them.
template <int C, int D>
void splat_backward(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
                    const float* grid_gradient, const int32_t* winner, Rows<float> value_gradient,
                    Rows<float> coordinate_gradient) {
    const int channels = C ? C : num_channels;
    Channels<C> received_room(channels), sum_room(channels);
    float* __restrict received = &received_room.data[0];
    float* __restrict sum = &sum_room.data[0];
    for (int64_t n = 0; n < points.num_points; ++n) {
        for (int c = 0; c < channels; ++c) sum[c] = 0;
        if (points.is_there(n)) {
            const Cell<D> cell(points.keys.row(n), shape);
            const auto point = static_cast<int32_t>(n);
            float weight_gradient[Cell<D>::K];
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const int64_t offset = static_cast<int64_t>(cell.node[corner]) * channels;
                const float* __restrict node = grid_gradient + offset;
                if (winner == nullptr) {
                    for (int c = 0; c < channels; ++c) received[c] = node[c];
                } else {
                    const int32_t* __restrict best = winner + offset;
                    for (int c = 0; c < channels; ++c) received[c] = best[c] == point ? node[c] : 0;
                }
                for (int c = 0; c < channels; ++c) sum[c] += cell.weight[corner] * received[c];
                weight_gradient[corner] = dot<C>(values.row(n), received, channels);
            }
            cell.add_coordinate_gradient(weight_gradient, coordinate_gradient.row(n));
        }
        float* __restrict to_value = value_gradient.row(n);
        for (int c = 0; c < channels; ++c) to_value[c] = sum[c];
    }
}

// output = sum over corners of weight * node.
template <int C, int D>
void read_grid(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels,
               Rows<float> output) {
    const int channels = C ? C : num_channels;
    Channels<C> sum_room(channels);
    float* __restrict sum = &sum_room.data[0];
    for (int64_t n = 0; n < points.num_points; ++n) {
        for (int c = 0; c < channels; ++c) sum[c] = 0;
        if (points.is_there(n)) {
            const Cell<D> cell(points.keys.row(n), shape);
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const float* __restrict node = grid + static_cast<int64_t>(cell.node[corner]) * channels;
                for (int c = 0; c < channels; ++c) sum[c] += cell.weight[corner] * node[c];
            }
        }
        float* __restrict read = output.row(n);
        for (int c = 0; c < channels; ++c) read[c] = sum[c];
    }
}

// The gradients of the grid and of grid coordinates (both added) from that of what was read.
template <int C, int D>
void read_backward(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels,
                   Rows<const float> gradient, float* grid_gradient, Rows<float> coordinate_gradient) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        const float* __restrict arrived = gradient.row(n);
        float weight_gradient[Cell<D>::K];
        for (int corner = 0; corner < Cell<D>::K; ++corner) {
            const int64_t offset = static_cast<int64_t>(cell.node[corner]) * channels;
            float* __restrict to_node = grid_gradient + offset;
            for (int c = 0; c < channels; ++c) to_node[c] += cell.weight[corner] * arrived[c];
            weight_gradient[corner] = dot<C>(grid + offset, arrived, channels);
        }
        cell.add_coordinate_gradient(weight_gradient, coordinate_gradient.row(n));
    }
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
