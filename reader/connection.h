// Declares how questions are put to the reader, and how it is served while it
// works on one.
//
// The questions that it has not answered when it ends have no answer.  Nothing
// that it answers is believed further than it may harm: numbers are compared
// with what there is room for, and texts are copied.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <iterator>
#include <utility>

#include "budgets/left_out.h"
#include "core/seam/space.h"
#include "os/near_cpu.h"

#include "child.h"
#include "message.h"
#include "mirrors.h"

namespace stack9::sandbox {

class services;

// One thread at a time uses a connection.
class connection {
public:
	// Questions that were sent before, and whose answers come first.
	class pending {
	public:
		// Some have been sent and not answered.
		virtual bool is_awaited() const noexcept = 0;
		virtual void await() noexcept = 0;
		// The reader has ended.  Answers that it has left are kept.
		// asked_about: the process that it was asked about, or 0; it is
		// set if that was one of these.
		virtual void lose(pid_t &asked_about) noexcept = 0;

	protected:
		~pending() = default;
	};

	explicit connection(starter s) noexcept : child_(std::move(s)) {}

	// To be called once, before any other.
	void answer_first(pending &those) noexcept { before_ = &those; }

	// Begins a question about a space, or about none, with what each has.
	// Throws std::bad_alloc.
	message &question(kind, const stack9_space *);
	// The answer may take so long in place of budgets::answer_ns.
	void allow(std::uint64_t ns) noexcept { allowed_ns_ = ns; }
	// Sends the question, with a descriptor, and waits for the answer.
	// whose: a thread of the process that it is about.  False: there is no
	// answer.
	bool ask(const stack9_thread &whose, int fd = -1) noexcept;
	message &answer() noexcept { return in_; }
	// Sends a copy, before the question about it.  Throws std::bad_alloc.
	bool send_copy(const user_copy &);
	// Sends the question.  Its answer is awaited later.
	bool send() noexcept;
	// Waits for an answer, or a request.
	bool receive() noexcept;
	// Serves the request that has come.
	bool serve(services &) noexcept;
	// Takes what each answer begins with.
	void take_counts() noexcept;

	// Waits for the answers to the questions that were sent before.
	void finish_others() noexcept { before_->await(); }
	// Returns true if the reader can be asked.
	bool is_there() noexcept;
	// Returns true if it knows this process now.  Throws std::bad_alloc.
	bool is_there_for(stack9_space &);
	void give_up() noexcept;
	// Tries a question, and again if somebody killed the reader meanwhile.
	template <typename F>
	bool
	twice(F one_try)
	{
		child_.forget_kill();
		if (one_try())
			return true;
		if (!child_.was_killed())
			return false;
		child_.forget_kill();
		return one_try();
	}

	// Makes a record without frames that says why there are none.
	space_walk nothing(stack_record &) const noexcept;
	space_walk nothing(const stack9_space &, stack_record &) const
	    noexcept;

	child &reader() noexcept { return child_; }
	mirrors &known() noexcept { return mirrors_; }

private:
	bool start() noexcept;
	void take_notes() noexcept;

	child		child_;
	pending		*before_ = nullptr;
	near_cpu	near_;
	bool		has_asked_written_ = false;
	kind		asked_for_ = kind::answer; // what there is not
	pid_t		asked_about_ = 0;	// this process
	std::uint64_t	allowed_ns_ = 0;
	message		out_, in_;
	mirrors		mirrors_;
	std::uint64_t	counts_[std::size(budgets::left_out_kinds)]{};
};

} // namespace stack9::sandbox
