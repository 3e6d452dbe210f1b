// Reads the list of the machine's threads (threadSMR.hpp; up to JDK 9 a chain)
// and their anchors (javaFrameAnchor.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "threads.h"

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

std::uint64_t
find_in_list(unwind::memory &m, const layout &l, search &s)
{
	std::uint64_t list, array;
	std::uint32_t length;
	if (l.list_length == none || l.list_threads == none ||
	    !m.word(l.threads, list) || list == 0 ||
	    !get(m, list + l.list_length, length) || length > most_threads ||
	    !m.word(list + l.list_threads, array))
		return 0;
	std::vector<std::uint64_t> all(length);
	if (!m.read(array, all.data(), all.size() * sizeof all[0]))
		return 0;
	for (const std::uint64_t each : all)
		if (s.is_it(each))
			return each;
	return 0;
}

std::uint64_t
find_in_chain(unwind::memory &m, const layout &l, search &s)
{
	std::uint64_t thread;
	if (l.first_thread == 0 || l.next_thread == none ||
	    !m.word(l.first_thread, thread))
		return 0;
	for (std::uint32_t n = 0; thread != 0 && n < most_threads; n++) {
		if (s.is_it(thread))
			return thread;
		if (!m.word(thread + l.next_thread, thread))
			return 0;
	}
	return 0;
}

} // namespace

std::uint64_t
find_thread(unwind::memory &m, const layout &l, std::uint64_t thread_pointer,
    std::int32_t tid)
{
	search s(m, l, thread_pointer, tid);
	if (l.osthread == none)
		return 0;
	return l.threads != 0 ? find_in_list(m, l, s) : find_in_chain(m, l, s);
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
