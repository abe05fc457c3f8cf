#include "fibers.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#endif
#if defined(WITH_ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <ucontext.h>
#endif

namespace host {

Place place;
const Entry *Entry::first = nullptr;

const Entry *Entry::find(const char *name) {
    for (const Entry *e = first; e; e = e->next)
        if (std::strcmp(e->name, name) == 0) return e;
    return nullptr;
}

namespace {

constexpr size_t STACK = 256 << 10;

// ---- Switching stacks -------------------------------------------------------------------------------------------

// Saves what a called function must keep on the present stack, leaves that stack in `*from`, and goes on where `to` was
// left.
#if defined(__x86_64__)
extern "C" void switch_stack(void **from, void *to);
asm(R"(
.text
.globl switch_stack
switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

void *fresh_stack(unsigned char *top, void (*entry)()) {
    // At its first instruction a function's stack is 8 beyond a multiple of 16, as after a call.
    auto words = reinterpret_cast<std::uintptr_t *>(top - 16);
    *words = 0;
    *--words = reinterpret_cast<std::uintptr_t>(entry);
    for (int i = 0; i < 6; ++i) *--words = 0;
    return words;
}
#elif defined(__aarch64__)
extern "C" void switch_stack(void **from, void *to);
asm(R"(
.text
.globl switch_stack
switch_stack:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
)");

void *fresh_stack(unsigned char *top, void (*entry)()) {
    auto words = reinterpret_cast<std::uintptr_t *>(top - 160);
    for (int i = 0; i < 20; ++i) words[i] = 0;
    words[11] = reinterpret_cast<std::uintptr_t>(entry);
    return words;
}
#endif

// ---- Fibers -----------------------------------------------------------------------------------------------------

enum class State { Ready, AtBarrier, InWave, Done };

struct Fiber {
    State state;
    const char *file;
    int line;
    std::unique_ptr<unsigned char[]> stack;
    void *fake_stack = nullptr;
#if defined(__x86_64__) || defined(__aarch64__)
    void *at;
#else
    ucontext_t at;
#endif
};

// What the threads of a wave deposit. An exchange that comes next may begin before all have read the one before.
struct Wave {
    alignas(16) unsigned char slots[2][WAVE * SLOT];
};

std::vector<Fiber> fibers;
std::vector<Wave> waves;
std::vector<unsigned char> parity;
const Launch *current;
// Counts workgroups over all launches.
u64 group = 0;
#if defined(__x86_64__) || defined(__aarch64__)
void *scheduler;
#else
ucontext_t scheduler;
#endif
#if defined(WITH_ASAN)
const void *scheduler_stack;
size_t scheduler_size;
void *scheduler_fake;
#endif

void to_fiber(Fiber &f) {
#if defined(WITH_ASAN)
    __sanitizer_start_switch_fiber(&scheduler_fake, f.stack.get(), STACK);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    switch_stack(&scheduler, f.at);
#else
    swapcontext(&scheduler, &f.at);
#endif
#if defined(WITH_ASAN)
    __sanitizer_finish_switch_fiber(scheduler_fake, nullptr, nullptr);
#endif
}

void to_scheduler(Fiber &f) {
#if defined(WITH_ASAN)
    __sanitizer_start_switch_fiber(f.state == State::Done ? nullptr : &f.fake_stack, scheduler_stack, scheduler_size);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    switch_stack(&f.at, scheduler);
#else
    swapcontext(&f.at, &scheduler);
#endif
#if defined(WITH_ASAN)
    __sanitizer_finish_switch_fiber(f.fake_stack, &scheduler_stack, &scheduler_size);
#endif
}

void fiber_main() {
#if defined(WITH_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, &scheduler_stack, &scheduler_size);
#endif
    current->kernel->call(current->kernel->kernel, current->args);
    Fiber &f = fibers[place.thread];
    f.state = State::Done;
    to_scheduler(f);
    std::abort();
}

void start(Fiber &f) {
    f.state = State::Ready;
    if (!f.stack) f.stack.reset(new unsigned char[STACK]);
#if defined(WITH_ASAN)
    // What the frames of an earlier run left marked.
    __asan_unpoison_memory_region(f.stack.get(), STACK);
#endif
#if defined(__x86_64__) || defined(__aarch64__)
    const auto end = reinterpret_cast<std::uintptr_t>(f.stack.get() + STACK) & ~std::uintptr_t(15);
    f.at = fresh_stack(reinterpret_cast<unsigned char *>(end), fiber_main);
#else
    getcontext(&f.at);
    f.at.uc_stack.ss_sp = f.stack.get();
    f.at.uc_stack.ss_size = STACK;
    f.at.uc_link = nullptr;
    makecontext(&f.at, fiber_main, 0);
#endif
}

std::string name(State state) {
    switch (state) {
    case State::Ready: return "runs";
    case State::AtBarrier: return "waits at the barrier";
    case State::InWave: return "waits for its wave";
    case State::Done: return "has ended";
    }
    return "";
}

std::string says(u32 thread) {
    const Fiber &f = fibers[thread];
    std::string text = "thread " + std::to_string(thread) + " " + name(f.state);
    if (f.state == State::AtBarrier || f.state == State::InWave)
        text += std::string(" of ") + f.file + ":" + std::to_string(f.line);
    return text;
}

// Whether two threads are at the same place: then they go on together.
bool together(u32 a, u32 b) {
    const Fiber &x = fibers[a], &y = fibers[b];
    if (x.state != y.state) return false;
    return x.state == State::Done || (x.line == y.line && std::strcmp(x.file, y.file) == 0);
}

std::string apart(u32 a, u32 b) {
    return "the threads of a workgroup part ways: " + says(a) + ", " + says(b) + " (" + current->kernel->name + ")";
}

// Runs the threads of a wave until all have ended or wait for other waves.
std::string run_wave(u32 first) {
    for (;;) {
        for (u32 i = 0; i < WAVE; ++i) {
            const u32 t = first + (current->order == Order::Forward ? i : WAVE - 1 - i);
            if (fibers[t].state != State::Ready) continue;
            place.thread = t;
            to_fiber(fibers[t]);
        }
        for (u32 i = 1; i < WAVE; ++i)
            if (!together(first, first + i)) return apart(first, first + i);
        if (fibers[first].state != State::InWave) return {};
        for (u32 i = 0; i < WAVE; ++i) fibers[first + i].state = State::Ready;
    }
}

std::string run_group() {
    const u32 n = current->threads;
    for (u32 t = 0; t < n; ++t) start(fibers[t]);
    for (;;) {
        for (u32 w = 0; w < n / WAVE; ++w) {
            const u32 at = current->order == Order::Forward ? w : n / WAVE - 1 - w;
            if (auto wrong = run_wave(at * WAVE); !wrong.empty()) return wrong;
        }
        for (u32 w = 1; w < n / WAVE; ++w)
            if (!together(0, w * WAVE)) return apart(0, w * WAVE);
        if (fibers[0].state == State::Done) return {};
        for (u32 t = 0; t < n; ++t) fibers[t].state = State::Ready;
    }
}

} // namespace

void sync(const char *file, int line) {
    Fiber &f = fibers[place.thread];
    f.state = State::AtBarrier;
    f.file = file;
    f.line = line;
    to_scheduler(f);
}

const unsigned char *exchange(const void *value, size_t size, const char *file, int line) {
    if (size > SLOT) std::abort();
    const u32 thread = place.thread;
    unsigned char *slots = waves[thread / WAVE].slots[parity[thread] ^= 1];
    std::memcpy(slots + thread % WAVE * SLOT, value, size);
    Fiber &f = fibers[thread];
    f.state = State::InWave;
    f.file = file;
    f.line = line;
    to_scheduler(f);
    return slots;
}

void claim(void *memory, size_t size) {
    static std::vector<std::pair<void *, u64>> claimed;
    for (auto &[known, when] : claimed) {
        if (known != memory) continue;
        if (when == group) return;
        when = group;
        std::memset(memory, 0xff, size);
        return;
    }
    claimed.emplace_back(memory, group);
    std::memset(memory, 0xff, size);
}

std::string run(const Launch &launch) {
    if (launch.threads == 0 || launch.threads % WAVE != 0 || launch.threads > launch.kernel->threads)
        return std::string(launch.kernel->name) + " runs with whole waves, at most " +
               std::to_string(launch.kernel->threads) + " threads; asked for " + std::to_string(launch.threads);
    current = &launch;
    if (fibers.size() < launch.threads) fibers.resize(launch.threads);
    waves.resize(launch.threads / WAVE);
    parity.assign(launch.threads, 0);
    const u64 groups = u64(launch.grid_x) * launch.grid_y;
    for (u64 i = 0; i < groups; ++i) {
        const u64 at = launch.order == Order::Forward ? i : groups - 1 - i;
        place.block_x = u32(at % launch.grid_x);
        place.block_y = u32(at / launch.grid_x);
        ++group;
        if (auto wrong = run_group(); !wrong.empty()) return wrong;
    }
    return {};
}

} // namespace host
