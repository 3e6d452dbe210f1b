// Both stacks of one thread, and what has become of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <stack9.h>

namespace stackprint {

struct stacks {
	stack9_record	*kernel = nullptr;	// NULL: not asked for
	stack9_record	*user = nullptr;	// likewise

	// The one that knows the thread, if one does.
	stack9_record	&who() const;
};

// Each thread is exactly one of these.
enum class outcome {
	captured,	// every stack there is, of those asked for, is whole
	partial,	// some frames are there, others are missing
	without,	// there is no stack of the side asked for
	failed,		// could not be done, here or just now
	refused,	// could be done with more rights
	gone,		// dead or never there
};
outcome outcome_of(const stacks &);

// The thread has no such stack: it is in user mode, or a kernel thread.
bool is_absent(const stack9_record &);

// A kernel thread: of its user stack there is nothing to say.
bool is_kernel_thread(const stacks &);

// The thread was stopped for the copy of its stack.
bool is_by_ptrace(const stack9_record &);

// Frame i is a pc, not a return address.
inline bool
is_exact(const stack9_record &rec, std::uint32_t i)
{
	return i == 0 && (rec.flags & STACK9_EXACT_FIRST);
}

// No stack for this reason.
void fail(stack9_record &, int error, stack9_why, const char *reason);

// At most depth frames; rec says then that it is truncated.
void cut(stack9_record &, unsigned int depth);

struct space_closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

// A record for later, with what it points to.
class kept_record {
public:
	kept_record() { record_.cpu = -1; record_.state = '?'; }
	explicit kept_record(const stack9_record &);
	kept_record(kept_record &&) noexcept = default;
	kept_record &operator=(kept_record &&) noexcept = default;

	stack9_record &get();

private:
	stack9_record			record_{};
	std::vector<std::uintptr_t>	pcs_;
	std::vector<char>		text_;
	unique_space			space_;
};

class kept_stacks {
public:
	explicit kept_stacks(const stacks &);

	stacks get();

private:
	bool		has_kernel_, has_user_;
	kept_record	kernel_, user_;
};

} // namespace stackprint
