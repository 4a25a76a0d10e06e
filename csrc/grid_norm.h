// BatchNorm of heads' grids, where they lie in memory as [B, H, V, C], in parts: each grid's sums, found while it is in
// cache, and what follows from those of all clouds. Sums run in the same order for any number of threads.
//
// Letters: B batch, H heads, V nodes of a grid, C channels per head.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

// The clouds of a batch, each with a grid [V, C] for every head.
struct Clouds {
    const uint8_t* counted;  // [B]: whether a cloud counts for the statistics; null = all do
    int64_t batch, heads;

    bool counts(int64_t b) const { return counted == nullptr || counted[b]; }
    int64_t num_counted() const {
        int64_t count = 0;
        for (int64_t b = 0; b < batch; ++b) count += counts(b);
        return count;
    }
    double divisor(int64_t nodes) const { return static_cast<double>(std::max<int64_t>(num_counted() * nodes, 1)); }
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
inline void join_moments(const Clouds& clouds, const float* moments, int64_t C, int64_t nodes, const float* weight, double eps,
                  float* statistics) {
    const int64_t channels = clouds.heads * C;
    const double num_clouds = std::max<int64_t>(clouds.num_counted(), 1);
    for (int64_t channel = 0; channel < channels; ++channel) {
        const float* first = moments + channel / C * 2 * C + channel % C;
        double mean = 0, squares = 0;
        for (int64_t b = 0; b < clouds.batch; ++b) mean += clouds.counts(b) ? first[b * channels * 2] : 0;
        mean /= num_clouds;
        for (int64_t b = 0; b < clouds.batch; ++b) {
            const double away = first[b * channels * 2] - mean;
            if (clouds.counts(b)) squares += first[b * channels * 2 + C] + away * away * static_cast<double>(nodes);
        }
        const auto variance = static_cast<float>(squares / clouds.divisor(nodes));
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
inline void join_sums(const Clouds& clouds, const float* sums, int64_t C, const float* statistics, float* to_weight,
               float* to_bias) {
    const int64_t channels = clouds.heads * C;
    for (int64_t channel = 0; channel < channels; ++channel) {
        const float* first = sums + channel / C * 2 * C + channel % C;
        double total = 0, products = 0;
        for (int64_t b = 0; b < clouds.batch; ++b) {
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

    NormBackward(const Clouds& clouds, const Norm& norm, const float* to_weight, const float* to_bias, int64_t nodes,
                 int64_t b) {
        const float share = clouds.counts(b) ? static_cast<float>(1 / clouds.divisor(nodes)) : 0;
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
