// Reads the list of the machine's threads (threadSMR.hpp; up to JDK 9 a chain)
// and their anchors (javaFrameAnchor.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

#include <algorithm>
#include <vector>

namespace stack9::languages::java {
namespace {

constexpr std::uint32_t most_threads = 1 << 16;

class search {
public:
	search(unwind::memory &m, const layout &l, std::uint64_t pointer,
	    std::int32_t tid) noexcept
	    : m_(m), l_(l), pointer_(pointer), tid_(tid) {}

	bool
	is_it(std::uint64_t thread) noexcept
	{
		std::uint64_t system, pointer;
		std::int32_t tid;
		if (!m_.word(thread + l_.osthread, system) || system == 0)
			return false;
		if (pointer_ != 0 && l_.pthread_id != none)
			return m_.word(system + l_.pthread_id, pointer) &&
			    pointer == pointer_;
		return l_.thread_id != none &&
		    get(m_, system + l_.thread_id, tid) && tid == tid_;
	}

private:
	unwind::memory		&m_;
	const layout		&l_;
	const std::uint64_t	pointer_;
	const std::int32_t	tid_;
};

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
find_thread(unwind::memory &m, const layout &l, std::uint64_t thread_pointer,
    std::int32_t tid)
{
	search s(m, l, thread_pointer, tid);
	if (l.osthread == none)
		return 0;
	const std::vector<std::uint64_t> all = all_threads(m, l);
	const auto found = std::find_if(all.begin(), all.end(),
	    [&](std::uint64_t each) { return s.is_it(each); });
	return found != all.end() ? *found : 0;
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
