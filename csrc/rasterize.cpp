// Rasterise and its gradients; ops/rasterize says what they mean.
//
// Letters: B batch, H heads, N points, C channels per head, D grid dimension. Heads of clouds are the units of work.
#include <algorithm>

#include "dispatch.h"
#include "threads.h"

extern "C" {

// grid: [B, H, *size, C], any contents. note: winners (max) or counts (mean), as the reference has them.
void rasterize_forward(const float* values, const int64_t* value_strides, const float* keys, const int64_t* key_strides,
                       const uint8_t* mask, int64_t batch, int64_t heads, int64_t points, int64_t channels,
                       int64_t dimension, const int64_t* size, int64_t reduce, float* grid, int32_t* note,
                       int64_t num_threads) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        const GridShape<D> shape(size, 0);
        const int num_channels = static_cast<int>(channels);
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int) {
            const int64_t b = item / heads, h = item % heads;
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            const auto rows = head_rows(values, value_strides, b, h);
            float* head_grid = grid + item * shape.nodes * channels;
            std::fill_n(head_grid, shape.nodes * channels, 0.0f);
            if (static_cast<Reduce>(reduce) == Reduce::Max) {
                int32_t* winner = note + item * shape.nodes * channels;
                std::fill_n(winner, shape.nodes * channels, NOBODY);
                splat_max<C, D>(head, rows, shape, num_channels, head_grid, winner);
                return;
            }
            splat_sum<C, D>(head, rows, shape, num_channels, head_grid);
            if (static_cast<Reduce>(reduce) == Reduce::Mean) {
                int32_t* count = note + item * shape.nodes;
                std::fill_n(count, shape.nodes, 0);
                count_points<D>(head, shape, count);
                divide_by_count(head_grid, count, shape.nodes, num_channels);
            }
        });
    });
}

// grid_gradient: [B, H, *size, C], for mean already divided by the counts.
void rasterize_backward(const float* grid_gradient, const float* values, const int64_t* value_strides,
                        const float* keys, const int64_t* key_strides, const uint8_t* mask, int64_t batch,
                        int64_t heads, int64_t points, int64_t channels, int64_t dimension, const int64_t* size,
                        int64_t balance, const int32_t* winner, float* value_gradient,
                        const int64_t* value_gradient_strides, float* key_gradient,
                        const int64_t* key_gradient_strides, int64_t num_threads) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        const GridShape<D> shape(size, 0);
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int) {
            const int64_t b = item / heads, h = item % heads, first = item * shape.nodes * channels;
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            const auto to_keys = head_rows(key_gradient, key_gradient_strides, b, h);
            clear_rows<D>(to_keys, points);
            auto splat = winner == nullptr ? splat_backward<C, D, Heir::Everyone> : splat_backward<C, D, Heir::Winner>;
            splat(head, head_rows(values, value_strides, b, h), shape, static_cast<int>(channels),
                  grid_gradient + first, winner == nullptr ? nullptr : winner + first, nullptr,
                  head_rows(value_gradient, value_gradient_strides, b, h), to_keys);
            finish_key_gradient<D>(head, shape, balance, to_keys);
        });
    });
}

}
