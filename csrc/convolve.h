// The 3x3 (x3) convolution of one head's grid, at chosen nodes only: forward, and both gradients.
//
// Grids are channels-last with a margin of zeros, so a tap is a fixed offset and no node has an edge case. Nodes come as
// a list of *tiles*, `TILE` neighbours in memory: all nodes that some point reads or writes are in it, the others matter
// to nobody. Several tiles go through the taps together, to use each loaded weight more than once and to keep the
// multiply-add units busy. Sums run over taps, then input channels, always in the same order.
//
// Letters: C channels, D grid dimension.
#pragma once

#include <array>
#include <cstdint>

#include "cells.h"
#include "vectors.h"

#ifdef __AVX512F__
constexpr int GROUP = 8;  // tiles at a time: 32 vector registers
#else
constexpr int GROUP = 4;
#endif

constexpr int MARGIN = 1;  // nodes around the grid

// Four channels fill a quarter of a vector, so four neighbours share one.
template <int C>
constexpr int TILE = C == 4 ? 4 : 1;

template <int C>
constexpr int WIDE = C * TILE<C> < 16 ? C * TILE<C> : 16;  // lanes of the vectors used here

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

// One head's weight [C out, C in, TAPS] as rows of output channels [TAPS, C in, TILE * C out], or, transposed, of input
// channels [TAPS, C out, TILE * C in]. A row repeats its channels for every node of a tile.
template <int C, int D>
void pack_weight(const float* weight, bool transposed, float* packed) {
    for (int row = 0; row < C; ++row) {
        for (int tap = 0; tap < TAPS<D>; ++tap) {
            float* to = packed + (tap * C + row) * C * TILE<C>;
            for (int column = 0; column < C; ++column) {
                const int out = transposed ? row : column, in = transposed ? column : row;
                to[column] = weight[(out * C + in) * TAPS<D> + tap];
            }
            for (int lane = C; lane < C * TILE<C>; ++lane) to[lane] = to[lane % C];
        }
    }
}

#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(vector, ...) __builtin_shufflevector(vector, vector, __VA_ARGS__)
#else
#define SHUFFLE(vector, ...) __builtin_shuffle(vector, typename VectorOf<16>::Ints{__VA_ARGS__})
#endif

// Of four nodes with four channels each: channel `Channel` of every node, in all of that node's lanes.
template <int Channel>
inline Floats<16> spread(Floats<16> tile) {
    constexpr int a = Channel, b = 4 + Channel, c = 8 + Channel, d = 12 + Channel;
    return SHUFFLE(tile, a, a, a, a, b, b, b, b, c, c, c, c, d, d, d, d);
}

// output[tile] = bias + sum over taps of weight * input[tile + offset], for all tiles; their number is padded to full
// groups by the caller, with tiles that may repeat.
template <int C, int D>
void convolve(const float* input, const int32_t* tiles, int64_t num_tiles, const std::array<int, TAPS<D>>& offsets,
              const float* packed, const float* bias, float* output) {
    using Vector = Floats<WIDE<C>>;
    constexpr int VECTORS = C * TILE<C> / WIDE<C>;  // per tile
    float start[C * TILE<C>] = {};
    if (bias != nullptr) {
        for (int lane = 0; lane < C * TILE<C>; ++lane) start[lane] = bias[lane % C];
    }
    for (int64_t first = 0; first < num_tiles; first += GROUP) {
        Vector sum[GROUP][VECTORS];
        const float* from[GROUP];
        for (int t = 0; t < GROUP; ++t) {
            from[t] = input + static_cast<int64_t>(tiles[first + t]) * C;
            for (int v = 0; v < VECTORS; ++v) sum[t][v] = load<Vector>(start + v * WIDE<C>);
        }
        for (int tap = 0; tap < TAPS<D>; ++tap) {
            const int64_t offset = static_cast<int64_t>(offsets[tap]) * C;
            const float* row = packed + static_cast<int64_t>(tap) * C * C * TILE<C>;
            if constexpr (TILE<C> == 4) {
                const auto weight0 = load<Vector>(row), weight1 = load<Vector>(row + 16);
                const auto weight2 = load<Vector>(row + 32), weight3 = load<Vector>(row + 48);
                for (int t = 0; t < GROUP; ++t) {
                    const auto tile = load<Vector>(from[t] + offset);
                    sum[t][0] += spread<0>(tile) * weight0;
                    sum[t][0] += spread<1>(tile) * weight1;
                    sum[t][0] += spread<2>(tile) * weight2;
                    sum[t][0] += spread<3>(tile) * weight3;
                }
            } else {
                for (int in = 0; in < C; ++in) {
                    for (int v = 0; v < VECTORS; ++v) {
                        const auto weight = load<Vector>(row + in * C + v * WIDE<C>);
                        for (int t = 0; t < GROUP; ++t) sum[t][v] += from[t][offset + in] * weight;
                    }
                }
            }
        }
        for (int t = 0; t < GROUP; ++t) {
            float* to = output + static_cast<int64_t>(tiles[first + t]) * C;
            for (int v = 0; v < VECTORS; ++v) store(to + v * WIDE<C>, sum[t][v]);
        }
    }
}

// Adds to result [TAPS, C in, C out] the sum over nodes of input[node + offset] (x) gradient[node]. Tiles are each listed
// once here, without padding. Outside of the tiles input and gradient must be 0.
template <int C, int D>
void add_weight_gradient(const float* input, const float* gradient, const int32_t* tiles, int64_t num_tiles,
                         const std::array<int, TAPS<D>>& offsets, float* result) {
    using Vector = Floats<WIDE<C>>;
    if constexpr (TILE<C> == 4) {  // three taps at a time, which share the spread-out input
        for (int tap = 0; tap < TAPS<D>; tap += 3) {
            Vector sum[3][4] = {};
            for (int64_t i = 0; i < num_tiles; ++i) {
                const int64_t at = static_cast<int64_t>(tiles[i]) * C;
                const auto tile = load<Vector>(input + at);
                const Vector in[4] = {spread<0>(tile), spread<1>(tile), spread<2>(tile), spread<3>(tile)};
                for (int side = 0; side < 3; ++side) {
                    const auto out = load<Vector>(gradient + at - static_cast<int64_t>(offsets[tap + side]) * C);
                    for (int c = 0; c < 4; ++c) sum[side][c] += in[c] * out;
                }
            }
            for (int side = 0; side < 3; ++side) {
                for (int lane = 0; lane < 64; ++lane) {
                    const int in = lane / 16, out = lane % 4;
                    result[((tap + side) * C + in) * C + out] += sum[side][in][lane % 16];
                }
            }
        }
    } else {
        constexpr int VECTORS = C / WIDE<C>;
        constexpr int ROWS = GROUP * 2 / VECTORS < C ? GROUP * 2 / VECTORS : C;  // input channels at a time
        for (int tap = 0; tap < TAPS<D>; ++tap) {
            const int64_t offset = static_cast<int64_t>(offsets[tap]) * C;
            for (int row = 0; row < C; row += ROWS) {
                Vector sum[ROWS][VECTORS] = {};
                for (int64_t i = 0; i < num_tiles; ++i) {
                    const int64_t at = static_cast<int64_t>(tiles[i]) * C;
                    const float* in = input + at + offset + row;
                    for (int v = 0; v < VECTORS; ++v) {
                        const auto out = load<Vector>(gradient + at + v * WIDE<C>);
                        for (int r = 0; r < ROWS; ++r) sum[r][v] += in[r] * out;
                    }
                }
                for (int r = 0; r < ROWS; ++r) {
                    for (int v = 0; v < VECTORS; ++v) {
                        float* to = result + (tap * C + row + r) * C + v * WIDE<C>;
                        store(to, Vector(load<Vector>(to) + sum[r][v]));
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
