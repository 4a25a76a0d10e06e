// De-rasterise and its gradients; ops/derasterize says what they mean.
//
// Letters: B batch, H heads, N points, C channels per head, D grid dimension. Heads of clouds are the units of work.
#include <algorithm>

#include "dispatch.h"
#include "threads.h"

extern "C" {

// grid: [B, H, *size, C].
void derasterize_forward(const float* grid, const float* keys, const int64_t* key_strides, const uint8_t* mask,
                         int64_t batch, int64_t heads, int64_t points, int64_t channels, int64_t dimension,
                         const int64_t* size, float* output, const int64_t* output_strides, int64_t num_threads) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        const GridShape<D> shape(size, 0);
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int) {
            const int64_t b = item / heads, h = item % heads;
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            read_grid<C, D>(head, grid + item * shape.nodes * channels, shape, static_cast<int>(channels), false,
                            head_rows(output, output_strides, b, h));
        });
    });
}

// grid_gradient: [B, H, *size, C], any contents.
void derasterize_backward(const float* gradient, const int64_t* gradient_strides, const float* grid, const float* keys,
                          const int64_t* key_strides, const uint8_t* mask, int64_t batch, int64_t heads, int64_t points,
                          int64_t channels, int64_t dimension, const int64_t* size, int64_t balance,
                          float* grid_gradient, float* key_gradient, const int64_t* key_gradient_strides,
                          int64_t num_threads) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        const GridShape<D> shape(size, 0);
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int) {
            const int64_t b = item / heads, h = item % heads, first = item * shape.nodes * channels;
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            const auto to_keys = head_rows(key_gradient, key_gradient_strides, b, h);
            clear_rows<D>(to_keys, points);
            std::fill_n(grid_gradient + first, shape.nodes * channels, 0.0f);
            read_backward<C, D>(head, grid + first, shape, static_cast<int>(channels),
                                head_rows(gradient, gradient_strides, b, h), grid_gradient + first, to_keys);
            finish_key_gradient<D>(head, shape, balance, to_keys);
        });
    });
}

}
