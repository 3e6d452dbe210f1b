// The benchmarks, each in the file of its name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

void bench_one_thread();
void bench_all_threads();
void bench_running();
void bench_own_stack();
void bench_programs(const char *stackprint);
