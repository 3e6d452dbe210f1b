// Declares the work that is single-stepped, in parts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

namespace steps {

struct part {
	const char	*name;
	void		(*work)();
	void		(*prepare)() = nullptr;	// not stepped
	void		(*finish)() = nullptr;
	// The deeds of the work: the shadow stack has to see as many.
	unsigned int	throws = 0;	// landings: catches and cleanups
	unsigned int	longjmps = 0;
	// The unwind information may be wrong at this many steps at most.
	unsigned int	misled = 0;
	// There may be none at this many.
	unsigned int	unknown = 0;
	// The dynamic linker holds a lock: libunwind would wait for it.
	bool		locked = false;
	// Many steps, nearly all in code that is the same in each variant.
	bool		library = false;
};

std::span<const part> parts_of_frames() noexcept;	// steps_frames.cc
std::span<const part> parts_of_calls() noexcept;	// steps_calls.cc
std::span<const part> parts_of_library() noexcept;	// steps_lazy.cc

// True if this variant steps through what is the same in each; steps_lazy.cc.
extern const bool compiled_libraries;
// This variant's compiler may give wrong unwind information at this many more
// instructions of each part; steps_lazy.cc.
extern const unsigned int compiled_misled;

// Keeps a result, so that its computation is kept.
inline void
use(const auto &value) noexcept
{
	asm volatile("" : : "g"(&value) : "memory");
}

} // namespace steps
