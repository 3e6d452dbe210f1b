// The routes of this backend, all of them.  Each is written in the .cc named
// in its comment.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

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

class user_one_route final : public route {	// user_one.cc
public:
	constexpr user_one_route() : route("user-syscall",
	    "one thread's memory copied by a BPF system-call program",
	    job::user, 10) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	int copy_on(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
};

class user_iter_route final : public route {	// user_iter.cc
public:
	constexpr user_iter_route() : route("user-iter",
	    "one thread's memory copied by a BPF task iterator",
	    job::user, 20) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	int copy_on(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
};

class user_ipi_route final : public route {	// user_ipi.cc
public:
	constexpr user_ipi_route() : route("user-ipi",
	    "its memory copied in an interrupt on the thread's CPU",
	    job::user_running, 10) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	bool both_sides() const noexcept override { return true; }
};

class user_each_route final : public route {	// user_each.cc
public:
	constexpr user_each_route() : route("user-iter",
	    "all threads' memory copied by a BPF task iterator",
	    job::user_each, 10) {}
	verdict can() noexcept override;
	int each_copy(pid_t, bool, sides_sink, void *) noexcept override;
	int copy_on(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
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
