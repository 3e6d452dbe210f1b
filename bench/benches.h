// Declares the benchmarks, each in the file of its name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

void bench_one_thread();
void bench_all_threads();
void bench_running();
void bench_own_stack();
void bench_programs(const char *stackprint);
void bench_waits(const char *stackprint, bool quick);

// A target: threads, and frames of its own functions in each.
struct user_row {
	unsigned threads;
	unsigned frames;
};
// quick: a few seconds a row, most of them gdb's.
void bench_user_dump(const char *stackprint, const std::vector<user_row> &,
    bool quick);
void bench_user_capture(bool quick);
void bench_user_names(bool quick);
void bench_user_machine(bool quick);
void bench_languages(bool quick);
void bench_async(bool quick);
void bench_events(const char *stackprint, bool quick);
void bench_event_programs(const char *stackprint, bool quick);
