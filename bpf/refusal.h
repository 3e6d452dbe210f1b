// Explains why the kernel refused a program, by an errno that is true and a
// sentence that helps, and tries the kernel with the smallest programs and
// maps.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/seam/backend.h"

struct bpf_insn;

namespace stack9::bpf {

// The capabilities that loading needs, as a set of bits.  A refusal for lack of
// rights may be out of date once this value changes.
std::uint64_t rights() noexcept;

// error: the errno of loading or running.  lacking: the sentence for a kernel
// without a feature that the program needs.
verdict explain(int error, const char *lacking) noexcept;

// A kernel's errno for a pass or a run that failed, as a route returns it.  The
// errnos that are answers about a thread (ESRCH, EAGAIN) or about the caller's
// arguments (EINVAL, ENOENT) become EIO, so that the next route is asked.
int failure(int error) noexcept;

// libbpf has calls for the next two, but they ask the kernel for its features
// first, and what they learn while memory or descriptors are short they believe
// for good.

// Loads a program on a raw tracepoint, and closes it.  0, or an errno.  flags:
// BPF_F_*, of programs.
int try_to_load(std::span<const bpf_insn>, unsigned int flags = 0) noexcept;

// Makes an array of one element, and closes it.
int try_to_make_map() noexcept;

// A trial has shown that a program runs and finds nothing.
inline constexpr char shows_no_caller[] =
    "in a trial its program did not find the calling thread";

// Remembers a refusal, so that loading is not tried again in vain.  A refusal
// stands for good, or for as long as the rights are the same.
class kept_refusal {
public:
	bool stands() const noexcept;
	verdict answer() const noexcept { return answer_; }
	verdict keep(int error, const char *lacking) noexcept;
	void forget() noexcept { answer_ = {0, nullptr}; }

private:
	verdict		 answer_{0, nullptr};
	std::uint64_t	 rights_ = 0;
};

} // namespace stack9::bpf
