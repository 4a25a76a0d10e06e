// The kernels without Python: hand-made inputs, and plain loops in double precision to compare with. So they can be
// checked where there is no torch: for other processors, in an emulator.
//
//     check_kernels FOLDER    with NAME.so of every kernel; prints what differs, and exits with 1 if anything does
//
// Letters as in csrc: B batch, H heads, N points, C channels per head, D grid dimension.
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Numbers = std::vector<float>;
using Sizes = std::vector<int64_t>;

std::string folder;
int num_wrong = 0;
std::mt19937 generator(0);

Numbers drawn(int64_t count, float low, float high) {
    std::uniform_real_distribution<float> uniform(low, high);
    Numbers numbers(count);
    for (float& number : numbers) number = uniform(generator);
    return numbers;
}

// As Python passes them: vectors as pointers, integers with 64 bits, the number of threads last.
template <typename T>
auto argument(T& value) {
    if constexpr (std::is_pointer_v<T> || std::is_same_v<T, const double> || std::is_null_pointer_v<T>) {
        return value;
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<int64_t>(value);
    } else {
        return value.data();
    }
}

template <typename... Arguments>
void call(const std::string& library, const char* function, Arguments&&... arguments) {
    void* opened = dlopen((folder + "/" + library + ".so").c_str(), RTLD_NOW);
    void* found = opened == nullptr ? nullptr : dlsym(opened, function);
    if (found == nullptr) std::printf("%s\n", dlerror()), std::exit(2);
    constexpr int64_t num_threads = 2;
    reinterpret_cast<void (*)(decltype(argument(arguments))..., int64_t)>(found)(argument(arguments)..., num_threads);
}

void expect_near(const std::string& what, double got, double wanted, double allowed) {
    if (std::fabs(got - wanted) <= allowed * (1 + std::fabs(wanted))) return;
    ++num_wrong;
    std::printf("%s: %g instead of %g\n", what.c_str(), got, wanted);
}

template <typename Wanted>
void expect_all_near(const std::string& what, const Numbers& got, const Wanted& wanted, double allowed = 1e-4) {
    for (size_t i = 0; i < got.size(); ++i) expect_near(what, got[i], wanted[i], allowed);
}

// One head of one cloud: what a cloud transform is, in loops.
struct Head {
    Sizes size;
    int C, N;
    std::vector<double> values, keys, weight, bias;  // [N, C], [N, D], [C out, C in, TAPS], [C]

    int D() const { return static_cast<int>(size.size()); }
    int64_t nodes() const {
        int64_t product = 1;
        for (int64_t side : size) product *= side;
        return product;
    }

    // Calls visit(node, weight) for the corners of the cell that holds point n.
    template <typename Visit>
    void corners(int n, const Visit& visit) const {
        for (int corner = 0; corner < 1 << D(); ++corner) {
            int64_t node = 0;
            double product = 1;
            for (int axis = 0; axis < D(); ++axis) {
                const double at = (std::clamp(keys[n * D() + axis], -1.0, 1.0) + 1) * (size[axis] - 1) / 2;
                const auto lower = std::min<int64_t>(static_cast<int64_t>(at), size[axis] - 2);
                const bool upper = corner >> axis & 1;
                node = node * size[axis] + lower + upper;
                product *= upper ? at - lower : 1 - (at - lower);
            }
            visit(node, product);
        }
    }

    std::vector<double> rasterized(const std::string& reduce) const {
        std::vector<double> grid(nodes() * C, 0.0), count(nodes(), 0.0);
        for (int n = 0; n < N; ++n) {
            corners(n, [&](int64_t node, double share) {
                ++count[node];
                for (int c = 0; c < C; ++c) {
                    double& cell = grid[node * C + c];
                    cell = reduce == "max" ? std::max(cell, share * values[n * C + c]) : cell + share * values[n * C + c];
                }
            });
        }
        for (int64_t i = 0; reduce == "mean" && i < nodes() * C; ++i) grid[i] /= std::max(count[i / C], 1.0);
        return grid;
    }

    std::vector<double> convolved(const std::vector<double>& grid) const {
        const int taps = D() == 2 ? 9 : 27;
        std::vector<double> result(grid.size());
        for (int64_t node = 0; node < nodes(); ++node) {
            for (int out = 0; out < C; ++out) {
                double sum = bias[out];
                for (int tap = 0; tap < taps; ++tap) {
                    int64_t from = 0, rest = node, step = 1, tap_rest = tap;
                    bool inside = true;
                    for (int axis = D() - 1; axis >= 0; --axis) {
                        const int64_t at = rest % size[axis] + tap_rest % 3 - 1;
                        inside = inside && at >= 0 && at < size[axis];
                        from += at * step;
                        step *= size[axis], rest /= size[axis], tap_rest /= 3;
                    }
                    for (int in = 0; inside && in < C; ++in)
                        sum += grid[from * C + in] * weight[(out * C + in) * taps + tap];
                }
                result[node * C + out] = sum;
            }
        }
        return result;
    }

    std::vector<double> read(const std::vector<double>& grid) const {  // [N, C]
        std::vector<double> result(N * C, 0.0);
        for (int n = 0; n < N; ++n) {
            corners(n, [&](int64_t node, double share) {
                for (int c = 0; c < C; ++c) result[n * C + c] += share * grid[node * C + c];
            });
        }
        return result;
    }

    std::vector<double> transformed() const { return read(convolved(rasterized("max"))); }
};

// Rasterise, read back, and the whole transform with its gradients, for one channel count and grid.
void check_transform(int C, const Sizes& size) {
    constexpr int64_t B = 2, H = 3, N = 70;
    const int64_t D = static_cast<int64_t>(size.size()), taps = D == 2 ? 9 : 27, W = C * C * taps;
    const std::string name = "C = " + std::to_string(C) + ", D = " + std::to_string(D);
    const Numbers values = drawn(B * H * N * C, -1, 1), keys = drawn(B * H * N * D, -1.1f, 1.1f);
    const Numbers weight = drawn(H * W, -0.3f, 0.3f), bias = drawn(H * C, -1, 1), cotangent = drawn(B * H * N * C, -1, 1);
    const Sizes value_strides = {H * N * C, N * C, C}, key_strides = {H * N * D, N * D, D};
    const auto head = [&](int64_t item) {
        const auto part = [](const Numbers& all, int64_t index, int64_t length) {
            return std::vector<double>(all.begin() + index * length, all.begin() + (index + 1) * length);
        };
        return Head{size, C, N, part(values, item, N * C), part(keys, item, N * D), part(weight, item % H, W),
                    part(bias, item % H, C)};
    };
    const int64_t nodes = head(0).nodes();
    const uint8_t* no_mask = nullptr;
    const float* no_affine = nullptr;

    Numbers grid(B * H * nodes * C);
    std::vector<int32_t> note(grid.size());
    const std::vector<std::string> reductions = {"max", "sum", "mean"};
    for (int64_t reduce = 0; reduce < 3; ++reduce) {
        call("rasterize", "rasterize_forward", values, value_strides, keys, key_strides, no_mask, B, H, N, C, D, size,
             reduce, grid, note);
        for (int64_t item = 0; item < B * H; ++item) {
            const Numbers part(grid.begin() + item * nodes * C, grid.begin() + (item + 1) * nodes * C);
            expect_all_near("rasterize " + reductions[reduce] + ", " + name, part, head(item).rasterized(reductions[reduce]));
        }
    }
    Numbers output(values.size());
    call("derasterize", "derasterize_forward", grid, keys, key_strides, no_mask, B, H, N, C, D, size, output, value_strides);
    for (int64_t item = 0; item < B * H; ++item) {
        const Numbers part(output.begin() + item * N * C, output.begin() + (item + 1) * N * C);
        const std::vector<double> exact(grid.begin() + item * nodes * C, grid.begin() + (item + 1) * nodes * C);
        expect_all_near("derasterize, " + name, part, head(item).read(exact));
    }
    if (C % 4 != 0) return;  // has no kernel of its own

    Sizes num_floats(1);
    call("transform", "transform_scratch", C, D, size, 0, num_floats);
    Numbers scratch(2 * num_floats[0], NAN);
    call("transform", "transform_forward", values, value_strides, no_affine, 1, keys, key_strides, no_mask, weight, bias,
         B, H, N, C, D, size, 0, 0, output, value_strides, scratch, num_floats[0]);
    for (int64_t item = 0; item < B * H; ++item) {
        const Numbers part(output.begin() + item * N * C, output.begin() + (item + 1) * N * C);
        expect_all_near("transform, " + name, part, head(item).transformed());
    }

    Numbers to_values(values.size()), to_keys(keys.size()), to_weight(weight.size()), to_bias(bias.size());
    Numbers partial(B * H * (W + C), 0.0f);
    call("transform", "transform_backward", cotangent, value_strides, values, value_strides, no_affine, 1, keys,
         key_strides, no_mask, weight, bias, B, H, N, C, D, size, 0, 0, to_values, value_strides, to_keys, key_strides,
         to_weight, to_bias, partial, B, scratch, num_floats[0]);
    // The slope along one number of head h, by differences; weights and biases are shared by the clouds of the batch.
    const auto slope = [&](std::vector<double> Head::*of, int64_t index, int64_t first, int64_t last) {
        double sum = 0;
        for (int64_t item = first; item <= last; item += H) {
            Head moved = head(item);
            for (double step : {1e-6, -2e-6}) {
                (moved.*of)[index] += step;
                const std::vector<double> answer = moved.transformed();
                for (int64_t i = 0; i < N * C; ++i)
                    sum += (step > 0 ? 1 : -1) * answer[i] * cotangent[item * N * C + i] / 2e-6;
            }
        }
        return sum;
    };
    for (int64_t item : {int64_t{0}, H + 1}) {
        const int64_t h = item % H;
        for (int64_t i : {5, 33, 64}) {
            const int64_t value = i * C + i % C, key = i * D + i % D, tap = i * W / 70;
            expect_near("gradient of values, " + name, to_values[item * N * C + value],
                        slope(&Head::values, value, item, item), 1e-3);
            expect_near("gradient of keys, " + name, to_keys[item * N * D + key],
                        slope(&Head::keys, key, item, item), 1e-3);
            expect_near("gradient of weight, " + name, to_weight[h * W + tap],
                        slope(&Head::weight, tap, h, B * H - 1), 1e-3);
        }
        expect_near("gradient of bias, " + name, to_bias[h * C + 1], slope(&Head::bias, 1, h, B * H - 1), 1e-3);
    }
}

void check_keys() {
    constexpr int64_t B = 2, H = 3, N = 133, D = 2;
    const Numbers positions = drawn(B * N * 3, -1, 1), residuals = drawn(B * N * H * 3, -1, 1);
    const Numbers shift = drawn(H * 3, -1, 1), matrix = drawn(H * 3 * D, -1, 1);
    const Sizes strides = {N * H * 3, H * 3};
    const double gain = 0.7;
    const float* no_affine = nullptr;
    Numbers keys(B * H * N * D), wanted(keys.size());
    call("keys", "keys_forward", positions, residuals, strides, no_affine, 1, shift, matrix, B, H, N, D, gain, keys);
    for (int64_t i = 0; i < B * H * N * D; ++i) {
        const int64_t d = i % D, n = i / D % N, h = i / D / N % H, b = i / D / N / H;
        double sum = 0;
        for (int64_t axis = 0; axis < 3; ++axis) {
            const double at = positions[(b * N + n) * 3 + axis] + residuals[((b * N + n) * H + h) * 3 + axis] + shift[h * 3 + axis];
            sum += at * matrix[(h * 3 + axis) * D + d];
        }
        wanted[i] = static_cast<float>(std::tanh(gain * sum));
    }
    expect_all_near("keys", keys, wanted, 1e-5);
}

void check_norm() {
    constexpr int64_t N = 301, C = 19;
    const Numbers features = drawn(N * C, 2, 5), weight = drawn(C, -1, 1), bias = drawn(C, -1, 1);
    std::vector<uint8_t> mask(N);
    for (int64_t n = 0; n < N; ++n) mask[n] = n % 3 != 0;
    const float* no_residual = nullptr;
    const double eps = 1e-5;
    Numbers mean(C), variance(C), inverse(C), scale(C), scratch(64 * C * (N + 4)), output(N * C);
    call("norm", "norm_statistics", features, C, mask, 1, N, C, weight, eps, mean, variance, inverse, scale, scratch);
    call("norm", "norm_apply", features, C, mask, 1, N, C, mean, scale, bias, 1, no_residual, 0, output, C);
    for (int64_t c = 0; c < C; ++c) {
        double count = 0, sum = 0, squares = 0;
        for (int64_t n = 0; n < N; ++n) count += mask[n], sum += mask[n] * features[n * C + c];
        for (int64_t n = 0; n < N; ++n) squares += mask[n] * std::pow(features[n * C + c] - sum / count, 2);
        for (int64_t n = 0; n < N; ++n) {
            const double wanted = (features[n * C + c] - sum / count) / std::sqrt(squares / count + eps) * weight[c] + bias[c];
            expect_near("norm", output[n * C + c], mask[n] ? std::max(wanted, 0.0) : 0, 1e-4);
        }
    }
}

double distance(const float* a, const float* b) {
    return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2));
}

void check_nearest() {
    constexpr int64_t N = 257;
    const Numbers queries = drawn(N * 3, 0, 1), points = drawn(N * 3, 0, 1);
    const uint8_t* all = nullptr;
    std::vector<int32_t> index(N);
    call("nearest", "nearest_search", queries, points, all, 1, N, N, index);
    for (int64_t i = 0; i < N; ++i) {
        double best = INFINITY;
        for (int64_t j = 0; j < N; ++j) best = std::min(best, distance(&queries[i * 3], &points[j * 3]));
        expect_near("nearest", distance(&queries[i * 3], &points[index[i] * 3]), best, 1e-6);
    }
}

void check_emd() {
    constexpr int64_t N = 128;
    const Numbers a = drawn(N * 3, 0, 1), b = drawn(N * 3, 0, 1);
    const double eps = 1e-4;
    std::vector<int32_t> partner(N);
    call("emd", "emd_assign", a, b, 1, N, eps, 1000 * N, partner);
    std::vector<int32_t> sorted = partner;
    std::sort(sorted.begin(), sorted.end());
    for (int64_t i = 0; i < N; ++i) expect_near("emd is a permutation", sorted[i], static_cast<double>(i), 0);
    // Near the best assignment, no two points gain by an exchange more than the auction's increment for each point.
    const auto cost = [&](int64_t i, int64_t j) { return distance(&a[i * 3], &b[partner[j] * 3]); };
    for (int64_t i = 0; i < N; ++i)
        for (int64_t j = 0; j < i; ++j)
            expect_near("emd", std::max(cost(i, i) + cost(j, j) - cost(i, j) - cost(j, i), 0.0), 0, eps * N);
}

}  // namespace

int main(int, char** arguments) {
    folder = arguments[1];
    for (int channels : {3, 4, 8, 16, 32}) {
        check_transform(channels, {9, 6});
        check_transform(channels, {5, 4, 6});
    }
    check_keys();
    check_norm();
    check_nearest();
    check_emd();
    std::printf(num_wrong == 0 ? "all kernels agree\n" : "%d numbers differ\n", num_wrong);
    return num_wrong != 0;
}
