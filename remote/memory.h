// The memory of a thread as a walk may read it: what was copied of it, and what
// cannot have changed since.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>

#include "unwind/memory.h"

#include "process/space.h"

namespace stack9::process {

class copied_memory final : public unwind::memory {
public:
	// who: for code that no file has, which is read where it runs.
	copied_memory(stack9_space &space, const user_copy &copy,
	    const stack9_thread &who) noexcept
	    : space_(space), copy_(copy), who_(who) {}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		const copied_piece &s = copy_.stack;
		if (size == sizeof(std::uintptr_t) &&
		    s.holds(from, sizeof(std::uintptr_t))) [[likely]] {
			std::memcpy(to, s.bytes.data() + (from - s.at),
			    sizeof(std::uintptr_t));
			return true;
		}
		return read_other(from, to, size);
	}

	// Whether it was asked for something that may change, and that the copy
	// lacks: never read from a process that has gone on since.
	bool wants() const noexcept { return wants_; }
	std::uintptr_t wanted() const noexcept { return wanted_; }

private:
	bool read_other(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;
	bool read_constant(const mapping &, std::uintptr_t from, void *to,
	    std::size_t size) noexcept;
	bool read_live(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;
	bool is_there() noexcept;
	bool could_be_had(const mapping *, std::uintptr_t from) noexcept;
	void
	want(std::uintptr_t from) noexcept
	{
		wanted_ = wants_ ? wanted_ : from;
		wants_ = true;
	}

	enum class life : std::uint8_t { unknown, there, gone };

	stack9_space		&space_;
	const user_copy		&copy_;
	const stack9_thread	who_;
	bool			wants_ = false;
	std::uintptr_t		wanted_ = 0;
	life			life_ = life::unknown;
};

} // namespace stack9::process
