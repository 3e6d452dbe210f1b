// Looks for the queue of threads that wait to run (thread_pthread.h).
//
// The lock is a part of the machine up to 2.7, and then of the thread's ractor.
// Where in it is not asked for: the queue is a list that leads back to its head
// and has a node in the thread, and the owner is named a known way before it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "gvl.h"

namespace stack9::languages::ruby {
namespace {

constexpr std::uint64_t thread_size = 512, searched = 512;
constexpr int most_waiting = 1 << 12;

class gvl_search {
public:
	gvl_search(unwind::memory &m, const layout &l, std::uint64_t thread)
	    noexcept : m_(m), l_(l), thread_(thread) {}

	bool run(written_lock &);

private:
	bool has_node(std::uint64_t head);
	bool is_thread(std::uint64_t at, std::uint64_t &pointer);

	unwind::memory		&m_;
	const layout		&l_;
	const std::uint64_t	thread_;
};

// Both neighbours of a node lead back to it.  The first one of a thread is that
// of the list of all threads.
bool
gvl_search::has_node(std::uint64_t head)
{
	std::uint64_t at = head, next, back;
	bool found = false;
	for (int n = 0; n < most_waiting; n++) {
		if (!m_.word(at, next) || next < 4096 || next % 8 != 0 ||
		    !m_.word(next + 8, back) || back != at)
			return false;
		if (next == head)
			return found;
		found |= next != thread_ && next - thread_ < thread_size;
		at = next;
	}
	return false;
}

// A context of a thread leads back to it.
bool
gvl_search::is_thread(std::uint64_t at, std::uint64_t &pointer)
{
	std::uint64_t context, thread, native;
	if (at < 4096 || at % 8 != 0 ||
	    !m_.word(at + l_.thread_context, context) || context < 4096 ||
	    !m_.word(context + l_.context_thread, thread) || thread != at)
		return false;
	if (l_.thread_native == 0)
		return m_.word(at + l_.thread_id, pointer);
	return m_.word(at + l_.thread_native, native) && native != 0 &&
	    m_.word(native + l_.native_id, pointer);
}

bool
gvl_search::run(written_lock &to)
{
	constexpr std::uint64_t machine_or_ractor = 24;
	const std::uint64_t owner_before = l_.version >= 303 ? 16 : 48;
	std::uint64_t in, owner, pointer = 0;
	if (!m_.word(thread_ + machine_or_ractor, in) || in < 4096)
		return false;
	if (l_.ractors != 0)
		in += l_.threads;
	for (std::uint64_t head = in + owner_before; head < in + searched;
	    head += 8) {
		if (!has_node(head))
			continue;
		const std::uint64_t word_at = head - owner_before;
		if (!m_.word(word_at, owner) || owner == thread_ ||
		    (owner != 0 && !is_thread(owner, pointer)))
			continue;
		to.address = to.word_at = word_at;
		to.word = static_cast<std::uint32_t>(owner);
		to.owner = pointer;
		to.kind = written_lock::what::interpreter;
		to.is_endless = true;
		return true;
	}
	return false;
}

} // namespace

void
find_gvl(unwind::memory &m, const layout &l, std::uint64_t thread,
    written_lock &to)
{
	gvl_search(m, l, thread).run(to);
}

} // namespace stack9::languages::ruby
