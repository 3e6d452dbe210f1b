// Joins both stacks of one thread and says what became of them.
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

	// The record that knows the thread, if one does.
	stack9_record	&who() const;
};

// Each thread is exactly one of these.
enum class outcome {
	captured,	// every stack that exists and is asked for is whole
	partial,	// some frames are there, others are missing
	without,	// the side that is asked for has no stack
	failed,		// not possible on this system, or not just now
	refused,	// possible with more rights
	gone,		// dead, or it never existed
};
outcome outcome_of(const stacks &);

// True if the thread has no such stack: it is in user mode, or it is a kernel
// thread.
bool is_absent(const stack9_record &);

// True for a kernel thread, which has no user stack to speak of.
bool is_kernel_thread(const stacks &);

// True if the thread was stopped while its stack was copied.
bool is_by_ptrace(const stack9_record &);

// True if frame i is a pc, not a return address.
inline bool
is_exact(const stack9_record &rec, std::uint32_t i)
{
	return i == 0 && (rec.flags & STACK9_EXACT_FIRST);
}

// Records why there is no stack.
void fail(stack9_record &, int error, stack9_why, const char *reason);

// Cuts a stack to depth frames.  The record then says that it is truncated.
void cut(stack9_record &, unsigned int depth);

struct space_closer {
	void operator()(stack9_space *s) const { stack9_space_close(s); }
};
using unique_space = std::unique_ptr<stack9_space, space_closer>;

// Keeps a copy of a record and of all that it points to.
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
