// Work split over short-lived threads.
//
// A pool (and OpenMP's is one) dies in a forked child and hangs it; a thread costs 10-20 us to start, which is little
// beside a kernel's milliseconds. Which thread does an item never changes what is computed: items own their outputs.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <system_error>
#include <thread>
#include <vector>

// Calls work(item, worker) for every item in [0, num_items); `worker` < the number of threads names private scratch.
template <typename Work>
void parallel_for(int64_t num_items, int num_threads, const Work& work) {
    const int workers = static_cast<int>(std::min<int64_t>(std::max(num_threads, 1), num_items));
    std::atomic<int64_t> next{0};
    auto run = [&](int worker) {
        for (int64_t item; (item = next.fetch_add(1, std::memory_order_relaxed)) < num_items;) work(item, worker);
    };
    std::vector<std::thread> threads;
    for (int worker = 1; worker < workers; ++worker) {
        try {
            threads.emplace_back(run, worker);
        } catch (const std::system_error&) {
            break;  // no more threads to be had: those at hand do the rest
        }
    }
    run(0);
    for (auto& thread : threads) thread.join();
}
