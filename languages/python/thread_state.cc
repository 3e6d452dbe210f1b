// Walks the list of an interpreter's threads once, and keeps where each is.
//
// A place that was kept is believed if it is still in the list: it has the
// thread's pointer, and the one before it, or the head of the list, leads to
// it.  With a walk for each thread 1,000 threads took half a million reads.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_state.h"

#include <map>
#include <mutex>

namespace stack9::languages::python {
namespace {

// The most interpreters and threads of a process.
constexpr unsigned int most_threads = 1 << 16;

struct kept_state {
	thread_state	is;
	std::uint64_t	link = 0;	// the word that leads to it
};

class kept_states final : public process::attachment {
public:
	bool
	get(std::uint64_t pointer, kept_state &to)
	{
		const std::lock_guard hold(lock_);
		const auto known = all_.find(pointer);
		if (known == all_.end())
			return false;
		to = known->second;
		return true;
	}
	void
	keep(std::map<std::uint64_t, kept_state> &&all)
	{
		const std::lock_guard hold(lock_);
		all_ = std::move(all);
	}

private:
	std::mutex	lock_;
	std::map<std::uint64_t, kept_state> all_;	// by thread pointer
};

// The runtime notes pthread_self(): the ABI's thread pointer.
std::map<std::uint64_t, kept_state>
walk_threads(memory &m, const loaded &where, const layout &l)
{
	std::map<std::uint64_t, kept_state> all;
	std::uint64_t interpreter, id;
	unsigned int left = most_threads;
	for (std::uint64_t in = where.mark + l.interpreters_head; left > 0 &&
	    m.word(in, interpreter) && interpreter != 0;
	    in = interpreter + l.next_interpreter, left--) {
		std::uint64_t link = interpreter + l.threads_head, state;
		for (; left > 0 && m.word(link, state) && state != 0;
		    link = state + l.next_thread, left--)
			if (m.word(state + l.thread_id, id))
				all.try_emplace(id, kept_state{{interpreter,
				    state}, link});
	}
	return all;
}

bool
is_there(noting_memory &m, const layout &l, const kept_state &k,
    std::uint64_t pointer)
{
	const noting_memory::noting its(m, pointer, part::step);
	std::uint64_t id, state;
	return m.word(k.is.at + l.thread_id, id) && id == pointer &&
	    m.word(k.link, state) && state == k.is.at;
}

} // namespace

bool
find_state(const question &q, noting_memory &noted, const loaded &where,
    const layout &l, thread_state &to)
{
	auto &kept = kept_with<kept_states>(q.space);
	const std::uint64_t pointer = q.asked.thread_pointer;
	kept_state k;
	if (!kept.get(pointer, k) || !is_there(noted, l, k, pointer)) {
		auto all = walk_threads(q.words, where, l);
		const auto found = all.find(pointer);
		const bool has_it = found != all.end();
		if (has_it)
			k = found->second;
		kept.keep(std::move(all));
		if (!has_it)
			return false;
	}
	to = k.is;
	return true;
}

} // namespace stack9::languages::python
