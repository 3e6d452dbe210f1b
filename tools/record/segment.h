// Keeps the tables of one segment while it is read, and what each thread did at
// the last tick.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"

namespace recording {

class segment {
public:
	explicit segment(segment_info info) : info_(std::move(info)) {}

	// Adds what is new in a tick to the tables.  Returns "" or what is
	// wrong; then nothing of the segment may be used any more but what it
	// was before.  The states stay those of the tick before.
	std::string	add(tick &);
	// Calls a function for each frame that is new since the last time, has
	// no name, and is of a file with a build-id.
	void		name(const std::function<void(const module &,
			    frame &)> &);
	// Takes over the states of the tick that was added.
	void		go_on(const tick &);

	const segment_info	&info() const { return info_; }
	// At the last tick; 0 before the first.
	std::uint64_t	boot_ns() const { return boot_ns_; }
	std::int64_t	wall_minus_boot() const { return wall_minus_boot_; }

	// Number 1 is at 0.
	const std::vector<module>	&modules() const { return modules_; }
	const std::vector<frame>	&frames() const { return frames_; }
	const std::vector<stack>	&stacks() const { return stacks_; }
	const std::vector<thread>	&threads() const { return threads_; }
	const thread	&thread_of(std::uint32_t n) const
	{
		return threads_[n - 1];
	}
	// NULL: it is not known.
	const wait	*wait_of(const thread_state &s) const
	{
		return s.wait == 0 ? nullptr : &waits_[s.wait - 1];
	}
	const std::vector<event>	&events() const { return events_; }
	const std::vector<wait>		&waits() const { return waits_; }
	const process	&process_of(std::uint32_t n) const
	{
		return processes_[threads_[n - 1].process - 1];
	}
	const process	&process_number(std::uint32_t n) const
	{
		return processes_[n - 1];
	}
	const frame	&frame_of(std::uint32_t n) const
	{
		return frames_[n - 1];
	}
	const stack	&stack_of(std::uint32_t n) const
	{
		return stacks_[n - 1];
	}
	const module	*module_of(std::uint32_t n) const
	{
		return n == 0 ? nullptr : &modules_[n - 1];
	}
	// NULL: it is not there, or has ended.
	const thread_state	*state_of(std::uint32_t thread) const
	{
		return thread == 0 || thread > states_.size() ||
		    !there_[thread - 1] ? nullptr : &states_[thread - 1];
	}
	// 0: not known.
	std::uint64_t	base_of(std::uint32_t process, std::uint32_t module)
		    const;

private:
	std::string	add_tables(tick &);
	std::string	check(const stack &) const;
	std::string	check_states(const tick &) const;
	bool		spend(std::size_t bytes);

	segment_info		 info_;
	std::vector<module>	 modules_;
	std::vector<frame>	 frames_;
	std::vector<identity>	 frame_ids_;
	std::vector<stack>	 stacks_;
	std::vector<process>	 processes_;
	std::vector<thread>	 threads_;
	std::vector<base>	 bases_;
	std::vector<wait>	 waits_;
	std::vector<event>	 events_;
	std::vector<thread_state> states_;
	std::vector<bool>	 there_;
	std::size_t		 text_ = 0, numbers_ = 0;
	std::size_t		 named_ = 0;	// frames
	std::uint64_t		 boot_ns_ = 0;
	std::int64_t		 wall_minus_boot_ = 0;
};

} // namespace recording
