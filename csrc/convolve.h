// The 3x3 (x3) convolution of one head's grid, at chosen nodes only: forward, and both gradients.
//
// Grids are channels-last with a margin of zeros, so a tap is a fixed offset and no node has an edge case. Nodes come as
// a list of *tiles*, `TILE` neighbours in memory: all nodes that some point reads or writes are in it, the others matter
// to nobody. Several tiles go through the taps together, to use each loaded weight more than once and to keep the
// multiply-add units busy. Sums always run in the same order.
//
// Letters: C channels, D grid dimension.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "cells.h"
#include "vectors.h"

constexpr int MARGIN = 1;  // nodes around the grid

// A vector holds one node's channels or some of them, or, where it has room for more, those of TILE neighbours.
template <int C>
constexpr int TILE = C < WIDEST ? WIDEST / C : 1;

// Sums that a tile needs at a time: one for each vector of output channels (at most two at a time), or, where nodes share
// a vector, one for each diagonal of the weight: see `pack_weight`.
template <int C>
constexpr int SUMS = TILE<C> > 1 ? C : C / WIDEST < 2 ? C / WIDEST : 2;

// Tiles that go through the taps together: as many as leave registers for inputs and weights.
template <int C>
constexpr int GROUP = std::min(8, (REGISTERS == 32 ? 16 : 12) / SUMS<C>);

template <int D>
constexpr int TAPS = D == 2 ? 9 : 27;

// Where each tap reads, in nodes from the node that it writes; in the order of the weight's own last axes.
template <int D>
std::array<int, TAPS<D>> tap_offsets(const GridShape<D>& grid) {
    std::array<int, TAPS<D>> offsets;
    for (int tap = 0; tap < TAPS<D>; ++tap) {
        int rest = tap;
        offsets[tap] = 0;
        for (int axis = D - 1; axis >= 0; --axis, rest /= 3) offsets[tap] += (rest % 3 - 1) * grid.stride[axis];
    }
    return offsets;
}

// The taps seen from the node that is read: what the gradient of the input needs.
template <size_t N>
std::array<int, N> negated(std::array<int, N> offsets) {
    for (int& offset : offsets) offset = -offset;
    return offsets;
}

// One head's weight [C out, C in, TAPS] as vectors [TAPS, C, TILE * C]; with input and output exchanged if transposed.
//
// Row r holds what input channel r gives to each output channel, to be multiplied by that input in all lanes. Where nodes
// share a vector, no input would suit all lanes, so row r is a diagonal: what each input channel gives to the output
// channel r before it, in a circle. Then products are taken lane by lane, and only their sums, at the end, move to the
// lanes of their outputs.
template <int C, int D>
void pack_weight(const float* weight, bool transposed, float* packed) {
    for (int tap = 0; tap < TAPS<D>; ++tap) {
        for (int row = 0; row < C; ++row) {
            for (int lane = 0; lane < C * TILE<C>; ++lane) {
                const int from = TILE<C> > 1 ? lane % C : row, to = TILE<C> > 1 ? (lane + C - row) % C : lane;
                const int in = transposed ? to : from, out = transposed ? from : to;
                *packed++ = weight[(out * C + in) * TAPS<D> + tap];
            }
        }
    }
}

template <int C, int... Row>
__attribute__((always_inline)) inline Floats<WIDEST> sum_of_diagonals(const Floats<WIDEST>* sums,
                                                                       std::integer_sequence<int, Row...>) {
    return (rotated<C, Row, WIDEST>(sums[Row], Numbers<WIDEST>()) + ...);
}

// Taps whose weights fit the first level of cache.
template <int C, int D>
constexpr int TAPS_AT_ONCE = C < 16 ? TAPS<D> : C == 16 ? 9 : 3;

// Output channels that a group of tiles computes at a time, counted for all nodes of a tile.
template <int C>
constexpr int COLUMNS = TILE<C> > 1 ? C * TILE<C> : SUMS<C> * WIDEST;

// One group of tiles through some taps: output[tile] = before + sum of weight * input[tile + offset], where `before` is
// `start`, or, if that is null, what the output holds. `packed`, `start` and `output` point to the first of COLUMNS.
template <int C, int D>
__attribute__((always_inline)) inline void convolve_group(const float* input, const int32_t* tiles, const int* offsets,
                                                          const float* packed, const float* start, float* output) {
    using Vector = Floats<WIDEST>;
    constexpr int WIDTH = C * TILE<C>, TOGETHER = GROUP<C>;
    Vector sum[TOGETHER][SUMS<C>] = {};
    const float* from[TOGETHER];
    for (int t = 0; t < TOGETHER; ++t) {
        const int64_t at = static_cast<int64_t>(tiles[t]) * C;
        from[t] = input + at;
        const float* before = start != nullptr ? start : output + at;
        for (int v = 0; v < COLUMNS<C> / WIDEST; ++v) sum[t][v] = load<Vector>(before + v * WIDEST);
    }
    for (int tap = 0; tap < TAPS_AT_ONCE<C, D>; ++tap) {
        const int64_t offset = static_cast<int64_t>(offsets[tap]) * C;
        const float* row = packed + tap * C * WIDTH;
        if constexpr (TILE<C> > 1) {
            Vector tile[TOGETHER];
            for (int t = 0; t < TOGETHER; ++t) tile[t] = load<Vector>(from[t] + offset);
            for (int r = 0; r < C; ++r) {
                const auto weight = in_register(load<Vector>(row + r * WIDTH));
                for (int t = 0; t < TOGETHER; ++t) sum[t][r] += tile[t] * weight;
            }
        } else {
            for (int in = 0; in < C; ++in) {
                Vector weight[SUMS<C>];
                for (int v = 0; v < SUMS<C>; ++v) {
                    weight[v] = in_register(load<Vector>(row + in * WIDTH + v * WIDEST));
                }
                for (int t = 0; t < TOGETHER; ++t) {
                    const float value = from[t][offset + in];
                    for (int v = 0; v < SUMS<C>; ++v) sum[t][v] += value * weight[v];
                }
            }
        }
    }
    for (int t = 0; t < TOGETHER; ++t) {
        float* to = output + static_cast<int64_t>(tiles[t]) * C;
        if constexpr (TILE<C> > 1) {
            store(to, sum_of_diagonals<C>(sum[t], Numbers<C>()));
        } else {
            for (int v = 0; v < SUMS<C>; ++v) store(to + v * WIDEST, sum[t][v]);
        }
    }
}

// output[tile] = bias + sum over taps of weight * input[tile + offset], for all tiles; their number is padded to full
// groups by the caller, with tiles that may repeat.
template <int C, int D>
void convolve(const float* input, const int32_t* tiles, int64_t num_tiles, const std::array<int, TAPS<D>>& offsets,
              const float* packed, const float* bias, float* output) {
    constexpr int WIDTH = C * TILE<C>;
    float start[WIDTH] = {};
    if (bias != nullptr) {
        for (int lane = 0; lane < WIDTH; ++lane) start[lane] = bias[lane % C];
    }
    for (int tap = 0; tap < TAPS<D>; tap += TAPS_AT_ONCE<C, D>) {
        for (int column = 0; column < WIDTH; column += COLUMNS<C>) {
            for (int64_t first = 0; first < num_tiles; first += GROUP<C>) {
                convolve_group<C, D>(input, tiles + first, offsets.data() + tap, packed + tap * C * WIDTH + column,
                                     tap == 0 ? start + column : nullptr, output + column);
            }
        }
    }
}

// Adds the products of a tile's input channels, `row` and those behind it, with three vectors of the gradient. An input
// channel takes all lanes; where nodes share a vector, all channels pass each other in as many rotations.
template <int C, int... Row>
__attribute__((always_inline)) inline void add_products(const float* tile, int row, const Floats<WIDEST> (&out)[3],
                                                        Floats<WIDEST> (*sum)[3], std::integer_sequence<int, Row...>) {
    using Vector = Floats<WIDEST>;
    auto add = [&](auto in, int r) __attribute__((always_inline)) {
        for (int side = 0; side < 3; ++side) sum[r][side] += in * out[side];
    };
    if constexpr (TILE<C> > 1) {
        const auto whole = load<Vector>(tile);
        (add(rotated<C, Row, WIDEST>(whole, Numbers<WIDEST>()), Row), ...);
    } else {
        (add(tile[row + Row], Row), ...);
    }
}

// Adds to result [TAPS, C in, C out] the sum over nodes of input[node] (x) gradient[node - offset]. Tiles are each listed
// once here, without padding. Outside of the tiles input and gradient must be 0. Three taps at a time share the input, and
// chunks of tiles stay in the first level of cache until all taps and channels have seen them.
template <int C, int D>
void add_weight_gradient(const float* input, const float* gradient, const int32_t* tiles, int64_t num_tiles,
                         const std::array<int, TAPS<D>>& offsets, float* result) {
    using Vector = Floats<WIDEST>;
    constexpr int WIDTH = C * TILE<C>, CHUNK = 2048 / WIDTH;
    constexpr int ROWS = std::min(C, REGISTERS / 4);  // input channels at a time
    for (int64_t begin = 0; begin < num_tiles; begin += CHUNK) {
        const int64_t end = std::min(begin + CHUNK, num_tiles);
        for (int tap = 0; tap < TAPS<D>; tap += 3) {
            for (int row = 0; row < C; row += ROWS) {
                for (int column = 0; column < WIDTH; column += WIDEST) {
                    Vector sum[ROWS][3] = {};
                    for (int64_t i = begin; i < end; ++i) {
                        const int64_t at = static_cast<int64_t>(tiles[i]) * C;
                        Vector out[3];
                        for (int side = 0; side < 3; ++side) {
                            const int64_t offset = static_cast<int64_t>(offsets[tap + side]) * C;
                            out[side] = in_register(load<Vector>(gradient + at - offset + column));
                        }
                        add_products<C>(input + at, row, out, sum, Numbers<ROWS>());
                    }
                    for (int side = 0; side < 3; ++side) {
                        for (int r = 0; r < ROWS; ++r) {
                            for (int lane = 0; lane < WIDEST; ++lane) {
                                const int out_channel = (column + lane) % C;
                                const int in_channel = TILE<C> > 1 ? (lane + r) % C : row + r;
                                result[((tap + side) * C + in_channel) * C + out_channel] += sum[r][side][lane];
                            }
                        }
                    }
                }
            }
        }
    }
}

// Adds to result [C] the sum of the gradient over all tiles, each listed once.
template <int C>
void add_bias_gradient(const float* gradient, const int32_t* tiles, int64_t num_tiles, float* result) {
    for (int64_t i = 0; i < num_tiles; ++i) {
        const float* at = gradient + static_cast<int64_t>(tiles[i]) * C;
        for (int lane = 0; lane < C * TILE<C>; ++lane) result[lane % C] += at[lane];
    }
}
