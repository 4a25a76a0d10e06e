// Where a key falls on a grid: the corners of its cell and their interpolation weights (ops/corners.py says the same).
//
// Letters: D grid dimension, K = 2^D corners of a cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

constexpr float KEY_LIMIT = static_cast<float>(1 - 1e-7);

// A grid, or the inside of a padded one: `stride` counts nodes between neighbours along an axis.
template <int D>
struct GridShape {
    int side[D];
    int stride[D];
    int origin;     // the node of index (0, .., 0)
    int64_t nodes;  // allocated, margins included

    GridShape(const int64_t* size, int margin) {
        int64_t step = 1;
        origin = 0;
        for (int axis = D - 1; axis >= 0; --axis) {
            side[axis] = static_cast<int>(size[axis]);
            stride[axis] = static_cast<int>(step);
            origin += margin * stride[axis];
            step *= side[axis] + 2 * margin;
        }
        nodes = step;
    }
};

template <int D>
struct Cell {
    static constexpr int K = 1 << D;
    int32_t node[K];
    float weight[K];
    float fraction[D];

    __attribute__((always_inline)) Cell(const float* key, const GridShape<D>& grid) {
        int lower_node = grid.origin;
        int step[D];
        for (int axis = 0; axis < D; ++axis) {
            const int last = grid.side[axis] - 1;
            const float clamped = key[axis] < -KEY_LIMIT ? -KEY_LIMIT : key[axis] > KEY_LIMIT ? KEY_LIMIT : key[axis];
            const float coordinate = (clamped + 1) * (static_cast<float>(last) / 2);
            // A key that is not a number has no cell: cell 0 keeps the index legal, its fraction stays not-a-number.
            const int floor = coordinate == coordinate ? static_cast<int>(coordinate) : 0;
            const int lower = std::min(floor, std::max(last - 1, 0));
            fraction[axis] = coordinate - static_cast<float>(lower);
            lower_node += lower * grid.stride[axis];
            step[axis] = last > 0 ? grid.stride[axis] : 0;  // of an axis of one node, both ends are that node
        }
        for (int corner = 0; corner < K; ++corner) {
            node[corner] = lower_node;
            weight[corner] = 1;
            for (int axis = 0; axis < D; ++axis) {
                node[corner] += is_upper(corner, axis) ? step[axis] : 0;
                weight[corner] *= end(corner, axis);
            }
        }
    }

    static bool is_upper(int corner, int axis) { return corner >> (D - 1 - axis) & 1; }

    float end(int corner, int axis) const { return is_upper(corner, axis) ? fraction[axis] : 1 - fraction[axis]; }
};

// How a corner's weight changes as the point moves along an axis of the grid.
template <int D>
struct Slopes {
    float slope[1 << D][D];

    explicit Slopes(const Cell<D>& cell) {
        for (int corner = 0; corner < Cell<D>::K; ++corner) {
            for (int axis = 0; axis < D; ++axis) {
                slope[corner][axis] = Cell<D>::is_upper(corner, axis) ? 1 : -1;
                for (int other = 0; other < D; ++other) {
                    if (other != axis) slope[corner][axis] *= cell.end(corner, other);
                }
            }
        }
    }

    // Adds what moving along each axis does, per channel, if a change of that corner's weight matters `matters`.
    template <typename Vector>
    void add(int corner, Vector matters, Vector* to_coordinate) const {
        for (int axis = 0; axis < D; ++axis) to_coordinate[axis] += slope[corner][axis] * matters;
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
