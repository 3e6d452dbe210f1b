// Keeps the threads of a pass in line while their user stacks are walked by the
// reader.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/seam/job.h"
#include "core/seam/walks.h"

namespace stack9 {

// One thread of the line.
struct waiting_thread {
	enum class need {
		nothing,	// it has no user stack
		end,		// its walk has begun
		walk
	};

	stack_record	user, kernel;
	bool		has_kernel = false;
	need		still = need::nothing;
	user_copy	copy;
	unique_space	space;		// of user

	// Copies the kernel side.  Throws std::bad_alloc.
	void take_kernel(const stack_record *);

private:
	std::vector<std::uintptr_t> kernel_pcs_;
	std::string	kernel_text_;
};

class user_line {
public:
	// False: there is no reader, or another pass has it.
	bool is_open() noexcept { return walks_.claim(); }

	// Takes over the sides and gives another copy for the one in them.
	// False, with nothing changed: first() must be ended before.  Throws
	// std::bad_alloc, with nothing changed.
	bool add(sides &);
	bool empty() const noexcept { return !line_ || line_->empty(); }

	// The thread that was added first.  end() waits for its walk, into
	// user.pcs; any other result than done asks for another walk.  If it
	// has a moment its written frames are found, too, into user.written.
	waiting_thread &first() noexcept { return *line_->front(); }
	space_walk end(written_search &) noexcept;
	space_walk
	end() noexcept
	{
		written_search unused;
		return end(unused);
	}
	void drop_first() noexcept;

private:
	std::unique_ptr<waiting_thread> unused();

	walks		walks_;
	// An empty deque has memory of its own, so there is none before add().
	std::optional<std::deque<std::unique_ptr<waiting_thread>>> line_;
	std::vector<std::unique_ptr<waiting_thread>> unused_;
};

} // namespace stack9
