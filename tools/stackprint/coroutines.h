// Finds the goroutines and tasks of processes that run on no thread, and groups
// those of a process that have the same stack and state.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <stack9_coroutines.h>

#include "groups.h"
#include "ours.h"
#include "tools/lib/names.h"
#include "tools/lib/samples.h"

namespace stackprint {

struct coroutine_group {
	struct member {
		std::uint64_t	id;
		std::string	name;		// of a task
		std::uint64_t	waits_for;	// another's id, or 0
		std::string	waits_for_name = {};
	};

	std::string	runtime, state;
	sample_ptr	sample;		// the first one's
	std::vector<member> all;	// by id

	bool is_tasks() const { return runtime != "go"; }
	std::vector<std::uint64_t> ids() const;
};

const char *word_of(const coroutine_group &);	// "goroutine", "task"
// "goroutine 17"; a task whose name could not be read has its address.
std::string name_of(const coroutine_group &, const coroutine_group::member &);
// The name of the task that all of them wait for, after a blank; "" if they
// differ.
std::string waits_for_text(const coroutine_group &);
// Prints a line of the tasks' names.  few: as many as fit it.
void put_names(fmt::memory_buffer &, const coroutine_group &, bool few);

class found_coroutines {
public:
	// each: no two are grouped.
	explicit found_coroutines(bool each) : each_(each) {}

	// Keeps the space of a thread, for the coroutines of its process: what
	// the process has mapped is read once for both.
	void	note(const sample &);
	// Returns 0 or an errno; ENOENT: the process has no such runtime.
	// native: tasks of languages are left out.
	int	find(const stack9_thread &process, unsigned int frames,
		    bool native);

	// The groups, by process, the largest first.
	std::vector<coroutine_group> groups(names &) const;

	std::size_t
	count() const
	{
		return all_.size();
	}
	std::size_t	captured() const;
	std::size_t	tasks() const;	// of them

private:
	struct coroutine {
		coroutine_group::member who;
		std::string	runtime, state;
		sample_ptr	sample;
	};

	static int	add(void *, const stack9_coroutine *) noexcept;

	const bool		each_;
	bool			no_memory_ = false;
	pid_t			noted_ = 0;
	unique_space		space_;		// of noted_
	std::vector<coroutine>	all_;
};

} // namespace stackprint
