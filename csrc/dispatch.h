// From run-time numbers to compile-time ones, and from a tensor's pointer and strides to one head's rows.
#pragma once

#include <type_traits>

#include "head.h"

template <int Value>
using Constant = std::integral_constant<int, Value>;

// Calls action(C, D) with constants; C is 0 where no kernel is specialised for that channel count.
template <typename Action>
void with_constants(int64_t channels, int64_t dimension, const Action& action) {
    auto with_dimension = [&](auto c) { dimension == 2 ? action(c, Constant<2>()) : action(c, Constant<3>()); };
    switch (channels) {
        case 4: return with_dimension(Constant<4>());
        case 8: return with_dimension(Constant<8>());
        case 16: return with_dimension(Constant<16>());
        case 32: return with_dimension(Constant<32>());
        default: return with_dimension(Constant<0>());
    }
}

// Rows of head h of cloud b in a tensor [B, H, N, .] with strides {b, h, n} and a contiguous last axis.
template <typename T>
Rows<T> head_rows(T* tensor, const int64_t* strides, int64_t b, int64_t h) {
    return {tensor + b * strides[0] + h * strides[1], strides[2]};
}

template <int D>
HeadPoints<D> head_points(const float* keys, const int64_t* strides, const uint8_t* mask, int64_t num_points, int64_t b,
                          int64_t h) {
    return {head_rows(keys, strides, b, h), mask == nullptr ? nullptr : mask + b * num_points, num_points};
}
