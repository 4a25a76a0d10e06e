// Keys from positions and residuals, and their gradients; ops/keys says what they mean.
//
// Letters: B batch, H heads, N points, D grid dimension. Blocks of points are the units of work.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "threads.h"

namespace {

constexpr int BLOCK = 128;  // points that are summed up together

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

// One head's points of one block, axis by axis: position + residual + shift.
struct BlockOfPoints {
    int64_t b, begin;
    int count;
    float at[3][BLOCK];

    BlockOfPoints(const Sizes& sizes, int64_t item)
        : b(item / sizes.blocks()),
          begin(item % sizes.blocks() * BLOCK),
          count(static_cast<int>(std::min<int64_t>(BLOCK, sizes.points - begin))) {}

    void gather(const Sizes& sizes, const float* positions, const float* residuals, const int64_t* residual_strides,
                const float* shift, int64_t head) {
        for (int i = 0; i < count; ++i) {
            const int64_t n = begin + i;
            const float* p = positions + (b * sizes.points + n) * 3;
            const float* r = residuals + b * residual_strides[0] + n * residual_strides[1] + head * 3;
            for (int axis = 0; axis < 3; ++axis) {
                at[axis][i] = p[axis] + shift[head * 3 + axis] + (residuals == nullptr ? 0 : r[axis]);
            }
        }
    }
};

}  // namespace

extern "C" {

// positions: [B, N, 3], residuals: [B, N, 3 H] with strides {b, n} or null, shift: [H, 3], matrix: [H, 3, D],
// keys: [B, H, N, D] = tanh(gain * (position + residual + shift) matrix).
void keys_forward(const float* positions, const float* residuals, const int64_t* residual_strides, const float* shift,
                  const float* matrix, int64_t batch, int64_t heads, int64_t points, int64_t dimension, double gain,
                  float* keys, int64_t num_threads) {
    const Sizes sizes{heads, points, dimension};
    const auto factor = static_cast<float>(gain);
    parallel_for(batch * sizes.blocks(), static_cast<int>(num_threads), [&](int64_t item, int) {
        BlockOfPoints block(sizes, item);
        float squashed[BLOCK];
        for (int64_t h = 0; h < heads; ++h) {
            block.gather(sizes, positions, residuals, residual_strides, shift, h);
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
// the gradients of shift and matrix; the caller adds them up. position_gradient: [B, N, 3].
void keys_backward(const float* gradient, const int64_t* gradient_strides, const float* keys, const float* positions,
                   const float* residuals, const int64_t* residual_strides, const float* shift, const float* matrix,
                   int64_t batch, int64_t heads, int64_t points, int64_t dimension, double slope,
                   float* position_gradient, float* residual_gradient, float* sums, int64_t num_threads) {
    const Sizes sizes{heads, points, dimension};
    const auto factor = static_cast<float>(slope);
    parallel_for(batch * sizes.blocks(), static_cast<int>(num_threads), [&](int64_t item, int) {
        BlockOfPoints block(sizes, item);
        float* to_positions = position_gradient + (block.b * points + block.begin) * 3;
        std::fill_n(to_positions, block.count * 3, 0.0f);
        for (int64_t h = 0; h < heads; ++h) {
            block.gather(sizes, positions, residuals, residual_strides, shift, h);
            const float* key = keys + ((block.b * heads + h) * points + block.begin) * dimension;
            const float* arrived = gradient + block.b * gradient_strides[0] + h * gradient_strides[1];
            float* sum = sums + (item * heads + h) * 3 * (1 + dimension);
            std::fill_n(sum, 3 * (1 + dimension), 0.0f);
            for (int i = 0; i < block.count; ++i) {
                float to_point[3] = {};
                for (int64_t d = 0; d < dimension; ++d) {
                    const float k = key[i * dimension + d];
                    const float g = arrived[(block.begin + i) * gradient_strides[2] + d] * factor * (1 - k * k);
                    for (int axis = 0; axis < 3; ++axis) {
                        to_point[axis] += g * matrix[(h * 3 + axis) * dimension + d];
                        sum[3 + axis * dimension + d] += g * block.at[axis][i];
                    }
                }
                for (int axis = 0; axis < 3; ++axis) {
                    sum[axis] += to_point[axis];
                    to_positions[i * 3 + axis] += to_point[axis];
                    if (residual_gradient != nullptr) {
                        residual_gradient[((block.b * points + block.begin + i) * heads + h) * 3 + axis] = to_point[axis];
                    }
                }
            }
        }
    });
}

}
