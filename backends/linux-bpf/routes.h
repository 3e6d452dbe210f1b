// Declares the routes of this backend.  The comment at each names the file that
// implements it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "core/seam/backend.h"

namespace stack9::bpf {

class one_route final : public kernel_route {		// one.cc
public:
	constexpr one_route() : kernel_route("syscall",
	    "one thread by a BPF system-call program", 10) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &, lead &)
	    noexcept override;
};

class iter_tid_route final : public kernel_route {	// iter_one.cc
public:
	constexpr iter_tid_route() : kernel_route("iter-tid",
	    "one thread by a BPF task iterator restricted to it",
	    20) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &, lead &)
	    noexcept override;
};

class iter_filter_route final : public kernel_route {	// iter_one.cc
public:
	constexpr iter_filter_route() : kernel_route("iter-filter",
	    "one thread by a BPF task iterator over all of them",
	    30) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &, lead &)
	    noexcept override;
};

class ipi_route final : public running_route {	// ipi.cc
public:
	constexpr ipi_route() : running_route("ipi",
	    "a BPF program in an interrupt on the thread's CPU",
	    10) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &, const lead &)
	    noexcept override;
};

class perf_route final : public running_route {	// perf.cc
public:
	constexpr perf_route() : running_route("perf",
	    "a BPF program on the thread's own clock event",
	    20) {}
	verdict can() noexcept override;
	int save(const stack9_thread &, stack_record &, const lead &)
	    noexcept override;
};

class iter_route final : public pass_route {	// iter_each.cc
public:
	constexpr iter_route() : pass_route("iter",
	    "all threads in one pass of a BPF task iterator",
	    10) {}
	verdict can() noexcept override;
	int each(pid_t, sink, void *) noexcept override;
};

class user_one_route final : public stack9::user_route {	// user_one.cc
public:
	constexpr user_one_route() : stack9::user_route("user-syscall",
	    "one thread's memory copied by a BPF system-call program",
	    10) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	int extend_copy(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
	bool stops() const noexcept override { return false; }
};

class user_iter_route final : public stack9::user_route {	// user_iter.cc
public:
	constexpr user_iter_route() : stack9::user_route("user-iter",
	    "one thread's memory copied by a BPF task iterator",
	    20) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, lead &) noexcept override;
	int extend_copy(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
	bool stops() const noexcept override { return false; }
};

class user_ipi_route final : public user_running_route {	// user_ipi.cc
public:
	constexpr user_ipi_route() : user_running_route("user-ipi",
	    "its memory copied in an interrupt on the thread's CPU",
	    10) {}
	verdict can() noexcept override;
	int copy(const stack9_thread &, sides &, const lead &)
	    noexcept override;
	int
	extend_copy(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override
	{
		return EOPNOTSUPP;
	}
	bool both_sides() const noexcept override { return true; }
	bool stops() const noexcept override { return false; }
};

class user_each_route final : public user_pass_route {	// user_each.cc
public:
	constexpr user_each_route() : user_pass_route("user-iter",
	    "all threads' memory copied by a BPF task iterator",
	    10) {}
	verdict can() noexcept override;
	int each_copy(pid_t, bool, sides_sink, void *) noexcept override;
	int extend_copy(const stack9_thread &, user_copy &, std::uint64_t)
	    noexcept override;
	bool both_sides() const noexcept override { return true; }
	bool stops() const noexcept override { return false; }
};

class wait_iter_route final : public stack9::wait_route {	// wait.cc
public:
	constexpr wait_iter_route() : stack9::wait_route("wait-iter",
	    "system calls and kernel locks by a BPF task iterator",
	    10) {}
	verdict can() noexcept override;
	int look(std::span<wait_facts>) noexcept override;
	int states(pid_t, state_sink, void *) noexcept override; // states.cc
};

class name_route final : public stack9::name_route {	// name.cc
public:
	constexpr name_route() : stack9::name_route("snprintf",
	    "the kernel's own formatting in a BPF program",
	    10) {}
	verdict can() noexcept override;
	int find(std::uintptr_t, unsigned int, symbol_name &)
	    noexcept override;
	bool ready() const noexcept override;
};

} // namespace stack9::bpf
