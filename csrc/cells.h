// Where a key falls on a grid: the corners of its cell and their interpolation weights (ops/corners.py says the same).
//
// Letters: D grid dimension.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "vectors.h"

constexpr float KEY_LIMIT = static_cast<float>(1 - 1e-7);

// A grid, or the inside of a padded one: `stride` counts nodes between neighbours along an axis.
template <int D>
struct GridShape {
    int side[D];
    int stride[D];
    int reach[D];   // nodes between a cell's two ends; of an axis of one node, both ends are that node
    int origin;     // the node of index (0, .., 0)
    int64_t nodes;  // allocated, margins included

    GridShape(const int64_t* size, int margin) {
        int64_t step = 1;
        origin = 0;
        for (int axis = D - 1; axis >= 0; --axis) {
            side[axis] = static_cast<int>(size[axis]);
            stride[axis] = static_cast<int>(step);
            reach[axis] = side[axis] > 1 ? stride[axis] : 0;
            origin += margin * stride[axis];
            step *= side[axis] + 2 * margin;
        }
        nodes = step;
    }
};

// The cells of consecutive points, found together: that vectorises.
template <int D>
struct Cells {
    static constexpr int SPAN = 64;
    int count;
    int32_t lower[SPAN];      // the node of a cell's lowest corner
    float fraction[D][SPAN];  // where the point lies between the cell's two ends along each axis

    // Keys: [num_left, D], with rows `stride` apart; the first SPAN of them count. Vectors are spelt out, and the function
    // kept apart, because compilers otherwise make branches of the comparisons in some of the places that it is used in.
    __attribute__((noinline)) Cells(const float* keys, int64_t stride, int64_t num_left, const GridShape<D>& grid)
        : count(static_cast<int>(std::min<int64_t>(num_left, SPAN))) {
        using Vector = Floats<WIDEST>;
        using Whole = Ints<WIDEST>;
        std::fill_n(lower, SPAN, grid.origin);
        for (int axis = 0; axis < D; ++axis) {
            float* place = fraction[axis];
            for (int i = 0; i < count; ++i) place[i] = keys[i * stride + axis];
            std::fill(place + count, place + SPAN, 0.0f);
            const int last = grid.side[axis] - 1, highest = std::max(last - 1, 0), step = grid.stride[axis];
            const float half = static_cast<float>(last) / 2;
            for (int i = 0; i < SPAN; i += WIDEST) {
                const auto key = load<Vector>(place + i);
                const Vector raised = key < -KEY_LIMIT ? Vector{} - KEY_LIMIT : key;
                const Vector clamped = raised > KEY_LIMIT ? Vector{} + KEY_LIMIT : raised;
                const Vector coordinate = (clamped + 1) * half;
                // A key that is not a number has no cell: cell 0 keeps the index legal, its fraction stays not-a-number.
                const Vector number = coordinate == coordinate ? coordinate : Vector{};
                const Whole floor = __builtin_convertvector(number, Whole);
                const Whole cell = floor < highest ? floor : highest + Whole{};
                store(place + i, Vector(coordinate - __builtin_convertvector(cell, Vector)));
                store(lower + i, Whole(load<Whole>(lower + i) + cell * step));
            }
        }
    }
};

// From the gradient of grid coordinates to that of keys, in place: clamped keys get nothing, and balancing leaves out
// the factor by which a coordinate grows faster than its key.
template <int D>
void to_key_gradient(float* gradient, const float* key, const GridShape<D>& grid, bool balance) {
    for (int axis = 0; axis < D; ++axis) {
        const int side = grid.side[axis];
        const float factor = balance ? static_cast<float>(side > 1) : static_cast<float>(side - 1) / 2;
        gradient[axis] = std::fabs(key[axis]) > KEY_LIMIT ? 0 : gradient[axis] * factor;
    }
}
