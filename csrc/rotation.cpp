// Rotation matrices from rotation vectors, and the gradient; ops/rotation says what they mean.
//
// R = I + a K + b K^2, where K v' = v x v', K^2 = v v^T - |v|^2 I, a = sin(t) / t, b = (1 - cos(t)) / t^2 and t = |v|, but t
// at least .01. In double precision: the differences in a and b and their derivatives lose half of all digits.
//
// Letters: H heads, D columns that are wanted.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

constexpr double LEAST_SQUARE = 1e-4;

struct Rotation {
    double v[3], square, t, a, b;

    explicit Rotation(const float* log) : v{log[0], log[1], log[2]} {
        square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        const double clamped = std::max(square, LEAST_SQUARE);
        t = std::sqrt(clamped);
        a = std::sin(t) / t;
        b = (1 - std::cos(t)) / clamped;
    }

    double skew(int i, int j) const {
        if (i == j) return 0;
        return (j == (i + 1) % 3 ? -1 : 1) * v[3 - i - j];
    }

    double squared_skew(int i, int j) const { return v[i] * v[j] - (i == j ? square : 0); }
};

}  // namespace

extern "C" {

// logs: [H, 3], matrices: [H, 3, D], the first D columns of R.
void rotation_forward(const float* logs, int64_t heads, int64_t columns, float* matrices, int64_t) {
    for (int64_t h = 0; h < heads; ++h) {
        const Rotation r(logs + h * 3);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < columns; ++j) {
                const double entry = (i == j) + r.a * r.skew(i, j) + r.b * r.squared_skew(i, j);
                matrices[(h * 3 + i) * columns + j] = static_cast<float>(entry);
            }
        }
    }
}

// gradient: [H, 3, D], that of the matrices; log_gradient: [H, 3].
void rotation_backward(const float* gradient, const float* logs, int64_t heads, int64_t columns, float* log_gradient,
                       int64_t) {
    for (int64_t h = 0; h < heads; ++h) {
        const Rotation r(logs + h * 3);
        double g[3][3] = {}, to_a = 0, to_b = 0, trace = 0;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < columns; ++j) {
                g[i][j] = gradient[(h * 3 + i) * columns + j];
                to_a += g[i][j] * r.skew(i, j);
                to_b += g[i][j] * r.squared_skew(i, j);
            }
            trace += g[i][i];
        }
        const double slope_a = (r.t * std::cos(r.t) - std::sin(r.t)) / (r.t * r.t * r.t);
        const double slope_b = (r.t * std::sin(r.t) - 2 * (1 - std::cos(r.t))) / (r.t * r.t * r.t * r.t);
        const double through_t = r.square >= LEAST_SQUARE ? to_a * slope_a + to_b * slope_b : 0;  // per unit of v
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            double to_v = r.a * (g[j][i] - g[i][j]) + (through_t - 2 * r.b * trace) * r.v[k];
            for (int n = 0; n < 3; ++n) to_v += r.b * (g[k][n] + g[n][k]) * r.v[n];
            log_gradient[h * 3 + k] = static_cast<float>(to_v);
        }
    }
}

}
