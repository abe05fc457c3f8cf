// Runs kernels on request, so that a test can watch them from outside of the process that the sanitizers may end.
//
// Reads launches from standard input until it ends, all numbers little-endian of 32 bits: length and name of the
// kernel, grid x and y, threads, number of arguments, and each argument as 0, length, bytes (a value) or 1, length,
// bytes (a buffer). Answers each with 0 and the bytes of its buffers, or with 1, length and text of what is wrong. A
// launch runs twice, with the threads in opposite orders; both have to end in the same bytes.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "fibers.h"

namespace {

bool read_all(void *to, size_t n) { return std::fread(to, 1, n, stdin) == n; }

bool read_word(u32 &word) { return read_all(&word, sizeof word); }

void write_word(u32 word) { std::fwrite(&word, sizeof word, 1, stdout); }

// Memory of exactly so many bytes, so that the first one after it is watched.
struct Buffer {
    std::unique_ptr<unsigned char[]> bytes;
    size_t size = 0;

    explicit Buffer(size_t n) : bytes(new unsigned char[n]), size(n) {}
    Buffer(const Buffer &other) : Buffer(other.size) { std::memcpy(bytes.get(), other.bytes.get(), size); }
    Buffer(Buffer &&) = default;
};

struct Request {
    std::string name;
    u32 grid_x = 0, grid_y = 0, threads = 0;
    std::vector<u32> is_buffer;
    std::vector<Buffer> args;
};

bool read_request(Request &r) {
    u32 n = 0, n_args = 0;
    if (!read_word(n)) return false;
    r.name.resize(n);
    if (!read_all(r.name.data(), n) || !read_word(r.grid_x) || !read_word(r.grid_y) || !read_word(r.threads) ||
        !read_word(n_args))
        return false;
    for (u32 i = 0; i < n_args; ++i) {
        u32 kind = 0, size = 0;
        if (!read_word(kind) || !read_word(size)) return false;
        Buffer b(size);
        if (!read_all(b.bytes.get(), size)) return false;
        r.is_buffer.push_back(kind);
        r.args.push_back(std::move(b));
    }
    return true;
}

// Runs the request on its buffers.
std::string run(Request &r, host::Order order) {
    const host::Entry *kernel = host::Entry::find(r.name.c_str());
    if (!kernel) return "there is no kernel " + r.name;
    if (kernel->n_args != r.args.size())
        return r.name + " has " + std::to_string(kernel->n_args) + " arguments, not " + std::to_string(r.args.size());
    std::vector<unsigned char *> pointers(r.args.size());
    std::vector<void *> args;
    for (size_t i = 0; i < r.args.size(); ++i) {
        const size_t size = r.is_buffer[i] ? sizeof(void *) : r.args[i].size;
        if (size != kernel->arg_sizes[i]) return r.name + ": argument " + std::to_string(i) + " has another size";
        // An empty buffer is no buffer.
        pointers[i] = r.args[i].size ? r.args[i].bytes.get() : nullptr;
        args.push_back(r.is_buffer[i] ? static_cast<void *>(&pointers[i]) : pointers[i]);
    }
    return host::run({kernel, r.grid_x, r.grid_y, r.threads, args.data(), order});
}

std::string run_both(Request &r) {
    Request again{r.name, r.grid_x, r.grid_y, r.threads, r.is_buffer, r.args};
    if (auto wrong = run(r, host::Order::Forward); !wrong.empty()) return wrong;
    if (auto wrong = run(again, host::Order::Backward); !wrong.empty()) return wrong;
    for (size_t i = 0; i < r.args.size(); ++i)
        if (r.args[i].size && std::memcmp(r.args[i].bytes.get(), again.args[i].bytes.get(), r.args[i].size) != 0)
            return r.name + ": the result depends on the order of the threads (argument " + std::to_string(i) + ")";
    return {};
}

} // namespace

int main() {
    for (;;) {
        Request r;
        if (!read_request(r)) return 0;
        const std::string wrong = run_both(r);
        write_word(wrong.empty() ? 0 : 1);
        if (!wrong.empty()) {
            write_word(u32(wrong.size()));
            std::fwrite(wrong.data(), 1, wrong.size(), stdout);
        } else {
            for (size_t i = 0; i < r.args.size(); ++i)
                if (r.is_buffer[i]) std::fwrite(r.args[i].bytes.get(), 1, r.args[i].size, stdout);
        }
        std::fflush(stdout);
    }
}
