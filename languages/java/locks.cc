// Follows what the machine notes of a thread that waits: the monitor
// (objectMonitor.hpp), or the object that LockSupport.park() was given.
//
// A monitor that was locked before there was a structure for it names its owner
// by an address on the owner's stack (up to JDK 21) or not at all: then the
// object lies in the owner's list of locks (lockStack.hpp).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "locks.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "method.h"
#include "objects.h"
#include "threads.h"

namespace stack9::languages::java {
namespace {

constexpr std::uint64_t anonymous = 1;	// ObjectMonitor::ANONYMOUS_OWNER
constexpr int most_classes = 32;
constexpr std::uint32_t most_locks = 64;

class lock_search {
public:
	lock_search(const question &q, const layout &l, std::uint64_t thread)
	    noexcept : m_(q.words), l_(l), objects_(m_, l),
	      thread_(thread)
	{
		is_known_ = objects_.read_colors(colors_);
	}

	bool find_monitor(written_lock &);
	bool find_parked(written_lock &);
	// Returns true if no phase of the collector has begun meanwhile.
	bool is_of_one_phase() noexcept;

private:
	bool is_owned_lock(std::uint64_t object);
	std::uint64_t owner_of(std::uint64_t word, std::uint64_t object);
	bool has_locked(std::uint64_t thread, std::uint64_t object) noexcept;
	bool has_on_stack(std::uint64_t thread, std::uint64_t at) noexcept;
	bool has_id(std::uint64_t thread, std::uint64_t id) noexcept;

	memory			&m_;
	const layout		&l_;
	objects			objects_;
	const std::uint64_t	thread_;
	objects::colors		colors_;
	bool			is_known_ = false;
};

bool
lock_search::is_of_one_phase() noexcept
{
	objects::colors now;
	if (!is_known_ || colors_.shift == 0)
		return is_known_;
	m_.forget();
	const bool is_same = objects_.read_colors(now) && now == colors_;
	m_.remember();
	return is_same;
}

// Only these have a field for their owner.
bool
lock_search::is_owned_lock(std::uint64_t object)
{
	std::uint64_t at = objects_.class_of(object);
	std::string name;
	for (int n = 0; n < most_classes && read_class_name(m_, l_, at, name);
	    n++) {
		if (name == "java.util.concurrent.locks."
		    "AbstractOwnableSynchronizer")
			return true;
		if (l_.superclass == none || !m_.word(at + l_.superclass, at))
			return false;
	}
	return false;
}

bool
lock_search::has_locked(std::uint64_t thread, std::uint64_t object) noexcept
{
	std::uint32_t top;
	// ZGC changes the list of a thread when that runs next.
	if (colors_.shift != 0 || object == 0 || l_.lock_stack == none ||
	    l_.lock_stack_top == none ||
	    l_.lock_stack_base == none ||
	    !get(m_, thread + l_.lock_stack + l_.lock_stack_top, top))
		return false;
	const std::uint32_t first = l_.lock_stack + l_.lock_stack_base;
	for (std::uint32_t at = first; at < top &&
	    at < first + 8 * most_locks; at += 8) {
		std::uint64_t one;
		if (m_.word(thread + at, one) && one == object)
			return true;
	}
	return false;
}

bool
lock_search::has_on_stack(std::uint64_t thread, std::uint64_t at) noexcept
{
	std::uint64_t base, size;
	return l_.stack_base != none && l_.stack_size != none &&
	    m_.word(thread + l_.stack_base, base) &&
	    m_.word(thread + l_.stack_size, size) && at < base &&
	    base - at <= size;
}

bool
lock_search::has_id(std::uint64_t thread, std::uint64_t id) noexcept
{
	std::uint64_t its;
	return m_.word(thread + l_.owner_id, its) && its == id;
}

// Gives the JavaThread of a monitor's owner; 0: there is none, or it is not
// known.
std::uint64_t
lock_search::owner_of(std::uint64_t word, std::uint64_t object)
{
	if (word == 0)
		return 0;
	const std::vector<std::uint64_t> all = all_threads(m_, l_);
	const auto found = std::find_if(all.begin(), all.end(),
	    [&](std::uint64_t thread) {
		if (word == anonymous)
			return has_locked(thread, object);
		return l_.owner_id != none ? has_id(thread, word) :
		    thread == word || has_on_stack(thread, word);
	});
	return found != all.end() ? *found : 0;
}

bool
lock_search::find_monitor(written_lock &to)
{
	std::uint64_t monitor, word;
	if (thread_ == 0 || l_.pending_monitor == none ||
	    l_.monitor_owner == none || l_.monitor_object == none ||
	    !m_.word(thread_ + l_.pending_monitor, monitor) || monitor == 0 ||
	    !m_.word(monitor + l_.monitor_owner, word))
		return false;
	const std::uint64_t object = objects_.object_in(monitor +
	    l_.monitor_object);
	const std::uint64_t owner = owner_of(word, object);
	to.address = object != 0 ? object : monitor;
	to.word_at = monitor + l_.monitor_owner;
	to.word = static_cast<std::uint32_t>(word);
	to.is_endless = true;
	to.owner = owner != 0 ? pointer_of(m_, l_, owner) : 0;
	if (!read_class_name(m_, l_, objects_.class_of(object), to.object))
		to.object.clear();
	return true;
}

// These have the field for an owner, and never an owner.  A lock of another
// class that has none is free at this moment.
bool
never_has_owner(std::string_view name) noexcept
{
	return name.starts_with("java.util.concurrent.CountDownLatch$") ||
	    name.starts_with("java.util.concurrent.Semaphore$");
}

// A thread may be parked for an object that is no lock: then it waits to be
// notified, and nobody owns that.  A virtual thread has no thread of the
// machine as its owner's.
bool
lock_search::find_parked(written_lock &to)
{
	const std::uint32_t at = l_.virtual_thread != none ?
	    l_.virtual_thread : l_.thread_object;
	std::uint64_t owner;
	if (thread_ == 0 || at == none || l_.park_blocker == none ||
	    l_.exclusive_owner == none || l_.native_thread == none)
		return false;
	const std::uint64_t self = objects_.object_in(thread_ + at);
	const std::uint64_t lock = self == 0 ? 0 :
	    objects_.object_at(self + l_.park_blocker);
	if (lock == 0 || !read_class_name(m_, l_, objects_.class_of(lock),
	    to.object))
		return false;
	to.address = lock;
	to.word_at = lock + l_.exclusive_owner;
	const bool is_owned = is_owned_lock(lock);
	const std::uint64_t by = is_owned ? objects_.object_at(to.word_at) : 0;
	if (by == 0) {
		to.kind = written_lock::what::condition;
		return !is_owned || never_has_owner(to.object);
	}
	if (!get(m_, to.word_at, to.word) ||
	    !m_.word(by + l_.native_thread, owner) || owner == 0)
		return false;
	to.owner = pointer_of(m_, l_, owner);
	return to.owner != 0;
}

// Returns true if the innermost method is the one that parks.
bool
is_parked(const written_stack &s) noexcept
{
	for (const written_frame &f : s.frames)
		if (f.file != 0)
			return s.text_of(f.name).ends_with("misc.Unsafe.park");
	return false;
}

} // namespace

void
find_lock(const question &q, const layout &l, std::uint64_t thread,
    written_stack &to)
{
	if (to.frames.empty())
		return;
	lock_search s(q, l, thread);
	written_lock found;
	if ((s.find_monitor(found) || (is_parked(to) &&
	    s.find_parked(found))) && s.is_of_one_phase())
		to.lock = std::move(found);
}

} // namespace stack9::languages::java
