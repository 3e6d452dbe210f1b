// Looks for an object whose lock is the semaphore that the thread sleeps on.
//
// The function of C that waits still needs the object, so that its address is
// in a register or on the stack.  A word there is believed if it leads to an
// object of the right type that has this semaphore (Modules/_threadmodule.c),
// or since 3.13 to one whose lock the thread has noted beside the semaphore
// (Python/parking_lot.c).  Where the word was found does not matter.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "locks.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_set>

#include <linux/futex.h>

#include "arch/kernel_registers.h"

#include "calling.h"
#include "dicts.h"
#include "objects.h"
#include "text.h"

namespace stack9::languages::python {
namespace {

constexpr std::uint64_t pointer_size = 8, lowest = 65536,
    highest = std::uint64_t{1} << 56;

// A semaphore's waiter sleeps as long as it has 0.
std::uint64_t
semaphore_of(const user_copy &c) noexcept
{
	std::uint64_t args[3];
	for (std::size_t i = 0; i < std::size(args); i++) {
		const int number = arch::call_registers[i];
		if ((c.known >> number & 1) == 0)
			return 0;
		args[i] = c.value[static_cast<std::size_t>(number)];
	}
	const std::uint32_t command = static_cast<std::uint32_t>(args[1]) &
	    FUTEX_CMD_MASK;
	return (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) &&
	    static_cast<std::uint32_t>(args[2]) == 0 && args[0] >= lowest &&
	    args[0] % sizeof(std::uint32_t) == 0 ? args[0] : 0;
}

// Gives the words of the registers and of the innermost native frames, in this
// order, but those that lead into a file's code.
std::vector<std::uint64_t>
words_of(const user_copy &c, stack9_space &space)
{
	constexpr std::size_t most = 256;
	std::vector<std::uint64_t> all;
	for (std::size_t i = 0; i < c.value.size(); i++)
		if ((c.known >> i & 1) != 0)
			all.push_back(c.value[i]);
	for (std::size_t i = 0; i < most &&
	    (i + 1) * pointer_size <= c.stack.bytes.size(); i++) {
		std::uint64_t w;
		std::memcpy(&w, c.stack.bytes.data() + i * pointer_size,
		    sizeof w);
		all.push_back(w);
	}
	std::unordered_set<std::uint64_t> seen;
	std::erase_if(all, [&](std::uint64_t w) {
		process::place in;
		return w % pointer_size != 0 || w < lowest || w > highest ||
		    c.stack.holds(w, 1) || !seen.insert(w).second ||
		    (space.find(w, in) && in.where->executable);
	});
	return all;
}

class lock_search {
public:
	lock_search(const question &q, const layout &l,
	    const std::vector<std::uint64_t> &frames, written_stack &to)
	    : q_(q), m_(q.words), l_(l), types_(m_, l),
	      by_(m_, l, types_, frames, to), to_(to.lock) {}

	void run();

private:
	static constexpr std::size_t tried_at_once = 16;

	void prefetch(std::span<const std::uint64_t> objects);
	bool is_object(std::uint64_t at);
	bool try_object(std::uint64_t at);
	bool find_target(std::uint64_t lock);
	bool find_handle(std::uint64_t handle);
	void name(std::uint64_t object, std::string_view type,
	    written_lock::what kind);

	const question		&q_;
	memory			&m_;
	const layout		&l_;
	types			types_;
	calling			by_;
	written_lock		&to_;
	// The semaphore that the thread sleeps on, and the address of the lock
	// that it has noted beside it; 0: none.
	std::uint64_t		semaphore_ = 0, noted_ = 0;
};

// An object that was freed has no references.
bool
lock_search::is_object(std::uint64_t at)
{
	std::uint64_t references;
	return l_.is_free_threaded || (m_.word(at, references) &&
	    static_cast<std::uint32_t>(references) != 0 &&
	    (l_.minor > 13 || references >> 32 == 0));
}

void
lock_search::name(std::uint64_t object, std::string_view type,
    written_lock::what kind)
{
	to_.address = object;
	to_.kind = kind;
	to_.object = by_.of(type, kind == written_lock::what::condition);
}

// Up to 3.12 the end of a thread is the release of a lock of its Thread.  The
// function that waits has the Thread as self.
bool
lock_search::find_target(std::uint64_t lock)
{
	const std::uint64_t self = by_.self_of_innermost();
	attributes its(m_, l_, self);
	std::uint64_t ident;
	const std::uint64_t number = its.of("_ident");
	if (its.of("_tstate_lock") != lock ||
	    !read_number(m_, l_, number, ident))
		return false;
	name(lock, "threading.Thread", written_lock::what::end);
	to_.owner = ident;
	to_.word_at = number + header_of(l_) + pointer_size;
	return m_.read(to_.word_at, &to_.word, sizeof to_.word);
}

// Since 3.13 it is an event in a structure that has pthread_self() of it.
bool
lock_search::find_handle(std::uint64_t handle)
{
	constexpr std::uint64_t ident = 40, event = 48, most = 128;
	if (noted_ - handle < event || noted_ - handle >= most ||
	    !m_.word(handle + ident, to_.owner))
		return false;
	to_.word_at = handle + ident;
	to_.word = static_cast<std::uint32_t>(to_.owner);
	return true;
}

bool
lock_search::try_object(std::uint64_t at)
{
	const std::uint64_t members = at + header_of(l_);
	std::uint64_t first;
	if (!m_.word(members, first))
		return false;
	const bool has_it = first == semaphore_ || members == noted_;
	const bool may_have = noted_ != 0 && noted_ > first &&
	    noted_ - first < 128;
	if ((!has_it && !may_have) || !is_object(at))
		return false;
	const std::string &type = types_.of(at);
	if (!has_it) {
		if (type != "_thread._ThreadHandle" || !find_handle(first))
			return false;
		name(at, "threading.Thread", written_lock::what::end);
	} else if (type == "_thread.RLock") {
		name(at, "threading.RLock", written_lock::what::lock);
		to_.word_at = members + pointer_size;
		m_.word(to_.word_at, to_.owner);
		to_.word = static_cast<std::uint32_t>(to_.owner);
	} else if (type == "_queue.SimpleQueue") {
		name(at, "queue.SimpleQueue", written_lock::what::condition);
	} else if (type == "_thread.lock" && by_.waits_for_notice()) {
		name(at, "threading.Condition", written_lock::what::condition);
	} else if (type == "_thread.lock" && !(by_.waits_for_thread() &&
	    find_target(at))) {
		name(at, "threading.Lock", written_lock::what::lock);
		to_.has_no_owner = true;
	} else if (type != "_thread.lock") {
		return false;
	}
	return true;
}

void
lock_search::prefetch(std::span<const std::uint64_t> objects)
{
	std::vector<memory::range> ranges;
	for (const std::uint64_t at : objects.first(std::min(objects.size(),
	    tried_at_once)))
		ranges.push_back({at, static_cast<std::uint32_t>(header_of(l_) +
		    3 * pointer_size)});
	m_.prefetch(ranges);
}

// The waiting function is near, and so its object comes soon.
void
lock_search::run()
{
	semaphore_ = semaphore_of(q_.copy);
	if (semaphore_ == 0)
		return;
	std::vector<std::uint64_t> all = words_of(q_.copy, q_.space);
	const std::uint64_t before = semaphore_ - pointer_size;
	if (l_.minor >= 13 && q_.copy.stack.holds(before, pointer_size) &&
	    m_.word(before, noted_) && noted_ >= lowest)
		all.push_back(noted_ - header_of(l_));
	for (std::size_t i = 0; i < all.size(); i++) {
		if (i % tried_at_once == 0)
			prefetch(std::span(all).subspan(i));
		if (try_object(all[i]))
			return;
	}
	to_ = {};
}

} // namespace

void
find_lock(const question &q, const layout &l,
    const std::vector<std::uint64_t> &frames, written_stack &to)
{
	if (!frames.empty())
		lock_search(q, l, frames, to).run();
}

} // namespace stack9::languages::python
