// Remembers threads from pass to pass: which of them are new, which have the
// tid of one that is gone, and which are not there any more.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include <stack9.h>

namespace tools {

// An entry of the table begins so.
struct looked_at {
	stack9_thread	thread{};
	std::uint64_t	seen = 0;	// the number of the last pass
};

inline bool
is_same_thread(const stack9_thread &a, const stack9_thread &b)
{
	return a.tid == b.tid && a.pid == b.pid && a.start == b.start;
}

// Entries never move, and come by ascending tid.  Threads are looked at in
// nearly that order, so that most are found without a search.
template <class Entry>
class thread_table {
public:
	using map = std::map<pid_t, Entry>;

	// Begins a pass.
	void
	begin()
	{
		look_++;
		next_ = all_.begin();
	}
	std::uint64_t	look() const { return look_; }

	// NULL: no thread has the tid.
	Entry *
	find(pid_t tid)
	{
		if (next_ == all_.end() || next_->first != tid)
			next_ = all_.find(tid);
		return next_ == all_.end() ? nullptr : &(next_++)->second;
	}
	const Entry *
	find(pid_t tid) const
	{
		const auto at = all_.find(tid);
		return at == all_.end() ? nullptr : &at->second;
	}

	// Gives the entry of a thread, and whether it is new.  One that has the
	// tid of another thread is new, and the other is given to a function.
	template <class Gone>
	std::pair<Entry &, bool>
	of(const stack9_thread &td, Gone gone)
	{
		Entry *known = find(td.tid);
		const bool was_there = known != nullptr;
		if (was_there && is_same_thread(known->thread, td))
			return {*known, false};
		if (was_there) {
			gone(std::move(*known));
			*known = {};
		} else {
			known = &all_[td.tid];
		}
		known->thread = td;
		return {*known, true};
	}
	void	see(Entry &e) { e.seen = look_; }

	// Forgets the threads that were not seen in this pass, and gives each
	// to a function.
	template <class Gone>
	void
	settle(Gone gone)
	{
		for (auto at = all_.begin(); at != all_.end();)
			if (at->second.seen == look_) {
				++at;
			} else {
				gone(std::move(at->second));
				at = all_.erase(at);
			}
		next_ = all_.begin();
	}

	map		&all() { return all_; }
	const map	&all() const { return all_; }

private:
	map		all_;
	typename map::iterator next_ = all_.begin();
	std::uint64_t	look_ = 0;
};

} // namespace tools
