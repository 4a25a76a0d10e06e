// The cloud transform of one head after another, each in cache from rasterising through convolution to reading back;
// ops/transform says what it means. The backward pass computes the grids again, so nothing but the inputs is kept.
//
// Letters: B batch, H heads, N points, C channels per head (4, 8, 16 or 32), D grid dimension.
#include <algorithm>

#include "convolve.h"
#include "dispatch.h"
#include "threads.h"

namespace {

constexpr int64_t LINE = 16;   // floats of a cache line
constexpr int64_t SLACK = 4;   // nodes before and after a grid: a tile may begin before it and end behind it

int64_t rounded(int64_t count) { return (count + LINE - 1) / LINE * LINE; }

// The grids and lists of one head, in one block of memory that a thread uses again for its next head.
template <int C, int D>
struct Workspace {
    GridShape<D> shape;
    std::array<int, TAPS<D>> offsets;
    float *input, *output, *gradient;  // [nodes, C] each, with SLACK on both sides
    int32_t *count, *tiles;
    uint8_t* touched;
    float *weight, *transposed_weight;
    int64_t num_tiles = 0;

    Workspace(const int64_t* size, float* memory) : shape(size, MARGIN), offsets(tap_offsets(shape)) { lay_out(memory); }

    static int64_t num_floats(const int64_t* size) { return Workspace(size, nullptr).lay_out(nullptr); }

    void clear(bool with_gradient) {
        std::fill_n(input - SLACK * C, grid_floats(), 0.0f);
        std::fill_n(touched, shape.nodes + SLACK, uint8_t{0});
        if (with_gradient) std::fill_n(gradient - SLACK * C, grid_floats(), 0.0f);
    }

    void rasterize(const HeadPoints<D>& points, Rows<const float> values, Reduce reduce) {
        mark_corners<D>(points, shape, touched);
        if (reduce == Reduce::Max) {
            splat_max<C, D>(points, values, shape, C, input, nullptr);
        } else {
            splat_sum<C, D>(points, values, shape, C, input);
        }
        if (reduce == Reduce::Mean) {
            std::fill_n(count, shape.nodes, 0);
            count_points<D>(points, shape, count);
            divide_by_count(input, count, shape.nodes, C);
        }
        list_tiles();
    }

    void convolve_forward(const float* bias) {
        convolve<C, D>(input, tiles, num_tiles, offsets, weight, bias, output);
    }

    // Into `output`, whose values are no longer needed by then.
    void convolve_backward() {
        convolve<C, D>(gradient, tiles, num_tiles, negated(offsets), transposed_weight, nullptr, output);
    }

  private:
    int64_t grid_floats() const { return (shape.nodes + 2 * SLACK) * C; }

    int64_t lay_out(float* memory) {
        int64_t used = 0;
        auto take = [&](int64_t floats) {
            float* part = memory == nullptr ? nullptr : memory + used;
            used += rounded(floats);
            return part;
        };
        auto take_grid = [&] {
            float* grid = take(grid_floats());
            return grid == nullptr ? nullptr : grid + SLACK * C;
        };
        input = take_grid();
        output = take_grid();
        gradient = take_grid();
        weight = take(TAPS<D> * C * C * TILE<C>);
        transposed_weight = take(TAPS<D> * C * C * TILE<C>);
        count = reinterpret_cast<int32_t*>(take(shape.nodes));
        tiles = reinterpret_cast<int32_t*>(take(shape.nodes + GROUP));
        touched = reinterpret_cast<uint8_t*>(take((shape.nodes + SLACK) / sizeof(float) + 1));
        return used;
    }

    void list_tiles() {
        num_tiles = 0;
        for (int64_t node = 0; node < shape.nodes; node += TILE<C>) {
            bool is_touched = touched[node];
            for (int next = 1; next < TILE<C>; ++next) is_touched |= touched[node + next];
            tiles[num_tiles] = static_cast<int32_t>(node);
            num_tiles += is_touched;
        }
        for (int i = 0; i < GROUP; ++i) tiles[num_tiles + i] = num_tiles > 0 ? tiles[num_tiles - 1] : 0;
    }
};

// Calls action(C, D) for the channel counts that there are kernels for.
template <typename Action>
void with_channels(int64_t channels, int64_t dimension, const Action& action) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        if constexpr (decltype(c)::value != 0) action(c, d);
    });
}

}  // namespace

extern "C" {

// Floats of scratch memory that each thread needs.
void transform_scratch(int64_t channels, int64_t dimension, const int64_t* size, int64_t* num_floats, int64_t) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        *num_floats = Workspace<decltype(c)::value, decltype(d)::value>::num_floats(size);
    });
}

// weight: [H, C out, C in, TAPS], bias: [H, C], contiguous.
void transform_forward(const float* values, const int64_t* value_strides, const float* keys, const int64_t* key_strides,
                       const uint8_t* mask, const float* weight, const float* bias, int64_t batch, int64_t heads,
                       int64_t points, int64_t channels, int64_t dimension, const int64_t* size, int64_t reduce,
                       int64_t relu, float* output, const int64_t* output_strides, float* scratch, int64_t scratch_per_thread,
                       int64_t num_threads) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int worker) {
            const int64_t h = item / batch, b = item % batch;
            Workspace<C, D> work(size, scratch + worker * scratch_per_thread);
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            pack_weight<C, D>(weight + h * C * C * TAPS<D>, false, work.weight);
            work.clear(false);
            work.rasterize(head, head_rows(values, value_strides, b, h), static_cast<Reduce>(reduce));
            work.convolve_forward(bias + h * C);
            read_grid<C, D>(head, work.output, work.shape, C, relu, head_rows(output, output_strides, b, h));
        });
    });
}

// weight_gradient: [chunks, H, TAPS, C in, C out], bias_gradient: [chunks, H, C], both zeros: the clouds of the batch are
// split into chunks, of which each adds up its clouds in order. The sum over chunks is left to the caller.
void transform_backward(const float* gradient, const int64_t* gradient_strides, const float* values,
                        const int64_t* value_strides, const float* keys, const int64_t* key_strides,
                        const uint8_t* mask, const float* weight, const float* bias, int64_t batch, int64_t heads,
                        int64_t points, int64_t channels, int64_t dimension, const int64_t* size, int64_t reduce,
                        int64_t balance, float* value_gradient, const int64_t* value_gradient_strides,
                        float* key_gradient, const int64_t* key_gradient_strides, float* weight_gradient,
                        float* bias_gradient, int64_t chunks, float* scratch, int64_t scratch_per_thread,
                        int64_t num_threads) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        parallel_for(chunks * heads, static_cast<int>(num_threads), [&](int64_t item, int worker) {
            const int64_t chunk = item / heads, h = item % heads;
            Workspace<C, D> work(size, scratch + worker * scratch_per_thread);
            pack_weight<C, D>(weight + h * C * C * TAPS<D>, false, work.weight);
            pack_weight<C, D>(weight + h * C * C * TAPS<D>, true, work.transposed_weight);
            for (int64_t b = batch * chunk / chunks; b < batch * (chunk + 1) / chunks; ++b) {
                const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
                const auto rows = head_rows(values, value_strides, b, h);
                const auto to_keys = head_rows(key_gradient, key_gradient_strides, b, h);
                work.clear(true);
                clear_rows<D>(to_keys, points);
                work.rasterize(head, rows, static_cast<Reduce>(reduce));
                work.convolve_forward(bias + h * C);
                read_backward<C, D>(head, work.output, work.shape, C, head_rows(gradient, gradient_strides, b, h),
                                    work.gradient, to_keys);
                add_bias_gradient<C>(work.gradient, work.tiles, work.num_tiles, bias_gradient + item * C);
                add_weight_gradient<C, D>(work.input, work.gradient, work.tiles, work.num_tiles, work.offsets,
                                          weight_gradient + item * TAPS<D> * C * C);
                work.convolve_backward();
                if (static_cast<Reduce>(reduce) == Reduce::Mean) {
                    divide_by_count(work.output, work.count, work.shape.nodes, C);
                }
                auto splat = static_cast<Reduce>(reduce) == Reduce::Max ? splat_backward<C, D, Heir::Largest>
                                                                        : splat_backward<C, D, Heir::Everyone>;
                splat(head, rows, work.shape, C, work.output, nullptr, work.input,
                      head_rows(value_gradient, value_gradient_strides, b, h), to_keys);
                finish_key_gradient<D>(head, work.shape, balance, to_keys);
            }
        });
    });
}

}
