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

// (value - centre) * scale + shift, for each channel of one head; null: values are taken as they are.
struct Affine {
    const float *centre = nullptr, *scale = nullptr, *shift = nullptr;

    Affine(const float* all, int64_t groups, int64_t channels, int64_t b, int64_t first) {
        if (all == nullptr) return;
        const int64_t group = groups > 1 ? b : 0;
        centre = all + group * channels + first;
        scale = centre + groups * channels;
        shift = scale + groups * channels;
    }
};

// The grids and lists of one head, in one block of memory that a thread uses again for its next head.
template <int C, int D>
struct Workspace {
    GridShape<D> shape;
    std::array<int, TAPS<D>> offsets;
    float *input, *output, *gradient;  // [nodes, C] each, with SLACK on both sides
    int32_t *count, *tiles;
    uint8_t* touched;
    float *weight, *transposed_weight;
    float* values;  // [N, C], normalised
    int64_t num_tiles = 0;

    Workspace(const int64_t* size, int64_t num_kept_values, float* memory)
        : shape(size, MARGIN), offsets(tap_offsets(shape)) {
        lay_out(num_kept_values, memory);
    }

    static int64_t num_floats(const int64_t* size, int64_t num_kept_values) {
        return Workspace(size, num_kept_values, nullptr).lay_out(num_kept_values, nullptr);
    }

    // The rows themselves, or, where there is something to apply to them, a copy with that applied.
    Rows<const float> prepared(const HeadPoints<D>& points, Rows<const float> rows, const Affine& affine) {
        if (affine.scale == nullptr) return rows;
        using Vector = Floats<C>;
        for (int64_t n = 0; n < points.num_points; ++n) {
            fetch_ahead<C>(rows, n, points.num_points);
            for (int c = 0; c < C; c += LANES<C>) {
                const auto scale = load<Vector>(affine.scale + c), shift = load<Vector>(affine.shift + c);
                const Vector centred = load<Vector>(rows.row(n) + c) - load<Vector>(affine.centre + c);
                store(values + n * C + c, Vector(centred * scale + shift));
            }
        }
        return {values, C};
    }

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

    int64_t lay_out(int64_t num_kept_values, float* memory) {
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
        tiles = reinterpret_cast<int32_t*>(take(shape.nodes + GROUP<C>));
        touched = reinterpret_cast<uint8_t*>(take((shape.nodes + SLACK) / sizeof(float) + 1));
        values = take(num_kept_values * C);
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
        for (int i = 0; i < GROUP<C>; ++i) tiles[num_tiles + i] = num_tiles > 0 ? tiles[num_tiles - 1] : 0;
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

// Floats of scratch memory that each thread needs; num_kept_values: points, if there is something to apply to the values.
void transform_scratch(int64_t channels, int64_t dimension, const int64_t* size, int64_t num_kept_values,
                       int64_t* num_floats, int64_t) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        *num_floats = Workspace<decltype(c)::value, decltype(d)::value>::num_floats(size, num_kept_values);
    });
}

// weight: [H, C out, C in, TAPS], bias: [H, C], contiguous. affine: centre, scale and shift [3, G, H * C] to be applied to
// the values, G being 1 or B; or null.
void transform_forward(const float* values, const int64_t* value_strides, const float* affine, int64_t groups,
                       const float* keys, const int64_t* key_strides, const uint8_t* mask, const float* weight,
                       const float* bias, int64_t batch, int64_t heads, int64_t points, int64_t channels,
                       int64_t dimension, const int64_t* size, int64_t reduce, int64_t relu, float* output,
                       const int64_t* output_strides, float* scratch, int64_t scratch_per_thread,
                       int64_t num_threads) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        parallel_for(batch * heads, static_cast<int>(num_threads), [&](int64_t item, int worker) {
            const int64_t h = item / batch, b = item % batch;
            Workspace<C, D> work(size, affine == nullptr ? 0 : points, scratch + worker * scratch_per_thread);
            const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
            pack_weight<C, D>(weight + h * C * C * TAPS<D>, false, work.weight);
            work.clear(false);
            const Affine apply(affine, groups, heads * C, b, h * C);
            const auto rows = work.prepared(head, head_rows(values, value_strides, b, h), apply);
            work.rasterize(head, rows, static_cast<Reduce>(reduce));
            work.convolve_forward(bias + h * C);
            read_grid<C, D>(head, work.output, work.shape, C, relu, head_rows(output, output_strides, b, h));
        });
    });
}

// The gradient of values is that of what `affine` gives. The clouds of the batch are split into chunks, of which each adds
// up its clouds in order; partial: zeros [chunks, H, TAPS * C in * C out + C], for their weight and bias gradients.
void transform_backward(const float* gradient, const int64_t* gradient_strides, const float* values,
                        const int64_t* value_strides, const float* affine, int64_t groups, const float* keys,
                        const int64_t* key_strides, const uint8_t* mask, const float* weight, const float* bias,
                        int64_t batch, int64_t heads, int64_t points, int64_t channels, int64_t dimension,
                        const int64_t* size, int64_t reduce, int64_t balance, float* value_gradient,
                        const int64_t* value_gradient_strides, float* key_gradient,
                        const int64_t* key_gradient_strides, float* weight_gradient, float* bias_gradient,
                        float* partial, int64_t chunks, float* scratch, int64_t scratch_per_thread,
                        int64_t num_threads) {
    with_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        constexpr int64_t WEIGHTS = TAPS<D> * C * C;
        parallel_for(chunks * heads, static_cast<int>(num_threads), [&](int64_t item, int worker) {
            const int64_t chunk = item / heads, h = item % heads;
            Workspace<C, D> work(size, affine == nullptr ? 0 : points, scratch + worker * scratch_per_thread);
            pack_weight<C, D>(weight + h * WEIGHTS, false, work.weight);
            pack_weight<C, D>(weight + h * WEIGHTS, true, work.transposed_weight);
            float* sums = partial + item * (WEIGHTS + C);
            for (int64_t b = batch * chunk / chunks; b < batch * (chunk + 1) / chunks; ++b) {
                const auto head = head_points<D>(keys, key_strides, mask, points, b, h);
                const Affine apply(affine, groups, heads * C, b, h * C);
                const auto rows = work.prepared(head, head_rows(values, value_strides, b, h), apply);
                const auto to_keys = head_rows(key_gradient, key_gradient_strides, b, h);
                work.clear(true);
                clear_rows<D>(to_keys, points);
                work.rasterize(head, rows, static_cast<Reduce>(reduce));
                work.convolve_forward(bias + h * C);
                read_backward<C, D>(head, work.output, work.shape, C, head_rows(gradient, gradient_strides, b, h),
                                    work.gradient, to_keys);
                add_bias_gradient<C>(work.gradient, work.tiles, work.num_tiles, sums + WEIGHTS);
                add_weight_gradient<C, D>(work.input, work.gradient, work.tiles, work.num_tiles, work.offsets, sums);
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
        // The chunks' sums, in order, and from [TAPS, C in, C out] to the weight's own layout.
        parallel_for(heads, static_cast<int>(num_threads), [&](int64_t h, int) {
            float* total = partial + h * (WEIGHTS + C);
            for (int64_t chunk = 1; chunk < chunks; ++chunk) {
                const float* part = total + chunk * heads * (WEIGHTS + C);
                for (int64_t i = 0; i < WEIGHTS + C; ++i) total[i] += part[i];
            }
            for (int out = 0; out < C; ++out) {
                float* to = weight_gradient + (h * C + out) * C * TAPS<D>;
                for (int in = 0; in < C; ++in) {
                    for (int tap = 0; tap < TAPS<D>; ++tap) to[in * TAPS<D> + tap] = total[(tap * C + in) * C + out];
                }
                bias_gradient[h * C + out] = total[WEIGHTS + out];
            }
        });
    });
}

}
