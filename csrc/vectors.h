// Channels as vectors, in the compiler's own vector types: the same source becomes AVX-512, AVX2, NEON or plain code.
#pragma once

#include <cstdint>
#include <cstring>

// Lanes that one vector takes of C channels; 1 where C is known at run time only (C = 0).
template <int C>
constexpr int LANES = C == 0 ? 1 : C < 16 ? C : 16;

template <int Lanes>
struct VectorOf {
    typedef float Floats __attribute__((vector_size(Lanes * sizeof(float))));
    typedef int32_t Ints __attribute__((vector_size(Lanes * sizeof(int32_t))));
};
template <>
struct VectorOf<1> {
    using Floats = float;
    using Ints = int32_t;
};

template <int C>
using Floats = typename VectorOf<LANES<C>>::Floats;
template <int C>
using Ints = typename VectorOf<LANES<C>>::Ints;

template <typename Vector, typename T>
inline Vector load(const T* from) {
    Vector vector;
    std::memcpy(&vector, from, sizeof(Vector));
    return vector;
}

template <typename Vector, typename T>
inline void store(T* to, Vector vector) {
    std::memcpy(to, &vector, sizeof(Vector));
}

// Whether the compiler can take vectors of one length apart into, and put them together from, those of another.
#if defined(__clang__) || __GNUC__ >= 12
constexpr bool CAN_RESIZE = true;
#define RESIZE(vector, ...) __builtin_shufflevector(vector, vector, __VA_ARGS__)
#else
constexpr bool CAN_RESIZE = false;
#define RESIZE(vector, ...) vector
#endif

// The vector twice, one copy after the other.
template <int Lanes>
inline auto twice(typename VectorOf<Lanes>::Floats vector) {
    static_assert(Lanes == 4 || Lanes == 8);
    if constexpr (Lanes == 4) {
        return RESIZE(vector, 0, 1, 2, 3, 0, 1, 2, 3);
    } else {
        return RESIZE(vector, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
    }
}

// The sum of a vector's two halves.
template <int Lanes>
inline typename VectorOf<Lanes / 2>::Floats folded(typename VectorOf<Lanes>::Floats vector) {
    using Half = typename VectorOf<Lanes / 2>::Floats;
    if constexpr (CAN_RESIZE && Lanes == 16) {
        return Half(RESIZE(vector, 0, 1, 2, 3, 4, 5, 6, 7)) + Half(RESIZE(vector, 8, 9, 10, 11, 12, 13, 14, 15));
    } else if constexpr (CAN_RESIZE && Lanes == 8) {
        return Half(RESIZE(vector, 0, 1, 2, 3)) + Half(RESIZE(vector, 4, 5, 6, 7));
    } else if constexpr (Lanes == 2) {
        return vector[0] + vector[1];
    } else {
        float lanes[Lanes];
        store(lanes, vector);
        return load<Half>(lanes) + load<Half>(lanes + Lanes / 2);
    }
}

// The sum of all lanes, by halves.
template <int Lanes>
inline float sum_lanes(typename VectorOf<Lanes>::Floats vector) {
    if constexpr (Lanes == 1) {
        return vector;
    } else if constexpr (Lanes == 4) {
        return (vector[0] + vector[2]) + (vector[1] + vector[3]);
    } else {
        return sum_lanes<Lanes / 2>(folded<Lanes>(vector));
    }
}
