// Declares an account of what was submitted and what has become of it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include <stack9_async.h>
#include <sys/types.h>

// Thread-safe.
class ledger {
public:
	struct entry {
		int		number = -1;	// of the thread; -1: the id
						// came before its submission
						// was noted
		pid_t		tid = 0;
		bool		cancelled = false;	// by its submitter
		bool		forgotten = false;	// released by it
		int		arrivals = 0;
		int		releases = 0;	// that said 0
		int		unknown = 0;	// ENOENT of stack9_collect()
		int		outcome = -1;	// its other answer
		pid_t		seen = 0;	// whose stack it is, and by its
		int		seen_number = -1;	// functions
	};

	void submitted(stack9_id id, int number, pid_t tid);
	static void collected(entry &, int outcome);
	template <class Change> void
	change(stack9_id id, Change f)
	{
		shelf &s = shelf_of(id);
		const std::lock_guard alone(s.mutex);
		f(s.entries[id]);
	}
	void fault(const std::string &what);

	// Those that have neither arrived nor been taken back.
	long outstanding();
	// Each by itself: the faults, how often, and how many ended how.
	void check();
	std::map<std::string, long> faults, ends;

private:
	struct shelf {
		std::mutex				mutex;
		std::unordered_map<stack9_id, entry>	entries;
	};
	static constexpr std::size_t shelves = 64;
	shelf &
	shelf_of(stack9_id id)
	{
		return all_[(id ^ id >> 20) % shelves];
	}
	std::string fault_of(const entry &) const;

	shelf		all_[shelves];
	std::mutex	mutex_;		// of the faults
};
