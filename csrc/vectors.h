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

// The sum of all lanes, by halves.
template <int Lanes>
inline float sum_lanes(typename VectorOf<Lanes>::Floats vector) {
    if constexpr (Lanes == 1) {
        return vector;
    } else {
        using Half = typename VectorOf<Lanes / 2>::Floats;
        float lanes[Lanes];
        store(lanes, vector);
        return sum_lanes<Lanes / 2>(load<Half>(lanes) + load<Half>(lanes + Lanes / 2));
    }
}
