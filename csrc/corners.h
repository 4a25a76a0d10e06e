// A point's cell as the kernels walk over it: rows of two corners each, which differ along the grid's last axis.
//
// Neighbours along that axis are neighbours in memory. Where the channels of both fit one vector, a row is one vector
// (JOINED), else two. Sums over corners run axis by axis, first over rows, then over a row's two ends.
//
// Letters: C channels (0: any, at run time), D grid dimension.
#pragma once

#include "cells.h"
#include "vectors.h"

template <int C>
constexpr bool CAN_JOIN = CAN_RESIZE && (C == 4 || C == 8) && 2 * C <= WIDEST;

template <int C, int D, bool JOINED>
struct Corners {
    static constexpr int ROWS = 1 << (D - 1), ENDS = JOINED ? 1 : 2;
    static constexpr int WIDTH = JOINED ? 2 * C : LANES<C>;
    using Vector = typename VectorOf<WIDTH>::Floats;
    using Whole = typename VectorOf<WIDTH>::Ints;

    int64_t offset[ROWS][ENDS];  // in floats, to a corner's first channel
    float row_weight[ROWS];
    Vector end_weight[ENDS];
    float fraction[D];

    __attribute__((always_inline)) Corners(const Cells<D>& cells, int i, const GridShape<D>& grid, int channels) {
        for (int axis = 0; axis < D; ++axis) fraction[axis] = cells.fraction[axis][i];
        for (int row = 0; row < ROWS; ++row) {
            int64_t node = cells.lower[i];
            row_weight[row] = 1;
            for (int axis = 0; axis < D - 1; ++axis) {
                const bool is_upper = row >> (D - 2 - axis) & 1;
                node += is_upper ? grid.reach[axis] : 0;
                row_weight[row] *= is_upper ? fraction[axis] : 1 - fraction[axis];
            }
            for (int end = 0; end < ENDS; ++end) offset[row][end] = (node + end * grid.reach[D - 1]) * channels;
        }
        for (int end = 0; end < ENDS; ++end) end_weight[end] = base(end) + sign(end) * fraction[D - 1];
    }

    // A point's channels, for every end that a vector holds.
    static __attribute__((always_inline)) Vector at_ends(Floats<C> channels) {
        if constexpr (JOINED) {
            return twice<C>(channels, Numbers<WIDTH>());
        } else {
            return channels;
        }
    }

    // The sum over both ends.
    static __attribute__((always_inline)) Floats<C> over_ends(const Vector* ends) {
        if constexpr (JOINED) {
            return folded<WIDTH>(ends[0]);
        } else {
            return ends[0] + ends[1];
        }
    }

    __attribute__((always_inline)) Vector weight(int row, int end) const { return row_weight[row] * end_weight[end]; }

    // How a weight changes as the point moves along the last axis.
    static Vector sign(int end) {
        Vector result{};
        if constexpr (JOINED) {
            for (int lane = 0; lane < WIDTH; ++lane) result[lane] = lane < C ? -1 : 1;
        } else {
            result += end ? 1.0f : -1.0f;
        }
        return result;
    }

  private:
    static Vector base(int end) {
        Vector result{};
        if constexpr (JOINED) {
            for (int lane = 0; lane < C; ++lane) result[lane] = 1;
        } else {
            result += end ? 0.0f : 1.0f;
        }
        return result;
    }
};

// What the rows' vectors give at the point, by interpolation, and how that changes as it moves along the rows' axes.
template <int D, typename Vector>
struct Between {
    Vector at, slope[D - 1];

    template <int ROWS>
    __attribute__((always_inline)) Between(const Vector (&row)[ROWS], const float* fraction) {
        if constexpr (D == 2) {
            slope[0] = row[1] - row[0];
            at = row[0] + fraction[0] * slope[0];
        } else {
            const Vector near = row[2] - row[0], far = row[3] - row[1];
            const Vector lower = row[0] + fraction[0] * near, upper = row[1] + fraction[0] * far;
            slope[0] = near + fraction[1] * (far - near);
            slope[1] = upper - lower;
            at = lower + fraction[1] * slope[1];
        }
    }
};
