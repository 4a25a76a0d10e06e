// A residual block of pooling's ConvNets, each head apart, forward and backward; ops/pooling says what it means:
//
//     joined = relu(norm2(conv2(relu(norm1(conv1(input))))) + (input, or skip_norm(skip(input))))
//     output = joined, halved along each axis by taking the largest of neighbours, or averaged over all nodes
//
// A grid stays in cache from one normalisation to the next; there all clouds must wait for each other. What the
// convolutions gave is kept for the backward pass, the rest is computed again. Sums run in the same order for any number
// of threads.
//
// Letters: B batch, H heads, V nodes of a grid, I channels in, C channels out (16 or 32, at least I), D grid dimension.
#include <algorithm>
#include <cmath>

#include "convolve.h"
#include "dispatch.h"
#include "threads.h"

namespace {

int64_t lines(int64_t floats) { return (floats + 15) / 16 * 16; }  // whole lines of cache

// What all parts of a block share. Grids are [B, H, V, channels] in memory.
struct Block {
    const uint8_t* counted;  // [B]: whether a cloud counts for statistics; null = all do
    int64_t batch, heads, in_channels;
    const int64_t* size;
    int threads;

    bool counts(int64_t b) const { return counted == nullptr || counted[b]; }
    int64_t num_counted() const {
        int64_t count = 0;
        for (int64_t b = 0; b < batch; ++b) count += counts(b);
        return count;
    }
    double divisor(int64_t nodes) const { return static_cast<double>(std::max<int64_t>(num_counted() * nodes, 1)); }
};

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
            used += lines(floats);
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

// A normalisation as one head sees it.
struct Norm {
    const float *mean, *inverse_deviation, *scale, *shift;

    // statistics: [4, H * C]: mean, variance, 1 / deviation, and that times the weight.
    Norm(const float* statistics, const float* bias, int64_t channels, int64_t first)
        : mean(statistics + first),
          inverse_deviation(statistics + 2 * channels + first),
          scale(statistics + 3 * channels + first),
          shift(bias + first) {}

    template <int C>
    __attribute__((always_inline)) inline void apply(const float* __restrict row, float* __restrict to) const {
        for (int c = 0; c < C; ++c) to[c] = (row[c] - mean[c]) * scale[c] + shift[c];
    }
};

// moments [2, C] of rows [V, C]: their mean, and the sum of squared differences from it.
template <int C>
void find_moments(const float* __restrict rows, int64_t count, float* __restrict moments) {
    float mean[C] = {}, squares[C] = {};
    for (int64_t i = 0; i < count; ++i) {
        for (int c = 0; c < C; ++c) mean[c] += rows[i * C + c];
    }
    for (int c = 0; c < C; ++c) mean[c] /= static_cast<float>(count);
    for (int64_t i = 0; i < count; ++i) {
        for (int c = 0; c < C; ++c) {
            const float difference = rows[i * C + c] - mean[c];
            squares[c] += difference * difference;
        }
    }
    std::copy_n(mean, C, moments);
    std::copy_n(squares, C, moments + C);
}

// From the moments [B, H, 2, C] of each cloud to the statistics [4, H * C] of all that count.
void join_moments(const Block& block, const float* moments, int64_t C, int64_t nodes, const float* weight, double eps,
                  float* statistics) {
    const int64_t channels = block.heads * C;
    const double clouds = std::max<int64_t>(block.num_counted(), 1);
    for (int64_t channel = 0; channel < channels; ++channel) {
        const float* first = moments + channel / C * 2 * C + channel % C;
        double mean = 0, squares = 0;
        for (int64_t b = 0; b < block.batch; ++b) mean += block.counts(b) ? first[b * channels * 2] : 0;
        mean /= clouds;
        for (int64_t b = 0; b < block.batch; ++b) {
            const double away = first[b * channels * 2] - mean;
            if (block.counts(b)) squares += first[b * channels * 2 + C] + away * away * static_cast<double>(nodes);
        }
        const auto variance = static_cast<float>(squares / block.divisor(nodes));
        const float inverse_deviation = 1 / std::sqrt(variance + static_cast<float>(eps));
        statistics[channel] = static_cast<float>(mean);
        statistics[channels + channel] = variance;
        statistics[2 * channels + channel] = inverse_deviation;
        statistics[3 * channels + channel] = weight[channel] * inverse_deviation;
    }
}

// sums [2, C] of one cloud: of the gradient [V, C], and of its product with the centred rows.
template <int C>
void sum_gradient(const float* __restrict gradient, const float* __restrict rows, const float* __restrict mean,
                  int64_t count, float* __restrict sums) {
    float total[C] = {}, products[C] = {};
    for (int64_t i = 0; i < count; ++i) {
        for (int c = 0; c < C; ++c) {
            total[c] += gradient[i * C + c];
            products[c] += gradient[i * C + c] * (rows[i * C + c] - mean[c]);
        }
    }
    std::copy_n(total, C, sums);
    std::copy_n(products, C, sums + C);
}

// From the sums [B, H, 2, C] of each cloud to the gradients of a normalisation's weight and bias, [H * C] each.
void join_sums(const Block& block, const float* sums, int64_t C, const float* statistics, float* to_weight,
               float* to_bias) {
    const int64_t channels = block.heads * C;
    for (int64_t channel = 0; channel < channels; ++channel) {
        const float* first = sums + channel / C * 2 * C + channel % C;
        double total = 0, products = 0;
        for (int64_t b = 0; b < block.batch; ++b) {
            total += first[b * channels * 2];
            products += first[b * channels * 2 + C];
        }
        to_bias[channel] = static_cast<float>(total);
        to_weight[channel] = static_cast<float>(products * statistics[2 * channels + channel]);
    }
}

// A normalisation's way back, for one head of one cloud. Of a cloud that does not count, mean and variance are constants.
template <int C>
struct NormBackward {
    float mean[C], scale[C], offset[C], slope[C];

    NormBackward(const Block& block, const Norm& norm, const float* to_weight, const float* to_bias, int64_t nodes,
                 int64_t b) {
        const float share = block.counts(b) ? static_cast<float>(1 / block.divisor(nodes)) : 0;
        for (int c = 0; c < C; ++c) {
            mean[c] = norm.mean[c];
            scale[c] = norm.scale[c];
            offset[c] = to_bias[c] * share;
            slope[c] = to_weight[c] * share * norm.inverse_deviation[c];
        }
    }

    __attribute__((always_inline)) inline void apply(const float* __restrict gradient, const float* __restrict row,
                                                     float* __restrict to) const {
        for (int c = 0; c < C; ++c) to[c] = scale[c] * (gradient[c] - offset[c] - (row[c] - mean[c]) * slope[c]);
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
        const Block block{counted, batch, heads, in_channels, size, static_cast<int>(num_threads)};
        const int64_t all = heads * C, nodes = Workspace<C, D>(size, nullptr).num_nodes;
        float* skip_moments = moments + batch * all * 2;
        float *statistics2 = statistics + 4 * all, *skip_statistics = statistics + 8 * all;
        auto for_grids = [&](const auto& work_on) {
            parallel_for(batch * heads, block.threads, [&](int64_t item, int worker) {
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
            for (int64_t i = 0; i < nodes; ++i) add_product<C>(work.input + work.nodes[i] * C, work.skip_weight, to + i * C);
            find_moments<C>(to, nodes, skip_moments + at * 2 * C);
        });
        join_moments(block, moments, C, nodes, norm1_weight, eps, statistics);
        if (skip != nullptr) join_moments(block, skip_moments, C, nodes, skip_norm_weight, eps, skip_statistics);
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
        join_moments(block, moments, C, nodes, norm2_weight, eps, statistics2);
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
        const Block block{counted, batch, heads, in_channels, size, static_cast<int>(num_threads)};
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
        parallel_for(batch * heads, block.threads, [&](int64_t item, int worker) {
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
        join_sums(block, sums, C, statistics2, to_weight2, to_bias2);
        if (has_skip) join_sums(block, skip_sums, C, skip_statistics, to_skip_weight, to_skip_bias);

        // Calls work_on(work, h, b, sums of the weight's gradient) for the clouds of each chunk in order.
        auto for_chunks = [&](const float* weight, float* chunk_sums, const auto& work_on) {
            parallel_for(chunks * heads, block.threads, [&](int64_t item, int worker) {
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
            const NormBackward<C> back(block, norm2, to_weight2 + h * C, to_bias2 + h * C, nodes, b);
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
        join_sums(block, sums, C, statistics, to_weight1, to_bias1);

        for_chunks(weight1, partial1, [&](Workspace<C, D>& work, int64_t h, int64_t b, float* weight_sums) {
            const int64_t at = b * heads + h;
            const Norm norm1(statistics, norm1_bias, all, h * C), skip_norm(skip_statistics, skip_norm_bias, all, h * C);
            const NormBackward<C> back(block, norm1, to_weight1 + h * C, to_bias1 + h * C, nodes, b);
            const NormBackward<C> skip_back(block, skip_norm, to_skip_weight + h * C, to_skip_bias + h * C, nodes, b);
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
        parallel_for(heads, block.threads, [&](int64_t h, int) {
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
