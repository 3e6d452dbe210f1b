// The routes of this backend, all of them.  Each is written in the .cc named
// in its comment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <backend.h>

namespace stack9::bpf {

class one_route final : public route {		// one.cc
public:
	constexpr one_route() : route("syscall",
	    "one thread by a BPF system-call program", job::kernel, 10) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept override;
};

class iter_tid_route final : public route {	// iter_one.cc
public:
	constexpr iter_tid_route() : route("iter-tid",
	    "one thread by a BPF task iterator restricted to it",
	    job::kernel, 20) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept override;
};

class iter_filter_route final : public route {	// iter_one.cc
public:
	constexpr iter_filter_route() : route("iter-filter",
	    "one thread by a BPF task iterator over all of them",
	    job::kernel, 30) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept override;
};

class ipi_route final : public route {		// ipi.cc
public:
	constexpr ipi_route() : route("ipi",
	    "a BPF program in an interrupt on the thread's CPU",
	    job::running, 10) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept override;
};

class perf_route final : public route {		// perf.cc
public:
	constexpr perf_route() : route("perf",
	    "a BPF program on the thread's own clock event",
	    job::running, 20) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack9_record &, lead &)
	    noexcept override;
};

class iter_route final : public route {		// iter_each.cc
public:
	constexpr iter_route() : route("iter",
	    "all threads in one pass of a BPF task iterator",
	    job::each, 10) {}
	verdict can() noexcept override;
	int each(pid_t, sink, void *) noexcept override;
};

class name_route final : public route {		// name.cc
public:
	constexpr name_route() : route("snprintf",
	    "the kernel's own formatting in a BPF program",
	    job::name, 10) {}
	verdict can() noexcept override;
	int find(std::uintptr_t, unsigned int, stack9_symbol &)
	    noexcept override;
	bool ready() const noexcept override;
};

} // namespace stack9::bpf
