// Runs kernels on the processor with one fiber for each thread of a workgroup.
#pragma once

#include <string>

#include "../common.h"

namespace host {

// The order in which the threads that can go on do so. A kernel's result must not depend on it.
enum class Order { Forward, Backward };

struct Launch {
    const Entry *kernel;
    u32 grid_x, grid_y, threads;
    void **args;
    Order order;
};

// Runs a whole grid, workgroup by workgroup. Returns what went wrong, or nothing.
std::string run(const Launch &launch);

} // namespace host
