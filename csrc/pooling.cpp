// A residual block of pooling's ConvNets, each head apart, forward and backward; ops/pooling says what it means:
//
//     joined = relu(norm2(conv2(relu(norm1(conv1(input))))) + (input, or skip_norm(skip(input))))
//     output = joined, halved along each axis by taking the largest of neighbours, or averaged over all nodes
//
// A grid stays in cache from one normalisation to the next; there all clouds must wait for each other. What the
// convolutions gave is kept for the backward pass, the rest is computed again.
//
// Letters: B batch, H heads, V nodes of a grid, I channels in, C channels out (16 or 32, at least I), D grid dimension.
#include "dispatch.h"
#include "residual.h"
#include "threads.h"

namespace {

int64_t halved_nodes(const int64_t* size, int64_t dimension) {
    int64_t count = 1;
    for (int64_t axis = 0; axis < dimension; ++axis) count *= size[axis] / 2;
    return count;
}

// Calls action(C, D) for the channel counts that there are kernels for.
template <typename Action>
void with_wide_channels(int64_t channels, int64_t dimension, const Action& action) {
    with_constants(channels, dimension, [&](auto c, auto d) {
        if constexpr (decltype(c)::value >= 16) action(c, d);
    });
}

}  // namespace

extern "C" {

// Floats of scratch memory that each thread needs.
void pooling_scratch(int64_t channels, int64_t dimension, const int64_t* size, int64_t* num_floats, int64_t) {
    with_wide_channels(channels, dimension, [&](auto c, auto d) {
        *num_floats = Workspace<decltype(c)::value, decltype(d)::value>::num_floats(size);
    });
}

// input: [B, H, V, I]. weight1, weight2: [H * C, C, TAPS], skip: [H * C, C] or null, all with zeros for channels of the
// input from I on. norm: weights and biases [H * C]. first, second, skipped: [B, H, V, C], what the convolutions give;
// statistics: [2 or 3, 4, H * C], of norm1, norm2 and the skip's. output: [B, H, V', C], or [B, H, C] with `mean`.
// moments: scratch [2, B, H, 2, C].
void pooling_forward(const float* input, const uint8_t* counted, const float* weight1, const float* norm1_weight,
                     const float* norm1_bias, const float* weight2, const float* norm2_weight, const float* norm2_bias,
                     const float* skip, const float* skip_norm_weight, const float* skip_norm_bias, int64_t batch,
                     int64_t heads, int64_t in_channels, int64_t channels, int64_t dimension, const int64_t* size,
                     double eps, int64_t mean, float* first, float* second, float* skipped, float* statistics,
                     float* output, float* moments, float* scratch, int64_t scratch_per_thread, int64_t num_threads) {
    with_wide_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        const Clouds clouds{counted, batch, heads};
        const int threads = static_cast<int>(num_threads);
        const int64_t all = heads * C, nodes = Workspace<C, D>(size, nullptr).num_nodes;
        float* skip_moments = moments + batch * all * 2;
        float *statistics2 = statistics + 4 * all, *skip_statistics = statistics + 8 * all;
        auto for_grids = [&](const auto& work_on) {
            parallel_for(batch * heads, threads, [&](int64_t item, int worker) {
                Workspace<C, D> work(size, scratch + worker * scratch_per_thread);
                const int64_t h = item / batch, b = item % batch;
                work_on(work, h, b, b * heads + h);
            });
        };
        for_grids([&](Workspace<C, D>& work, int64_t h, int64_t, int64_t at) {
            pack_weight<C, D>(weight1 + h * C * C * TAPS<D>, false, work.weight);
            const float* from = input + at * nodes * in_channels;
            work.read_input(from, in_channels);
            work.convolve_forward(first + at * nodes * C);
            find_moments<C>(first + at * nodes * C, nodes, moments + at * 2 * C);
            if (skip == nullptr) return;
            for (int out = 0; out < C; ++out) {
                for (int in = 0; in < C; ++in) work.skip_weight[in * C + out] = skip[(h * C + out) * C + in];
            }
            float* to = skipped + at * nodes * C;
            std::fill_n(to, nodes * C, 0.0f);
            for (int64_t i = 0; i < nodes; ++i) {
                add_product<C>(work.input + work.nodes[i] * C, work.skip_weight, to + i * C);
            }
            find_moments<C>(to, nodes, skip_moments + at * 2 * C);
        });
        join_moments(clouds, moments, C, nodes, norm1_weight, eps, statistics);
        if (skip != nullptr) join_moments(clouds, skip_moments, C, nodes, skip_norm_weight, eps, skip_statistics);
        for_grids([&](Workspace<C, D>& work, int64_t h, int64_t, int64_t at) {
            pack_weight<C, D>(weight2 + h * C * C * TAPS<D>, false, work.weight);
            const Norm norm(statistics, norm1_bias, all, h * C);
            for (int64_t i = 0; i < nodes; ++i) {
                float* to = work.input + work.nodes[i] * C;
                norm.apply<C>(first + (at * nodes + i) * C, to);
                for (int k = 0; k < C; ++k) to[k] = to[k] < 0 ? 0 : to[k];
            }
            work.convolve_forward(second + at * nodes * C);
            find_moments<C>(second + at * nodes * C, nodes, moments + at * 2 * C);
        });
        join_moments(clouds, moments, C, nodes, norm2_weight, eps, statistics2);
        const int64_t num_outputs = mean ? 1 : halved_nodes(size, D);
        for_grids([&](Workspace<C, D>& work, int64_t h, int64_t, int64_t at) {
            const Norm norm(statistics2, norm2_bias, all, h * C);
            const Norm skip_norm(skip == nullptr ? statistics2 : skip_statistics,
                                 skip == nullptr ? norm2_bias : skip_norm_bias, all, h * C);
            join<C>(second + at * nodes * C, norm, input + at * nodes * in_channels,
                    skip == nullptr ? nullptr : skipped + at * nodes * C, skip_norm, nodes, work.joined);
            finish<C, D>(work.joined, size, nodes, mean, output + at * num_outputs * C);
        });
    });
}

// Gradients of input [B, H, V, I], of the three weights in their layouts, of weights and biases of the normalisations, in
// norm_gradients [2 or 3, 2, H * C]. before2, before1: scratch [B, H, V, C] each; sums: scratch [2, B, H, 2, C]; partial:
// zeros [2, chunks, H, (TAPS + 1) * C * C], what the clouds of each chunk add up, in order.
void pooling_backward(const float* gradient, const float* input, const uint8_t* counted, const float* weight1,
                      const float* norm1_bias, const float* weight2, const float* norm2_bias, const float* skip,
                      const float* skip_norm_bias, int64_t batch, int64_t heads, int64_t in_channels, int64_t channels,
                      int64_t dimension, const int64_t* size, int64_t mean, const float* first, const float* second,
                      const float* skipped, const float* statistics, float* input_gradient, float* weight1_gradient,
                      float* weight2_gradient, float* skip_gradient, float* norm_gradients, float* before2,
                      float* before1, float* sums, float* partial, int64_t chunks, float* scratch,
                      int64_t scratch_per_thread, int64_t num_threads) {
    with_wide_channels(channels, dimension, [&](auto c, auto d) {
        constexpr int C = decltype(c)::value, D = decltype(d)::value;
        constexpr int64_t WEIGHTS = TAPS<D> * C * C, PARTIAL = WEIGHTS + C * C;
        const Clouds clouds{counted, batch, heads};
        const int threads = static_cast<int>(num_threads);
        const int64_t all = heads * C, nodes = Workspace<C, D>(size, nullptr).num_nodes;
        const bool has_skip = skip != nullptr;
        float* skip_sums = sums + batch * all * 2;
        float *partial1 = partial, *partial2 = partial + chunks * heads * PARTIAL;
        const float *statistics2 = statistics + 4 * all, *skip_statistics = has_skip ? statistics + 8 * all : statistics2;
        if (!has_skip) skip_norm_bias = norm2_bias;
        float *to_weight1 = norm_gradients, *to_bias1 = norm_gradients + all;
        float *to_weight2 = norm_gradients + 2 * all, *to_bias2 = norm_gradients + 3 * all;
        float *to_skip_weight = has_skip ? norm_gradients + 4 * all : to_weight2, *to_skip_bias = to_skip_weight + all;

        const int64_t num_outputs = mean ? 1 : halved_nodes(size, D);
        parallel_for(batch * heads, threads, [&](int64_t item, int worker) {
            Workspace<C, D> work(size, scratch + worker * scratch_per_thread);
            const int64_t h = item / batch, b = item % batch, at = b * heads + h;
            const float* update = second + at * nodes * C;
            const float* skip_update = has_skip ? skipped + at * nodes * C : nullptr;
            const Norm norm(statistics2, norm2_bias, all, h * C), skip_norm(skip_statistics, skip_norm_bias, all, h * C);
            join<C>(update, norm, input + at * nodes * in_channels, skip_update, skip_norm, nodes, work.joined);
            float* to = before2 + at * nodes * C;
            finish_backward<C, D>(gradient + at * num_outputs * C, work.joined, size, nodes, mean, to);
            sum_gradient<C>(to, update, norm.mean, nodes, sums + at * 2 * C);
            if (has_skip) sum_gradient<C>(to, skip_update, skip_norm.mean, nodes, skip_sums + at * 2 * C);
        });
        join_sums(clouds, sums, C, statistics2, to_weight2, to_bias2);
        if (has_skip) join_sums(clouds, skip_sums, C, skip_statistics, to_skip_weight, to_skip_bias);

        // Calls work_on(work, h, b, sums of the weight's gradient) for the clouds of each chunk in order.
        auto for_chunks = [&](const float* weight, float* chunk_sums, const auto& work_on) {
            parallel_for(chunks * heads, threads, [&](int64_t item, int worker) {
                Workspace<C, D> work(size, scratch + worker * scratch_per_thread);
                const int64_t chunk = item / heads, h = item % heads;
                pack_weight<C, D>(weight + h * WEIGHTS, true, work.transposed_weight);
                for (int64_t b = batch * chunk / chunks; b < batch * (chunk + 1) / chunks; ++b) {
                    work_on(work, h, b, chunk_sums + item * PARTIAL);
                }
            });
        };
        for_chunks(weight2, partial2, [&](Workspace<C, D>& work, int64_t h, int64_t b, float* weight_sums) {
            const int64_t at = b * heads + h;
            const float *rows1 = first + at * nodes * C, *rows2 = second + at * nodes * C;
            const Norm norm1(statistics, norm1_bias, all, h * C), norm2(statistics2, norm2_bias, all, h * C);
            const NormBackward<C> back(clouds, norm2, to_weight2 + h * C, to_bias2 + h * C, nodes, b);
            for (int64_t i = 0; i < nodes; ++i) {
                float* to = work.input + work.nodes[i] * C;
                norm1.apply<C>(rows1 + i * C, to);
                for (int k = 0; k < C; ++k) to[k] = to[k] < 0 ? 0 : to[k];
                back.apply(before2 + (at * nodes + i) * C, rows2 + i * C, work.gradient + work.nodes[i] * C);
            }
            work.convolve_backward(weight_sums);
            float* to = before1 + at * nodes * C;
            for (int64_t i = 0; i < nodes; ++i) {
                const float *passed = work.input + work.nodes[i] * C, *arrived = work.output + work.nodes[i] * C;
                for (int k = 0; k < C; ++k) to[i * C + k] = passed[k] > 0 ? arrived[k] : 0;
            }
            sum_gradient<C>(to, rows1, norm1.mean, nodes, sums + at * 2 * C);
        });
        join_sums(clouds, sums, C, statistics, to_weight1, to_bias1);

        for_chunks(weight1, partial1, [&](Workspace<C, D>& work, int64_t h, int64_t b, float* weight_sums) {
            const int64_t at = b * heads + h;
            const Norm norm1(statistics, norm1_bias, all, h * C), skip_norm(skip_statistics, skip_norm_bias, all, h * C);
            const NormBackward<C> back(clouds, norm1, to_weight1 + h * C, to_bias1 + h * C, nodes, b);
            const NormBackward<C> skip_back(clouds, skip_norm, to_skip_weight + h * C, to_skip_bias + h * C, nodes, b);
            work.read_input(input + at * nodes * in_channels, in_channels);
            for (int64_t i = 0; i < nodes; ++i) {
                const int64_t row = (at * nodes + i) * C;
                back.apply(before1 + row, first + row, work.gradient + work.nodes[i] * C);
            }
            work.convolve_backward(weight_sums);
            for (int64_t i = 0; i < nodes; ++i) {
                const int64_t row = (at * nodes + i) * C;
                float* to = work.output + work.nodes[i] * C;
                if (has_skip) {
                    float arrived[C];
                    skip_back.apply(before2 + row, skipped + row, arrived);
                    add_product<C>(arrived, skip + h * C * C, to);
                    const float* from = work.input + work.nodes[i] * C;
                    for (int out = 0; out < C; ++out) {
                        float* sum = weight_sums + WEIGHTS + out * C;
                        for (int in = 0; in < C; ++in) sum[in] += arrived[out] * from[in];
                    }
                } else {
                    for (int k = 0; k < C; ++k) to[k] += before2[row + k];
                }
                std::copy_n(to, in_channels, input_gradient + (at * nodes + i) * in_channels);
            }
        });
        parallel_for(heads, threads, [&](int64_t h, int) {
            const int64_t stride = heads * PARTIAL;  // between chunks
            finish_weight_gradient<C, D>(partial1 + h * PARTIAL, chunks, stride, weight1_gradient + h * WEIGHTS);
            finish_weight_gradient<C, D>(partial2 + h * PARTIAL, chunks, stride, weight2_gradient + h * WEIGHTS);
            if (!has_skip) return;
            float* to = skip_gradient + h * C * C;
            std::fill_n(to, C * C, 0.0f);
            for (int64_t chunk = 0; chunk < chunks; ++chunk) {
                const float* part = partial1 + h * PARTIAL + chunk * stride + WEIGHTS;
                for (int i = 0; i < C * C; ++i) to[i] += part[i];
            }
        });
    });
}

}
