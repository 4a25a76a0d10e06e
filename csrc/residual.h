// The steps of a residual block on one head's grid: its convolutions, the sum behind them, and what follows: the grid
// halved along each axis by taking the largest of neighbours, or the mean of all nodes.
//
// Letters: V nodes of a grid, C channels per head (16 or 32), D grid dimension.
#pragma once

#include <algorithm>

#include "convolve.h"
#include "grid_norm.h"

// One head's memory of a thread: padded grids for the convolutions, and their weights.
template <int C, int D>
struct Workspace {
    static_assert(TILE<C> == 1);
    GridShape<D> shape;
    std::array<int, TAPS<D>> offsets;
    int64_t num_nodes = 1;           // V
    float *input, *output, *gradient;  // padded
    float *weight, *transposed_weight, *skip_weight;
    float* joined;   // [V, C]
    int32_t* nodes;  // where in a padded grid each node is

    Workspace(const int64_t* size, float* memory) : shape(size, MARGIN), offsets(tap_offsets(shape)) {
        for (int axis = 0; axis < D; ++axis) num_nodes *= size[axis];
        lay_out(memory);
        if (memory == nullptr) return;
        list_nodes();
        std::fill_n(input, shape.nodes * C, 0.0f);
        std::fill_n(gradient, shape.nodes * C, 0.0f);
    }

    static int64_t num_floats(const int64_t* size) { return Workspace(size, nullptr).lay_out(nullptr); }

    void read_input(const float* from, int64_t channels) {
        for (int64_t i = 0; i < num_nodes; ++i) {
            float* to = input + nodes[i] * C;
            std::copy_n(from + i * channels, channels, to);
            std::fill(to + channels, to + C, 0.0f);
        }
    }

    // To [V, C].
    void convolve_forward(float* to) {
        convolve<C, D>(input, nodes, num_nodes, offsets, weight, nullptr, output);
        for (int64_t i = 0; i < num_nodes; ++i) std::copy_n(output + nodes[i] * C, C, to + i * C);
    }

    // Adds to the weight's gradient, and leaves the input's in `output`.
    void convolve_backward(float* weight_gradient) {
        add_weight_gradient<C, D>(input, gradient, nodes, num_nodes, offsets, weight_gradient);
        convolve<C, D>(gradient, nodes, num_nodes, negated(offsets), transposed_weight, nullptr, output);
    }

  private:
    int64_t lay_out(float* memory) {
        int64_t used = 0;
        auto take = [&](int64_t floats) {
            float* part = memory == nullptr ? nullptr : memory + used;
            used += (floats + 15) / 16 * 16;  // whole lines of cache
            return part;
        };
        input = take(shape.nodes * C);
        output = take(shape.nodes * C);
        gradient = take(shape.nodes * C);
        weight = take(TAPS<D> * C * C);
        transposed_weight = take(TAPS<D> * C * C);
        skip_weight = take(C * C);
        joined = take(num_nodes * C);
        nodes = reinterpret_cast<int32_t*>(take(num_nodes + GROUP<C>));
        return used;
    }

    void list_nodes() {
        for (int64_t i = 0; i < num_nodes; ++i) {
            int64_t rest = i;
            nodes[i] = shape.origin;
            for (int axis = D - 1; axis >= 0; rest /= shape.side[axis], --axis) {
                nodes[i] += static_cast<int32_t>(rest % shape.side[axis]) * shape.stride[axis];
            }
        }
        std::fill_n(nodes + num_nodes, GROUP<C>, nodes[num_nodes - 1]);
    }
};

// to [C] += row [rows of the matrix] times matrix [rows, C].
template <int C>
void add_product(const float* __restrict row, const float* __restrict matrix, float* __restrict to) {
    for (int r = 0; r < C; ++r) {
        for (int c = 0; c < C; ++c) to[c] += row[r] * matrix[r * C + c];
    }
}

// What a block's last ReLU gives, [V, C]. skipped: what the skip's convolution gave, null: the input itself is added.
template <int C>
void join(const float* __restrict update, const Norm& norm, const float* __restrict input,
          const float* __restrict skipped, const Norm& skip_norm, int64_t count, float* __restrict to) {
    for (int64_t i = 0; i < count * C; i += C) {
        float sum[C], added[C];
        norm.apply<C>(update + i, sum);
        if (skipped == nullptr) {
            std::copy_n(input + i, C, added);
        } else {
            skip_norm.apply<C>(skipped + i, added);
        }
        for (int c = 0; c < C; ++c) {
            const float z = sum[c] + added[c];
            to[i + c] = z < 0 ? 0 : z;
        }
    }
}

// Calls action(node of the halved grid, first of its 2^D nodes in the whole one).
template <int D, typename Action>
void for_halved(const int64_t* size, const Action& action) {
    int64_t count = 1;
    for (int axis = 0; axis < D; ++axis) count *= size[axis] / 2;
    for (int64_t half = 0; half < count; ++half) {
        int64_t rest = half, first = 0, stride = 1;
        for (int axis = D - 1; axis >= 0; --axis) {
            first += rest % (size[axis] / 2) * 2 * stride;
            rest /= size[axis] / 2;
            stride *= size[axis];
        }
        action(half, first);
    }
}

// From the first of a halved node's nodes to each.
template <int D>
std::array<int64_t, 1 << D> corner_offsets(const int64_t* size) {
    std::array<int64_t, 1 << D> offsets{};
    for (int corner = 0; corner < 1 << D; ++corner) {
        int64_t stride = 1;
        for (int axis = D - 1, bit = 0; axis >= 0; --axis, ++bit) {
            offsets[corner] += (corner >> bit & 1) * stride;
            stride *= size[axis];
        }
    }
    return offsets;
}

// halves: [V', C], the largest of neighbours; or, with `mean`, [C].
template <int C, int D>
void finish(const float* __restrict joined, const int64_t* size, int64_t num_nodes, bool mean, float* __restrict to) {
    if (mean) {
        float sum[C] = {};
        for (int64_t i = 0; i < num_nodes; ++i) {
            for (int c = 0; c < C; ++c) sum[c] += joined[i * C + c];
        }
        for (int c = 0; c < C; ++c) to[c] = sum[c] / static_cast<float>(num_nodes);
        return;
    }
    const auto corners = corner_offsets<D>(size);
    for_halved<D>(size, [&](int64_t half, int64_t first) {
        float largest[C] = {};  // nothing is below 0 behind a ReLU
        for (const int64_t corner : corners) {
            const float* row = joined + (first + corner) * C;
            for (int c = 0; c < C; ++c) largest[c] = row[c] <= largest[c] ? largest[c] : row[c];
        }
        std::copy_n(largest, C, to + half * C);
    });
}

// The gradient before the ReLU, [V, C]: of equally large neighbours the first gets it, and where 0 was largest nobody.
template <int C, int D>
void finish_backward(const float* __restrict gradient, const float* __restrict joined, const int64_t* size,
                     int64_t num_nodes, bool mean, float* __restrict to) {
    if (mean) {
        for (int64_t i = 0; i < num_nodes; ++i) {
            for (int c = 0; c < C; ++c) {
                to[i * C + c] = joined[i * C + c] > 0 ? gradient[c] / static_cast<float>(num_nodes) : 0;
            }
        }
        return;
    }
    std::fill_n(to, num_nodes * C, 0.0f);
    const auto corners = corner_offsets<D>(size);
    for_halved<D>(size, [&](int64_t half, int64_t first) {
        float largest[C] = {}, left[C];
        std::copy_n(gradient + half * C, C, left);
        for (const int64_t corner : corners) {
            const float* row = joined + (first + corner) * C;
            for (int c = 0; c < C; ++c) largest[c] = row[c] > largest[c] ? row[c] : largest[c];
        }
        for (const int64_t corner : corners) {
            const float* row = joined + (first + corner) * C;
            for (int c = 0; c < C; ++c) {
                const bool gets = row[c] > 0 && row[c] == largest[c];
                to[(first + corner) * C + c] = gets ? left[c] : 0;
                left[c] = gets ? 0 : left[c];
            }
        }
    });
}
