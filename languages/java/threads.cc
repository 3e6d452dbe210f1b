// Reads the list of the machine's threads (threadSMR.hpp; up to JDK 9 a chain)
// and their anchors (javaFrameAnchor.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace stack9::languages::java {
namespace {

constexpr std::uint32_t most_threads = 1 << 16;

// The JavaThreads of a process, by their thread pointers.  One that has ended
// is in no list, and another thread may have its pointer since.
class known_threads final : public process::attachment {
public:
	std::uint64_t
	find(std::uint64_t pointer)
	{
		const std::lock_guard hold(lock_);
		const auto known = all_.find(pointer);
		return known != all_.end() ? known->second : 0;
	}
	void
	keep(std::map<std::uint64_t, std::uint64_t> all,
	    const std::vector<std::uint64_t> &list)
	{
		const std::lock_guard hold(lock_);
		all_ = std::move(all);
		list_ = list;
	}
	bool
	is_of(const std::vector<std::uint64_t> &list)
	{
		const std::lock_guard hold(lock_);
		return list_ == list;
	}

private:
	std::mutex	lock_;
	std::vector<std::uint64_t> list_;	// that they were found in
	std::map<std::uint64_t, std::uint64_t> all_;
};

std::uint64_t
find_by_tid(unwind::memory &m, const layout &l,
    const std::vector<std::uint64_t> &all, std::int32_t wanted)
{
	for (const std::uint64_t each : all) {
		std::uint64_t system;
		std::int32_t tid;
		if (l.osthread != none && l.thread_id != none &&
		    m.word(each + l.osthread, system) && system != 0 &&
		    get(m, system + l.thread_id, tid) && tid == wanted)
			return each;
	}
	return 0;
}

std::vector<std::uint64_t>
threads_of_list(unwind::memory &m, const layout &l)
{
	std::vector<std::uint64_t> all;
	std::uint64_t list, array;
	std::uint32_t length;
	if (l.list_length == none || l.list_threads == none ||
	    !m.word(l.threads, list) || list == 0 ||
	    !get(m, list + l.list_length, length) || length > most_threads ||
	    !m.word(list + l.list_threads, array))
		return all;
	all.resize(length);
	if (!m.read(array, all.data(), all.size() * sizeof all[0]))
		all.clear();
	return all;
}

std::vector<std::uint64_t>
threads_of_chain(unwind::memory &m, const layout &l)
{
	std::vector<std::uint64_t> all;
	std::uint64_t thread;
	if (l.first_thread == 0 || l.next_thread == none ||
	    !m.word(l.first_thread, thread))
		return all;
	while (thread != 0 && all.size() < most_threads) {
		all.push_back(thread);
		if (!m.word(thread + l.next_thread, thread))
			break;
	}
	return all;
}

} // namespace

std::vector<std::uint64_t>
all_threads(unwind::memory &m, const layout &l)
{
	return l.threads != 0 ? threads_of_list(m, l) : threads_of_chain(m, l);
}

std::uint64_t
pointer_of(unwind::memory &m, const layout &l, std::uint64_t thread) noexcept
{
	std::uint64_t system, pointer;
	return l.osthread != none && l.pthread_id != none &&
	    m.word(thread + l.osthread, system) && system != 0 &&
	    m.word(system + l.pthread_id, pointer) ? pointer : 0;
}

std::uint64_t
find_thread(const question &q, const layout &l,
    const std::vector<std::uint64_t> &all, bool is_sure)
{
	unwind::memory &m = q.words;
	if (q.asked.thread_pointer == 0 || l.pthread_id == none)
		return find_by_tid(m, l, all, q.thread.tid);
	auto &known = kept_with<known_threads>(q.space);
	const std::uint64_t before = known.find(q.asked.thread_pointer);
	if (before != 0 && std::find(all.begin(), all.end(), before) !=
	    all.end() && pointer_of(m, l, before) == q.asked.thread_pointer)
		return before;
	if (before == 0 && !is_sure && known.is_of(all))
		return 0;
	std::map<std::uint64_t, std::uint64_t> now;
	for (const std::uint64_t each : all)
		now[pointer_of(m, l, each)] = each;
	const auto found = now.find(q.asked.thread_pointer);
	const std::uint64_t thread = found != now.end() ? found->second : 0;
	known.keep(std::move(now), all);
	return thread;
}

// The pc may not be noted: then the last call has left it below sp.
bool
read_anchor(unwind::memory &m, const layout &l, std::uint64_t at, anchor &to)
{
	return l.last_sp != none && l.last_pc != none && l.last_fp != none &&
	    m.word(at + l.last_sp, to.sp) && to.sp != 0 &&
	    m.word(at + l.last_pc, to.pc) && m.word(at + l.last_fp, to.fp) &&
	    (to.pc != 0 || m.word(to.sp - 8, to.pc));
}

} // namespace stack9::languages::java
