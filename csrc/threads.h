// Work split over threads. Which thread does an item never changes what is computed: items own their outputs.
//
// Torch's own worker threads are used where there are any: between torch's operators they stay awake for a while, and
// threads beside them would compete for the same cores. They are reached through the entry point of the OpenMP runtime
// that torch has already loaded, so nothing is linked and no flag is needed. A forked child inherits that runtime but not
// its threads, and would wait for them forever: there, and where no such runtime is loaded, short-lived threads do the
// work (10-30 us to start one).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

#ifndef _WIN32
#include <dlfcn.h>
#include <unistd.h>
#endif

// void GOMP_parallel(void (*function)(void*), void* argument, unsigned num_threads, unsigned flags)
using RunParallel = void (*)(void (*)(void*), void*, unsigned, unsigned);

#ifdef _WIN32
inline RunParallel torch_threads() { return nullptr; }
#else
inline const pid_t LOADED_BY = getpid();

inline RunParallel torch_threads() {
    static const auto run = reinterpret_cast<RunParallel>(dlsym(RTLD_DEFAULT, "GOMP_parallel"));
    return getpid() == LOADED_BY ? run : nullptr;
}
#endif

// Calls work(item, worker) for every item in [0, num_items); `worker` < the number of threads names private scratch.
template <typename Work>
void parallel_for(int64_t num_items, int num_threads, const Work& work) {
    const int workers = static_cast<int>(std::min<int64_t>(std::max(num_threads, 1), num_items));
    std::atomic<int64_t> next_item{0};
    std::atomic<int> next_worker{0};
    auto run = [&] {
        const int worker = next_worker.fetch_add(1, std::memory_order_relaxed);
        for (int64_t item; (item = next_item.fetch_add(1, std::memory_order_relaxed)) < num_items;) work(item, worker);
    };
    if (workers <= 1) return run();
    if (const RunParallel run_parallel = torch_threads()) {
        run_parallel([](void* argument) { (*static_cast<decltype(run)*>(argument))(); }, &run, workers, 0);
        return;
    }
    std::vector<std::thread> threads;
    for (int worker = 1; worker < workers; ++worker) {
        try {
            threads.emplace_back(run);
        } catch (const std::system_error&) {
            break;  // no more threads to be had: those at hand do the rest
        }
    }
    run();
    for (auto& thread : threads) thread.join();
}
