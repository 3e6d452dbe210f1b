// Finds the thread that a tid in another process's memory means.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/seam/kept_process.h"
#include "core/seam/wait.h"

namespace stack9::waits {

class threads {
public:
	// Lends the threads of a snapshot, by ascending tid.  Those of them
	// that lived then are not asked for again: who takes such a thread for
	// a holder reads it again.
	void
	know(std::span<const wait_facts> seen)
	{
		seen_ = seen;
	}

	// Looks in the threads of a core alone, of which td is one.
	void
	use(const kept_process &p, const stack9_thread &td) noexcept
	{
		kept_ = &p;
		kept_one_ = td;
	}

	// The living thread that has this tid in its own pid namespace.  It is
	// one of process pid, or, if shared, of any process that has the same
	// memory mapped as pid has at `at`.  NULL; or a sentence that says why
	// there is none.
	const char	*find(pid_t pid, std::uint32_t inner, bool shared,
			    std::uint64_t at, stack9_thread &);

	// Finds the thread that has this tid here, or in the core.  False: the
	// process does not have it.
	bool		find_here(pid_t pid, pid_t tid, stack9_thread &);

	// True if the thread lives.
	bool		is_alive(const stack9_thread &);
	// Finds the process, and how many threads it has.  False: it is gone,
	// or a zombie.
	bool		find_living(pid_t pid, stack9_thread &,
			    int *threads = nullptr);
	// The number of a process in the pid namespace of process viewer; 0: it
	// has none there.
	pid_t		number_in(pid_t viewer, pid_t pid);

private:
	using question = std::tuple<pid_t, std::uint32_t, bool, std::uint64_t>;
	struct answer {
		const char	*why;
		stack9_thread	 thread;
	};

	const char	*find_kept(pid_t, stack9_thread &) const;
	bool		find_alive(pid_t tid, stack9_thread &);
	bool		is_in_our_namespace(pid_t pid);
	pid_t		outer_tid(pid_t pid, std::uint32_t inner);
	const std::vector<pid_t> &foreigners();
	answer		look_up(pid_t pid, std::uint32_t inner, bool shared,
			    std::uint64_t at);

	struct living {
		bool		is;
		stack9_thread	thread;
		int		threads;
	};

	std::span<const wait_facts>	seen_;
	const kept_process		*kept_ = nullptr;
	stack9_thread			kept_one_{};
	std::map<question, answer>	known_;
	std::map<pid_t, stack9_thread>	alive_;	// start 0: it does not live
	std::map<pid_t, living>		living_;
	std::map<pid_t, bool>		ours_;
	std::vector<pid_t>		foreigners_;
	bool				has_foreigners_ = false;
};

} // namespace stack9::waits
