// Normalisation over points, with ReLU and residual in the same pass, forward and backward; ops/norm says what it means.
//
// Letters: G groups of rows with statistics of their own (1: a batch; one per cloud: instances), R rows per group,
// C channels. Sums run over chunks of CHUNK rows, which are then added in order, so threads do not change them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "threads.h"

namespace {

constexpr int64_t CHUNK = 128;
constexpr int TOGETHER = 4;  // rows that are summed up at a time

struct Layout {
    int64_t groups, rows, channels;
    const uint8_t* mask;  // [G, R], 0 = the row is not there; null = all are
    std::vector<int64_t> count;  // [G], rows that are there
    std::vector<int64_t> pivot;  // [G], the first of them: near the mean, values are shifted by it before they are squared

    Layout(int64_t groups, int64_t rows, int64_t channels, const uint8_t* mask)
        : groups(groups), rows(rows), channels(channels), mask(mask), count(groups, rows), pivot(groups) {
        for (int64_t group = 0; group < groups; ++group) {
            pivot[group] = group * rows;
            if (mask == nullptr) continue;
            const uint8_t *begin = mask + group * rows, *end = begin + rows;
            count[group] = rows - std::count(begin, end, 0);
            if (count[group] > 0) pivot[group] += std::find_if(begin, end, [](uint8_t there) { return there; }) - begin;
        }
    }

    int64_t chunks() const { return (rows + CHUNK - 1) / CHUNK; }  // per group
    int64_t num_items() const { return groups * chunks(); }
    bool is_there(int64_t row) const { return mask == nullptr || mask[row]; }
    double divisor(int64_t group) const { return static_cast<double>(std::max<int64_t>(count[group], 1)); }

    // Calls work(group, first row, row behind the last, item) for every chunk.
    template <typename Work>
    void for_chunks(int64_t num_threads, const Work& work) const {
        parallel_for(num_items(), static_cast<int>(num_threads), [&](int64_t item, int) {
            const int64_t group = item / chunks(), begin = item % chunks() * CHUNK;
            work(group, group * rows + begin, group * rows + std::min(begin + CHUNK, rows), item);
        });
    }

    // Calls visit(K, row) with a constant K for the next K rows, if they are there. Rows are taken together where possible,
    // so that what is the same for all is loaded once.
    template <typename Visit>
    void for_rows(int64_t begin, int64_t end, const Visit& visit) const {
        int64_t row = begin;
        if (mask == nullptr) {
            for (; row + TOGETHER <= end; row += TOGETHER) visit(std::integral_constant<int, TOGETHER>(), row);
        }
        for (; row < end; ++row) {
            if (is_there(row)) visit(std::integral_constant<int, 1>(), row);
        }
    }

    // result[2, C] = sum over a group's chunks of partial[item, 2, C].
    void add_chunks(const float* partial, int64_t group, double* result) const {
        std::fill_n(result, 2 * channels, 0.0);
        for (int64_t chunk = 0; chunk < chunks(); ++chunk) {
            const float* part = partial + (group * chunks() + chunk) * 2 * channels;
            for (int64_t c = 0; c < 2 * channels; ++c) result[c] += part[c];
        }
    }
};

// Functions of their own, because inside the lambdas below compilers do not vectorise them. Sums take K rows at a time;
// what is written goes row by row, because rows of 512 channels lie half a page apart, and reading and writing several of
// them would contend for the same cache sets.

template <int K>
void add_squares(const float* __restrict features, int64_t stride, const float* __restrict pivot, int64_t channels,
                 float* __restrict sum, float* __restrict square_sum) {
    for (int64_t c = 0; c < channels; ++c) {
        float total = 0, squares = 0;
        for (int k = 0; k < K; ++k) {
            const float shifted = features[k * stride + c] - pivot[c];
            total += shifted;
            squares += shifted * shifted;
        }
        sum[c] += total;
        square_sum[c] += squares;
    }
}

// The output may lie where the residual does, element by element, but nowhere else among the arguments.
template <bool WITH_RESIDUAL>
void write_normal(const float* __restrict features, const float* __restrict centre, const float* __restrict scale,
                  const float* __restrict shift, float floor, int64_t channels, const float* residual, float* output) {
#pragma GCC ivdep
    for (int64_t c = 0; c < channels; ++c) {
        const float z = (features[c] - centre[c]) * scale[c] + shift[c];
        const float y = z < floor ? floor : z;
        output[c] = WITH_RESIDUAL ? residual[c] + y : y;
    }
}

// What passes the ReLU, and its product with the centred features.
template <int K>
void add_products(const float* __restrict gradient, int64_t gradient_stride, const float* __restrict features,
                  int64_t stride, const float* __restrict mean, const float* __restrict scale,
                  const float* __restrict shift, float threshold, int64_t channels, float* __restrict sum,
                  float* __restrict product_sum) {
    for (int64_t c = 0; c < channels; ++c) {
        float total = 0, products = 0;
        for (int k = 0; k < K; ++k) {
            const float centred = features[k * stride + c] - mean[c];
            const float passed = centred * scale[c] + shift[c] > threshold ? gradient[k * gradient_stride + c] : 0;
            total += passed;
            products += passed * centred;
        }
        sum[c] += total;
        product_sum[c] += products;
    }
}

// The features' gradient may lie where the arrived gradient does, element by element.
void write_gradient(const float* gradient, const float* __restrict features, const float* __restrict mean,
                    const float* __restrict scale, const float* __restrict shift, float threshold, int64_t channels,
                    const float* __restrict offset, const float* __restrict slope, float* feature_gradient) {
#pragma GCC ivdep
    for (int64_t c = 0; c < channels; ++c) {
        const float centred = features[c] - mean[c];
        const float passed = centred * scale[c] + shift[c] > threshold ? gradient[c] : 0;
        feature_gradient[c] = scale[c] * (passed - offset[c] - centred * slope[c]);
    }
}

}  // namespace

extern "C" {

// scratch, here and below: 2 C floats for each chunk of each group, and 4 C more, for sums in double precision.

// mean, variance: [G, C], of the rows that are there; variance is that of the sample, not the unbiased one. Then
// 1 / deviation, and that times the weight [G, C].
void norm_statistics(const float* features, int64_t stride, const uint8_t* mask, int64_t groups, int64_t rows,
                     int64_t channels, const float* weight, double eps, float* mean, float* variance,
                     float* inverse_deviation, float* scale, float* scratch, int64_t num_threads) {
    const Layout layout(groups, rows, channels, mask);
    layout.for_chunks(num_threads, [&](int64_t group, int64_t begin, int64_t end, int64_t item) {
        const float* __restrict pivot = features + layout.pivot[group] * stride;
        float* __restrict sum = scratch + item * 2 * channels;
        float* __restrict square_sum = sum + channels;
        std::fill_n(sum, 2 * channels, 0.0f);
        auto visit = [&](auto k, int64_t row) {
            add_squares<k.value>(features + row * stride, stride, pivot, channels, sum, square_sum);
        };
        layout.for_rows(begin, end, visit);
    });
    auto* total = reinterpret_cast<double*>(scratch + layout.num_items() * 2 * channels);
    for (int64_t group = 0; group < groups; ++group) {
        layout.add_chunks(scratch, group, total);
        const double count = layout.divisor(group);
        const bool is_empty = layout.count[group] == 0;
        const float* pivot = features + layout.pivot[group] * stride;
        for (int64_t c = 0; c < channels; ++c) {
            const double shift = total[c] / count;
            const int64_t at = group * channels + c;
            mean[at] = is_empty ? 0 : static_cast<float>(pivot[c] + shift);
            const double spread = total[channels + c] / count - shift * shift;
            variance[at] = static_cast<float>(spread < 0 ? 0 : spread);
            inverse_deviation[at] = 1 / std::sqrt(variance[at] + static_cast<float>(eps));
            scale[at] = weight[at] * inverse_deviation[at];
        }
    }
}

// output = [relu]((features - centre) * scale + shift) [+ residual], with centre, scale and shift [G, C]; 0 in rows that
// are not there.
void norm_apply(const float* features, int64_t stride, const uint8_t* mask, int64_t groups, int64_t rows,
                int64_t channels, const float* centre, const float* scale, const float* shift, int64_t relu,
                const float* residual, int64_t residual_stride, float* output, int64_t output_stride,
                int64_t num_threads) {
    const Layout layout(groups, rows, channels, mask);
    layout.for_chunks(num_threads, [&](int64_t group, int64_t begin, int64_t end, int64_t) {
        const float* __restrict m = centre + group * channels;
        const float* __restrict a = scale + group * channels;
        const float* __restrict b = shift + group * channels;
        const float floor = relu ? 0 : -INFINITY;
        auto write = residual == nullptr ? write_normal<false> : write_normal<true>;
        for (int64_t row = begin; row < end; ++row) {
            float* to = output + row * output_stride;
            if (layout.is_there(row)) {
                write(features + row * stride, m, a, b, floor, channels,
                      residual == nullptr ? nullptr : residual + row * residual_stride, to);
            } else {
                std::fill_n(to, channels, 0.0f);
            }
        }
    });
}

// The gradients of features, scale-like weight and bias, where output = [relu](normal * weight + bias) and
// normal = (features - mean) / deviation is a function of all rows of its group. `scale` and `shift` are the forward's;
// inverse_deviation, weight_gradient and bias_gradient are [G, C]. Rows that are not there get 0. The features' gradient
// may be written over the gradient that arrived.
void norm_backward(const float* gradient, int64_t gradient_stride, const float* features, int64_t stride,
                   const uint8_t* mask, int64_t groups, int64_t rows, int64_t channels, const float* mean,
                   const float* inverse_deviation, const float* scale, const float* shift, int64_t relu,
                   float* feature_gradient, int64_t feature_gradient_stride, float* weight_gradient,
                   float* bias_gradient, float* scratch, int64_t num_threads) {
    const Layout layout(groups, rows, channels, mask);
    const float threshold = relu ? 0 : -INFINITY;  // what the gradient passes above
    layout.for_chunks(num_threads, [&](int64_t group, int64_t begin, int64_t end, int64_t item) {
        const float* __restrict m = mean + group * channels;
        const float* __restrict a = scale + group * channels;
        const float* __restrict b = shift + group * channels;
        float* __restrict sum = scratch + item * 2 * channels;
        float* __restrict product_sum = sum + channels;
        std::fill_n(sum, 2 * channels, 0.0f);
        auto visit = [&](auto k, int64_t row) {
            add_products<k.value>(gradient + row * gradient_stride, gradient_stride, features + row * stride, stride, m,
                                  a, b, threshold, channels, sum, product_sum);
        };
        layout.for_rows(begin, end, visit);
    });
    auto* total = reinterpret_cast<double*>(scratch + layout.num_items() * 2 * channels);
    for (int64_t group = 0; group < groups; ++group) {
        layout.add_chunks(scratch, group, total);
        for (int64_t c = 0; c < channels; ++c) {
            const int64_t at = group * channels + c;
            bias_gradient[at] = static_cast<float>(total[c]);
            weight_gradient[at] = static_cast<float>(total[channels + c] * inverse_deviation[at]);
        }
    }
    layout.for_chunks(num_threads, [&](int64_t group, int64_t begin, int64_t end, int64_t item) {
        const int64_t first = group * channels;
        const float* __restrict m = mean + first;
        const float* __restrict a = scale + first;
        const float* __restrict b = shift + first;
        float* __restrict offset = scratch + item * 2 * channels;  // what every row gets, and gets per unit of x - mean
        float* __restrict slope = offset + channels;
        const auto count = static_cast<float>(layout.divisor(group));
        for (int64_t c = 0; c < channels; ++c) {
            offset[c] = bias_gradient[first + c] / count;
            slope[c] = weight_gradient[first + c] / count * inverse_deviation[first + c];
        }
        for (int64_t row = begin; row < end; ++row) {
            float* to = feature_gradient + row * feature_gradient_stride;
            if (layout.is_there(row)) {
                write_gradient(gradient + row * gradient_stride, features + row * stride, m, a, b, threshold, channels,
                               offset, slope, to);
            } else {
                std::fill_n(to, channels, 0.0f);
            }
        }
    });
}

}
