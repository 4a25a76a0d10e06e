// Vectors of floats as wide as the target's registers, in the compiler's own vector types: one source for all of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors never cross the border of a library, so their ABI does not matter
#endif

// Floats of one of the target's registers; without vectors, compilers make plain code of four.
#if defined(__AVX512F__)
constexpr int TARGET_LANES = 16;
#elif defined(__AVX__)
constexpr int TARGET_LANES = 8;
#else
constexpr int TARGET_LANES = 4;
#endif

// Floats of the widest vectors used. Tests set it by hand: compilers take vectors apart that the target does not have.
#ifdef CLOUDT_LANES
constexpr int WIDEST = CLOUDT_LANES;
#else
constexpr int WIDEST = TARGET_LANES;
#endif
static_assert(WIDEST == 4 || WIDEST == 8 || WIDEST == 16);

// What blocks of sums are fitted to.
#ifdef __aarch64__
constexpr int REGISTERS = 32;
#else
constexpr int REGISTERS = WIDEST == 16 ? 32 : 16;
#endif

// Lanes that one vector takes of C channels; 1 where C is known at run time only (C = 0).
template <int C>
constexpr int LANES = C == 0 ? 1 : C < WIDEST ? C : WIDEST;

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
inline void store(T* to, const Vector& vector) {
    std::memcpy(to, &vector, sizeof(Vector));
}

// The same vector, in a register. A compiler may otherwise load it again for each use, as an operand of the instruction.
template <typename Vector>
inline Vector in_register(Vector vector) {
#ifdef __x86_64__
    if constexpr (sizeof(Vector) == TARGET_LANES * sizeof(float)) asm("" : "+v"(vector));
#endif
    return vector;
}

// Whether the compiler can take vectors of one length apart into, and put them together from, those of another.
#if defined(__clang__) || __GNUC__ >= 12
constexpr bool CAN_RESIZE = true;
#define SHUFFLED(vector, type, ...) __builtin_shufflevector(vector, vector, __VA_ARGS__)
#else
constexpr bool CAN_RESIZE = false;
#define SHUFFLED(vector, type, ...) __builtin_shuffle(vector, type{__VA_ARGS__})
#endif

template <int Lanes>
using Numbers = std::make_integer_sequence<int, Lanes>;  // 0 to Lanes - 1: of the lanes of a shuffle's result

// The vector twice, one copy after the other.
template <int Lanes, int... Lane>
inline auto twice(typename VectorOf<Lanes>::Floats vector, std::integer_sequence<int, Lane...>) {
    return SHUFFLED(vector, typename VectorOf<Lanes>::Ints, Lane % Lanes...);
}

// Within every C lanes: each takes what stands `By` lanes behind it, in a circle.
template <int C, int By, int Lanes, int... Lane>
inline auto rotated(typename VectorOf<Lanes>::Floats vector, std::integer_sequence<int, Lane...>) {
    return SHUFFLED(vector, typename VectorOf<Lanes>::Ints, Lane / C * C + (Lane + By) % C...);
}

// One of a vector's two halves.
template <int Lanes, int First, int... Lane>
inline auto part(typename VectorOf<Lanes>::Floats vector, std::integer_sequence<int, Lane...>) {
    return SHUFFLED(vector, typename VectorOf<Lanes>::Ints, First + Lane...);
}

// The sum of a vector's two halves.
template <int Lanes>
inline typename VectorOf<Lanes / 2>::Floats folded(typename VectorOf<Lanes>::Floats vector) {
    using Half = typename VectorOf<Lanes / 2>::Floats;
    if constexpr (Lanes == 2) {
        return vector[0] + vector[1];
    } else if constexpr (CAN_RESIZE) {
        using Of = Numbers<Lanes / 2>;
        return Half(part<Lanes, 0>(vector, Of())) + Half(part<Lanes, Lanes / 2>(vector, Of()));
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
