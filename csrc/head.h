// One head of one cloud: its points written to its grid and read back, forward and backward.
//
// Letters: N points, C channels, D grid dimension. A template's C is a compile-time channel count, or 0: any, at run time.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cells.h"
#include "vectors.h"

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
inline void fetch_ahead(Rows<T> rows, int64_t n, int64_t num_rows) {
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

// Marks the corners of a point's cell, unless nobody wants to know.
template <int D>
inline void mark(const Cell<D>& cell, uint8_t* touched) {
    if (touched == nullptr) return;
    for (int corner = 0; corner < Cell<D>::K; ++corner) touched[cell.node[corner]] = 1;
}

// grid[node] = max(grid[node], weight * value), and who won it. The grid must start at 0, `winner` (unless null) at
// NOBODY, `touched` (unless null) at 0. Points come in order and only a larger contribution replaces: of equal ones the lowest index wins. NaN stays.
template <int C, int D>
void splat_max(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid, int32_t* winner, uint8_t* touched) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        fetch_ahead<C>(values, n, points.num_points);
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        mark(cell, touched);
        const auto point = static_cast<int32_t>(n);
        for (int c = 0; c < channels; c += LANES<C>) {
            const auto value = load<Floats<C>>(values.row(n) + c);
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const int64_t offset = static_cast<int64_t>(cell.node[corner]) * channels + c;
                const auto node = load<Floats<C>>(grid + offset);
                const Floats<C> offer = cell.weight[corner] * value;
                const Floats<C> larger = offer > node ? offer : node;
                store(grid + offset, offer != offer ? offer : larger);
                if (winner != nullptr) {
                    const auto before = load<Ints<C>>(winner + offset);
                    const Ints<C> after = offer > node ? point + Ints<C>{} : before;
                    store(winner + offset, offer != offer ? NOBODY + Ints<C>{} : after);
                }
            }
        }
    }
}

// grid[node] += weight * value.
template <int C, int D>
void splat_sum(const HeadPoints<D>& points, Rows<const float> values, const GridShape<D>& shape, int num_channels,
               float* grid, uint8_t* touched) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        fetch_ahead<C>(values, n, points.num_points);
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        mark(cell, touched);
        for (int c = 0; c < channels; c += LANES<C>) {
            const auto value = load<Floats<C>>(values.row(n) + c);
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                float* node = grid + static_cast<int64_t>(cell.node[corner]) * channels + c;
                store(node, Floats<C>(load<Floats<C>>(node) + cell.weight[corner] * value));
            }
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
    for (int64_t n = 0; n < points.num_points; ++n) {
        fetch_ahead<C>(values, n, points.num_points);
        fetch_ahead<C>(value_gradient, n, points.num_points);
        if (!points.is_there(n)) {
            for (int c = 0; c < channels; ++c) value_gradient.row(n)[c] = 0;
            continue;
        }
        const Cell<D> cell(points.keys.row(n), shape);
        const Slopes<D> slopes(cell);
        const auto point = static_cast<int32_t>(n);
        Floats<C> to_coordinate[D] = {};
        for (int c = 0; c < channels; c += LANES<C>) {
            const auto value = load<Floats<C>>(values.row(n) + c);
            Floats<C> to_value{};
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const int64_t offset = static_cast<int64_t>(cell.node[corner]) * channels + c;
                auto received = load<Floats<C>>(grid_gradient + offset);
                if (winner != nullptr) {
                    received = load<Ints<C>>(winner + offset) == point + Ints<C>{} ? received : Floats<C>{};
                }
                to_value += cell.weight[corner] * received;
                slopes.add(corner, value * received, to_coordinate);
            }
            store(value_gradient.row(n) + c, to_value);
        }
        for (int axis = 0; axis < D; ++axis) coordinate_gradient.row(n)[axis] += sum_lanes<LANES<C>>(to_coordinate[axis]);
    }
}

// output = [relu](sum over corners of weight * node).
template <int C, int D>
void read_grid(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels, bool relu,
               Rows<float> output) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        fetch_ahead<C>(output, n, points.num_points);
        if (!points.is_there(n)) {
            for (int c = 0; c < channels; ++c) output.row(n)[c] = 0;
            continue;
        }
        const Cell<D> cell(points.keys.row(n), shape);
        for (int c = 0; c < channels; c += LANES<C>) {
            Floats<C> sum{};
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const float* node = grid + static_cast<int64_t>(cell.node[corner]) * channels + c;
                sum += cell.weight[corner] * load<Floats<C>>(node);
            }
            if (relu) sum = sum < Floats<C>{} ? Floats<C>{} : sum;
            store(output.row(n) + c, sum);
        }
    }
}

// The gradients of the grid and of grid coordinates (both added) from that of what was read.
template <int C, int D>
void read_backward(const HeadPoints<D>& points, const float* grid, const GridShape<D>& shape, int num_channels,
                   Rows<const float> gradient, float* grid_gradient, Rows<float> coordinate_gradient) {
    const int channels = C ? C : num_channels;
    for (int64_t n = 0; n < points.num_points; ++n) {
        fetch_ahead<C>(gradient, n, points.num_points);
        if (!points.is_there(n)) continue;
        const Cell<D> cell(points.keys.row(n), shape);
        const Slopes<D> slopes(cell);
        Floats<C> to_coordinate[D] = {};
        for (int c = 0; c < channels; c += LANES<C>) {
            const auto arrived = load<Floats<C>>(gradient.row(n) + c);
            for (int corner = 0; corner < Cell<D>::K; ++corner) {
                const int64_t offset = static_cast<int64_t>(cell.node[corner]) * channels + c;
                float* to_node = grid_gradient + offset;
                store(to_node, Floats<C>(load<Floats<C>>(to_node) + cell.weight[corner] * arrived));
                slopes.add(corner, load<Floats<C>>(grid + offset) * arrived, to_coordinate);
            }
        }
        for (int axis = 0; axis < D; ++axis) coordinate_gradient.row(n)[axis] += sum_lanes<LANES<C>>(to_coordinate[axis]);
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
