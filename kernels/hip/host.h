// The facilities of `common.h` on the processor: every GPU thread is a fiber, see `host/fibers.cpp`.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

#define DEVICE [[gnu::always_inline]] static inline
// The same for a static member of a class.
#define DEVICE_MEMBER __attribute__((always_inline)) inline
#define UNROLL
#define NO_UNROLL

// The kernel, and its entry in the list of kernels by name.
#define KERNEL(name, threads, params, call)                                                                          \
    extern "C" void name params { call; }                                                                            \
    static const host::Entry name##_entry(#name, threads, name);

#define SHARED(type, name, n)                                                                                        \
    static type name[n];                                                                                             \
    host::claim(name, sizeof name)

namespace host {

// The place of the running fiber.
struct Place {
    u32 thread, block_x, block_y;
};
extern Place place;

// Waits for every thread of the workgroup. `site` tells one barrier in the source from another.
void sync(const char *file, int line);
// Deposits a value, waits for the 32 threads of the wave, and gives what each of them deposited, 64 bytes apart.
const unsigned char *exchange(const void *value, size_t size, const char *file, int line);
constexpr size_t SLOT = 64;
// Fills shared memory with a pattern of no use, once for each workgroup.
void claim(void *memory, size_t size);

// A kernel that can be launched by name with pointers to its arguments, as HIP does.
struct Entry {
    using Call = void (*)(void (*kernel)(), void **args);
    const char *name;
    u32 threads;
    void (*kernel)();
    Call call;
    const Entry *next;
    size_t n_args;
    const size_t *arg_sizes;

    template <class... A>
    Entry(const char *name, u32 threads, void (*kernel)(A...))
        : name(name), threads(threads), kernel(reinterpret_cast<void (*)()>(kernel)), call(&spread<A...>),
          next(first), n_args(sizeof...(A)), arg_sizes(sizes<A...>()) {
        first = this;
    }
    static const Entry *find(const char *name);
    static const Entry *first;

  private:
    template <class... A> static const size_t *sizes() {
        static const size_t all[] = {sizeof(A)...};
        return all;
    }
    template <class... A> static void spread(void (*kernel)(), void **args) {
        apply<A...>(reinterpret_cast<void (*)(A...)>(kernel), args, std::index_sequence_for<A...>());
    }
    template <class... A, size_t... I>
    static void apply(void (*kernel)(A...), void **args, std::index_sequence<I...>) {
        kernel(*static_cast<std::remove_reference_t<A> *>(args[I])...);
    }
};

} // namespace host

DEVICE void keep_order() {}

DEVICE u32 thread_x() { return host::place.thread; }
DEVICE u32 block_x() { return host::place.block_x; }
DEVICE u32 block_y() { return host::place.block_y; }

DEVICE void sync(const char *file = __builtin_FILE(), int line = __builtin_LINE()) { host::sync(file, line); }

DEVICE float fma(float a, float b, float c) { return std::fmaf(a, b, c); }
DEVICE float magnitude(float x) { return std::fabs(x); }
DEVICE float nearest(float x) { return std::nearbyintf(x); }
DEVICE float root(float x) { return std::sqrt(x); }

// Not every compiler has a type for half precision.
DEVICE float half_to_float(u16 h) {
    const u32 sign = u32(h & 0x8000) << 16, exponent = h >> 10 & 31, rest = h & 0x3ff;
    if (exponent == 31) return __builtin_bit_cast(float, sign | 0x7f800000u | rest << 13);
    // A subnormal number is its last ten bits × 2^-24.
    const float value = exponent ? __builtin_bit_cast(float, (exponent + 112) << 23 | rest << 13) : float(rest) * 0x1p-24f;
    return __builtin_bit_cast(float, sign | __builtin_bit_cast(u32, value));
}

DEVICE u16 float_to_half(float x) {
    const u32 bits = __builtin_bit_cast(u32, x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return u16(sign | 0x7e00);
    if (size >= 0x47800000u) return u16(sign | 0x7c00);
    if (size < 0x38800000u) {
        // Below 2^-14 the step is 2^-24: added to 1/2 × 2^0, whose last bit that is, the processor rounds.
        const float shifted = __builtin_bit_cast(float, size) + 0.5f;
        return u16(sign | (__builtin_bit_cast(u32, shifted) - 0x3f000000u));
    }
    const u32 rounded = size - 0x38000000u + 0xfff + (size >> 13 & 1);
    return u16(sign | rounded >> 13);
}

DEVICE i32 dot4(u32 a, u32 b, i32 c) {
    for (int i = 0; i < 4; ++i) c += i32(i8(a >> (8 * i) & 255)) * i32(i8(b >> (8 * i) & 255));
    return c;
}

template <class T>
DEVICE T shuffle(T x, u32 from, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    static_assert(sizeof(T) == 4);
    T out;
    std::memcpy(&out, host::exchange(&x, sizeof x, file, line) + (from % WAVE) * host::SLOT, sizeof out);
    return out;
}

template <u32 MASK, class T>
DEVICE T shuffle_xor(T x, const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return shuffle(x, host::place.thread % WAVE ^ MASK, file, line);
}
