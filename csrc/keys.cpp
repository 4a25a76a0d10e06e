// Keys from positions and residuals, and their gradients; ops/keys says what they mean.
//
// Letters: B batch, H heads, N points, D grid dimension. Blocks of points are the units of work.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "threads.h"
#include "vectors.h"

namespace {

constexpr int BLOCK = 128;  // points that are summed up together

using Vector = Floats<WIDEST>;

// tanh by way of exp, to about one unit in the last place of 1: vectorises, unlike the standard library's.
inline float fast_tanh(float x) {
    const float magnitude = x < 0 ? -x : x;
    const float y = magnitude > 9 ? 18 : 2 * magnitude;  // beyond 9, tanh is 1 in single precision
    constexpr float ROUNDER = 12582912;                  // 1.5 * 2^23: adding it rounds to an integer
    const float rounded = y * 1.44269504f + ROUNDER;
    const float power = rounded - ROUNDER;
    const float r = (y - power * 0.693145752f) - power * 1.42860677e-6f;
    const float tail = 1 / 24.f + r * (1 / 120.f + r * (1 / 720.f + r * (1 / 5040.f)));
    const float fraction = 1 + r * (1 + r * (0.5f + r * (1 / 6.f + r * tail)));
    int32_t bits, zero_bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    std::memcpy(&zero_bits, &ROUNDER, sizeof bits);
    bits = (bits - zero_bits + 127) << 23;
    float scale;
    std::memcpy(&scale, &bits, sizeof bits);
    const float result = 1 - 2 / (fraction * scale + 1);
    return x < 0 ? -result : result;
}

struct Sizes {
    int64_t heads, points, dimension;
    int64_t blocks() const { return (points + BLOCK - 1) / BLOCK; }  // per cloud
};

// What is added to positions: [B, N, 3 H] with strides {b, n}, or null: nothing. affine: centre, scale and shift
// [3, G, 3 H] to be applied to them first, G being 1 or B; or null.
struct Residuals {
    const float* first;
    const int64_t* strides;
    const float* affine;
    int64_t groups;
};

// One head's points of one block, axis by axis: position + residual + shift.
struct BlockOfPoints {
    int64_t b, begin;
    int count;
    float at[3][BLOCK] = {};  // 0 behind `count`

    BlockOfPoints(const Sizes& sizes, int64_t item)
        : b(item / sizes.blocks()),
          begin(item % sizes.blocks() * BLOCK),
          count(static_cast<int>(std::min<int64_t>(BLOCK, sizes.points - begin))) {}

    void gather(const Sizes& sizes, const float* positions, const Residuals& residuals, const float* shift,
                int64_t head) {
        for (int axis = 0; axis < 3; ++axis) {
            const float* p = positions + (b * sizes.points + begin) * 3 + axis;
            const float moved = shift[head * 3 + axis];
            for (int i = 0; i < count; ++i) at[axis][i] = p[i * 3] + moved;
            if (residuals.first == nullptr) continue;
            const float* r = residuals.first + b * residuals.strides[0] + begin * residuals.strides[1] + head * 3 + axis;
            const int64_t stride = residuals.strides[1];
            if (residuals.affine == nullptr) {
                for (int i = 0; i < count; ++i) at[axis][i] += r[i * stride];
            } else {
                const int64_t all = residuals.groups * sizes.heads * 3;
                const float* centre =
                    residuals.affine + (residuals.groups > 1 ? b : 0) * sizes.heads * 3 + head * 3 + axis;
                const float m = centre[0], a = centre[all], s = centre[2 * all];
                for (int i = 0; i < count; ++i) at[axis][i] += (r[i * stride] - m) * a + s;
            }
        }
    }
};

}  // namespace

extern "C" {

// positions: [B, N, 3], residuals: see above, shift: [H, 3], matrix: [H, 3, D],
// keys: [B, H, N, D] = tanh(gain * (position + residual + shift) matrix).
void keys_forward(const float* positions, const float* residuals, const int64_t* residual_strides, const float* affine,
                  int64_t groups, const float* shift, const float* matrix, int64_t batch, int64_t heads, int64_t points, int64_t dimension, double gain,
                  float* keys, int64_t num_threads) {
    const Sizes sizes{heads, points, dimension};
    const auto factor = static_cast<float>(gain);
    parallel_for(batch * sizes.blocks(), static_cast<int>(num_threads), [&](int64_t item, int) {
        BlockOfPoints block(sizes, item);
        float squashed[BLOCK];
        for (int64_t h = 0; h < heads; ++h) {
            block.gather(sizes, positions, {residuals, residual_strides, affine, groups}, shift, h);
            float* to = keys + ((block.b * heads + h) * points + block.begin) * dimension;
            for (int64_t d = 0; d < dimension; ++d) {
                const float* m = matrix + h * 3 * dimension + d;
                const float m0 = m[0], m1 = m[dimension], m2 = m[2 * dimension];
                for (int i = 0; i < BLOCK; ++i) {  // what lies behind `count` is computed and not used
                    const float key = block.at[0][i] * m0 + block.at[1][i] * m1 + block.at[2][i] * m2;
                    squashed[i] = fast_tanh(factor * key);
                }
                for (int i = 0; i < block.count; ++i) to[i * dimension + d] = squashed[i];
            }
        }
    });
}

// slope: the derivative of a key before squashing is slope (1 - key^2). sums: [B * blocks, H, 3 (1 + D)], for each block
// the gradients of shift and matrix. position_gradient: [B, N, 3]. residual_gradient: [B, N, 3 H] with strides {b, n}, of
// what `affine` gives.
void keys_backward(const float* gradient, const int64_t* gradient_strides, const float* keys, const float* positions,
                   const float* residuals, const int64_t* residual_strides, const float* affine, int64_t groups,
                   const float* shift, const float* matrix, int64_t batch, int64_t heads, int64_t points,
                   int64_t dimension, double slope, float* position_gradient, float* residual_gradient,
                   const int64_t* residual_gradient_strides, float* shift_gradient, float* matrix_gradient,
                   float* sums, int64_t num_threads) {
    const Sizes sizes{heads, points, dimension};
    const auto factor = static_cast<float>(slope);
    parallel_for(batch * sizes.blocks(), static_cast<int>(num_threads), [&](int64_t item, int) {
        BlockOfPoints block(sizes, item);
        float* to_positions = position_gradient + (block.b * points + block.begin) * 3;
        std::fill_n(to_positions, block.count * 3, 0.0f);
        for (int64_t h = 0; h < heads; ++h) {
            block.gather(sizes, positions, {residuals, residual_strides, affine, groups}, shift, h);
            const float* key = keys + ((block.b * heads + h) * points + block.begin) * dimension;
            const float* arrived = gradient + block.b * gradient_strides[0] + h * gradient_strides[1];
            float* sum = sums + (item * heads + h) * 3 * (1 + dimension);
            float to_key[3][BLOCK] = {}, to_point[3][BLOCK];
            for (int64_t d = 0; d < dimension; ++d) {
                const float* g = arrived + block.begin * gradient_strides[2] + d;
                for (int i = 0; i < block.count; ++i) {
                    const float k = key[i * dimension + d];
                    to_key[d][i] = g[i * gradient_strides[2]] * factor * (1 - k * k);
                }
            }
            for (int axis = 0; axis < 3; ++axis) {
                const float* m = matrix + (h * 3 + axis) * dimension;
                Vector total{}, products[3] = {};
                for (int i = 0; i < BLOCK; i += WIDEST) {
                    const auto at = load<Vector>(block.at[axis] + i);
                    Vector moved{};
                    for (int64_t d = 0; d < dimension; ++d) {
                        const auto g = load<Vector>(to_key[d] + i);
                        moved += g * m[d];
                        products[d] += g * at;
                    }
                    store(to_point[axis] + i, moved);
                    total += moved;
                }
                sum[axis] = sum_lanes<WIDEST>(total);
                for (int64_t d = 0; d < dimension; ++d) sum[3 + axis * dimension + d] = sum_lanes<WIDEST>(products[d]);
            }
            for (int i = 0; i < block.count; ++i) {
                for (int axis = 0; axis < 3; ++axis) to_positions[i * 3 + axis] += to_point[axis][i];
            }
            if (residual_gradient == nullptr) continue;
            float* to_residuals = residual_gradient + block.b * residual_gradient_strides[0] + h * 3;
            for (int i = 0; i < block.count; ++i) {
                float* to = to_residuals + (block.begin + i) * residual_gradient_strides[1];
                for (int axis = 0; axis < 3; ++axis) to[axis] = to_point[axis][i];
            }
        }
    });
    for (int64_t h = 0; h < heads; ++h) {
        for (int64_t i = 0; i < 3 * (1 + dimension); ++i) {
            double total = 0;
            for (int64_t block = 0; block < batch * sizes.blocks(); ++block) {
                total += sums[(block * heads + h) * 3 * (1 + dimension) + i];
            }
            float* to = i < 3 ? shift_gradient + h * 3 + i : matrix_gradient + h * 3 * dimension + i - 3;
            *to = static_cast<float>(total);
        }
    }
}

}
