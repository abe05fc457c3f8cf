// The facilities of `common.h` on the card. Only what the compiler itself provides: no header or library of ROCm.
#pragma once

#define DEVICE __attribute__((device, always_inline)) inline
#define DEVICE_MEMBER __attribute__((device, always_inline)) inline
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("clang loop unroll(disable)")

// A kernel for workgroups of at most `threads` threads.
#define KERNEL(name, threads, params, call)                                                                          \
    extern "C" __attribute__((global, amdgpu_flat_work_group_size(32, threads))) void name params { call; }

// Memory that the threads of a workgroup share; undefined at its start.
#define SHARED(type, name, n) __attribute__((shared)) type name[n]

// The compiler moves nothing across: what follows is loaded later, into registers that are free by then.
DEVICE void keep_order() {
    asm volatile("" ::: "memory");
    __builtin_amdgcn_sched_barrier(0);
}

DEVICE u32 thread_x() { return __builtin_amdgcn_workitem_id_x(); }
DEVICE u32 block_x() { return __builtin_amdgcn_workgroup_id_x(); }
DEVICE u32 block_y() { return __builtin_amdgcn_workgroup_id_y(); }

// Every thread of the workgroup has written to shared memory before any goes on. Says nothing about global memory.
DEVICE void sync() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup", "local");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup", "local");
}

DEVICE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
DEVICE float magnitude(float x) { return __builtin_fabsf(x); }
// The nearest whole number, ties to even.
DEVICE float nearest(float x) { return __builtin_rintf(x); }
DEVICE float root(float x) { return __builtin_sqrtf(x); }
DEVICE float half_to_float(u16 bits) { return float(__builtin_bit_cast(_Float16, bits)); }
DEVICE u16 float_to_half(float x) { return __builtin_bit_cast(u16, _Float16(x)); }

// `c` plus four products of signed bytes.
DEVICE i32 dot4(u32 a, u32 b, i32 c) {
#if defined(__gfx1030__)
    return __builtin_amdgcn_sdot4(i32(a), i32(b), c, false);
#else
    return __builtin_amdgcn_sudot4(true, i32(a), true, i32(b), c, false);
#endif
}

// The value of the thread whose number within the wave differs in the bit `MASK`. Within 16 threads a modifier of the
// reading instruction; across them a swizzle. `permlanex16` is avoided: clang 19 may move it into a branch that
// follows, where the other half has gone.
template <u32 MASK, class T> DEVICE T shuffle_xor(T x) {
    static_assert(sizeof(T) == 4 && (MASK == 1 || MASK == 2 || MASK == 4 || MASK == 8 || MASK == 16));
    const i32 bits = __builtin_bit_cast(i32, x);
    if constexpr (MASK == 16) {
        return __builtin_bit_cast(T, __builtin_amdgcn_ds_swizzle(bits, 0x401f));
    } else {
        return __builtin_bit_cast(T, __builtin_amdgcn_update_dpp(0, bits, 0x160 | MASK, 0xf, 0xf, true));
    }
}

// The value of thread `from` of the wave.
template <class T> DEVICE T shuffle(T x, u32 from) {
    static_assert(sizeof(T) == 4);
    return __builtin_bit_cast(T, __builtin_amdgcn_ds_bpermute(i32(from * 4), __builtin_bit_cast(i32, x)));
}
