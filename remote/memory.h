// Declares the memory of a thread that a walk may read: the parts that were
// copied, and the parts that cannot have changed since.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstring>

#include "core/seam/kept_process.h"
#include "unwind/memory.h"

#include "os/thread_memory.h"
#include "process/space.h"

namespace stack9::remote {

using process::mapping;
using process::place;

class copied_memory final : public unwind::memory {
public:
	// who: the thread whose process has code that is in no file.  Such code
	// is read from the process itself.
	copied_memory(stack9_space &space, const user_copy &copy,
	    const stack9_thread &who) noexcept
	    : space_(space), copy_(copy), live_(who.tid, who.start),
	      kept_(kept_process_of(who.start)),
	      is_kept_((who.start & kept_mark) != 0) {}

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

	// Returns true if the walk asked for something that may change and that
	// the copy lacks.  It is never read from the process: that has gone on
	// since.
	bool wants() const noexcept { return wants_; }
	std::uintptr_t wanted() const noexcept { return wanted_; }

	bool
	read_preferred(std::uintptr_t from, void *to, std::size_t size)
	    noexcept override
	{
		const bool before = wants_;
		if (read(from, to, size))
			return true;
		prefers_ |= wants_ && !before;
		return false;
	}
	// Returns true if the walk went another way for want of that.
	bool prefers() const noexcept { return prefers_; }

private:
	bool read_other(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;
	bool read_constant(const mapping &, std::uintptr_t from, void *to,
	    std::size_t size) noexcept;
	bool read_live(std::uintptr_t from, void *to, std::size_t size)
	    noexcept;
	bool could_be_copied(const mapping *, std::uintptr_t from) noexcept;
	bool has_no_room(const mapping *, std::uintptr_t from) noexcept;
	void
	want(std::uintptr_t from) noexcept
	{
		wanted_ = wants_ ? wanted_ : from;
		wants_ = true;
	}

	stack9_space		&space_;
	const user_copy		&copy_;
	bool			wants_ = false, prefers_ = false;
	std::uintptr_t		wanted_ = 0;
	thread_memory		live_;
	kept_process		*const kept_;	// of a core; or NULL
	const bool		is_kept_;	// in another process, too
};

} // namespace stack9::remote
