// Keeps the waits of samples, and puts them into words.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <chrono>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <stack9_waits.h>

#include "ours.h"
#include "tools/lib/samples.h"

namespace stackprint {

// A wait, with what the library only lends.
struct found_wait {
	sample_ptr	sample;
	stack9_wait	wait;	// its pointers are not to be followed
	std::string	object, call, reason, place;
	std::vector<stack9_holder> holders;

	// The stacks are of another moment.
	bool
	has_moved() const
	{
		return (wait.flags & STACK9_WAIT_MOVED) != 0;
	}
	// To ask again may give more.
	bool
	is_unsettled() const
	{
		return (wait.flags & (STACK9_WAIT_MOVED |
		    STACK9_WAIT_CHANGING)) != 0;
	}
	// It waits for none of those that have the other end in particular.
	bool
	is_woken_by_any() const
	{
		return !holders.empty() && holders[0].role ==
		    STACK9_ROLE_PEER && (holders.size() > 1 ||
		    (wait.flags & STACK9_WAIT_BY_OTHERS) != 0);
	}
};

class contention;
class state_times;

class found_waits {
public:
	// Times of states go with the words of waits, if any are known.
	// only_known: nothing is said of waits that are not known.
	// depth: of the stacks that are captured here.
	explicit found_waits(const state_times *t = nullptr,
	    bool only_known = false, unsigned int depth = 0)
	    : times_(t), only_known_(only_known), depth_(depth) {}

	// Finds the waits of these samples; with more, of those threads too
	// that hold what they wait for.  These are captured for it.  Returns 0
	// or an errno.
	int	find(const std::vector<sample_ptr> &, bool more);
	// The same, with further tries for those that have moved: these are
	// captured again, in at most 0.2 s more.  Counts what each pass has
	// seen.
	int	find_settled(const std::vector<sample_ptr> &, bool more,
		    contention &seen);

	// As they were given, then those of the holders; of find_settled() some
	// are newer.
	const std::vector<sample_ptr> &
	samples() const
	{
		return samples_;
	}

	const std::vector<found_wait> &
	all() const
	{
		return all_;
	}
	// The first so many of all() are of the threads that were asked for.
	std::size_t asked() const { return asked_; }
	// Any living thread has a name; "": it has ended.
	std::string	name_of(pid_t tid) const;
	// NULL: there is none of this thread.
	const found_wait *of(pid_t tid) const;

	// The wait in a sentence without its subject; "" if it does not wait.
	std::string
	text(const found_wait &w) const
	{
		return words(w, true);
	}
	// The same without the time that is left, so that threads which wait
	// for the same have the same words.
	std::string
	untimed_text(const found_wait &w) const
	{
		return words(w, false);
	}
	// The same, and for how long.
	std::string	timed_text(const found_wait &) const;
	// A line below the stacks; a member of the thread's JSON object.
	void	put_line(fmt::memory_buffer &, const sample &) const;
	void	put_member(fmt::memory_buffer &, const sample &) const;
	// Nothing is said of waits that are not known.
	bool	only_known() const { return only_known_; }

private:
	int	find_once();
	bool	capture_holders();
	void	capture_moved(std::chrono::steady_clock::time_point until);
	sample_ptr	capture(const stack9_thread &, int sides) const;
	std::string	words(const found_wait &, bool timed) const;
	std::string	holder_text(const stack9_holder &) const;

	const state_times		*times_;
	bool				 only_known_;
	unsigned int			 depth_;
	std::size_t			 asked_ = 0;
	std::vector<sample_ptr>		 samples_;
	std::vector<found_wait>		 all_;
	std::unordered_map<pid_t, std::size_t> by_tid_;
};

// The wait as a JSON object.
std::string wait_object(const found_wait &);

// The waits of threads that have one stack, in few lines and as a member of a
// JSON object: what most of them wait for comes first.
void put_waits(fmt::memory_buffer &, const found_waits &,
    const std::vector<thread_facts> &);
void put_wait_members(fmt::memory_buffer &, const found_waits &,
    const std::vector<thread_facts> &);

} // namespace stackprint
