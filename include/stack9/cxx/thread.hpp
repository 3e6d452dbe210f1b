// Declares threads, sides and reasons as values of C++.  Programs include
// <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_THREAD_HPP
#define STACK9_CXX_THREAD_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <stack9/cxx/result.hpp>

namespace stack9 {
inline namespace v0 {

enum class side {
	kernel = STACK9_KERNEL,
	user = STACK9_USER,
	both = STACK9_BOTH
};

// The reason for an error, or for an incomplete stack; further ones may come.
// text() has a sentence for each, <stack9.h> has the errno.
enum class why {
	none = STACK9_WHY_NONE,
	user_mode = STACK9_WHY_USER_MODE,
	on_cpu = STACK9_WHY_ON_CPU,
	moved = STACK9_WHY_MOVED,
	torn = STACK9_WHY_TORN,
	refused = STACK9_WHY_REFUSED,
	idle = STACK9_WHY_IDLE,
	silent = STACK9_WHY_SILENT,
	gone = STACK9_WHY_GONE,
	reused = STACK9_WHY_REUSED,
	zombie = STACK9_WHY_ZOMBIE,
	exiting = STACK9_WHY_EXITING,
	rights = STACK9_WHY_RIGHTS,
	machine = STACK9_WHY_MACHINE,
	resource = STACK9_WHY_RESOURCE,
	truncated = STACK9_WHY_TRUNCATED,
	registers = STACK9_WHY_REGISTERS,
	unwind = STACK9_WHY_UNWIND,
	kthread = STACK9_WHY_KTHREAD,
	traced = STACK9_WHY_TRACED,
	memory = STACK9_WHY_MEMORY,
	late = STACK9_WHY_LATE,
	away = STACK9_WHY_AWAY
};

// Async-signal-safe.
inline std::string_view
text(why w) noexcept
{
	return ::stack9_why_text(static_cast<int>(w));
}

// A thread, named for good: its tid may be reused, but not with the same start.
class thread {
public:
	thread() noexcept = default;
	explicit thread(const ::stack9_thread &c) noexcept : c_(c) {}

	// The calling thread.
	static result<thread>
	self(as_result_t)
	{
		thread td;
		const int error = ::stack9_thread_self(&td.c_);
		return detail::result_of(error, td);
	}
	static thread self() { return self(as_result).value(); }

	// The thread that has this tid now; of a process, its first thread.
	static result<thread>
	find(pid_t tid, as_result_t)
	{
		thread td;
		const int error = ::stack9_thread_find(tid, &td.c_);
		return detail::result_of(error, td);
	}
	static thread find(pid_t tid) { return find(tid, as_result).value(); }

	// The threads of this thread's process, by ascending tid.
	result<std::vector<thread>>
	siblings(as_result_t) const
	{
		std::vector<::stack9_thread> list(64);
		std::uint32_t n = 0;
		int error;
		while ((error = ::stack9_thread_list(&c_, list.data(),
		    static_cast<std::uint32_t>(list.size()), &n)) == 0 &&
		    n > list.size())
			list.resize(n + std::size_t{64});
		if (error != 0)
			return {error, detail::reason_of(error)};
		return std::vector<thread>(list.data(), list.data() + n);
	}
	std::vector<thread>
	siblings() const
	{
		return siblings(as_result).value();
	}

	pid_t tid() const noexcept { return c_.tid; }
	pid_t pid() const noexcept { return c_.pid; }
	std::uint64_t start() const noexcept { return c_.start; }
	const ::stack9_thread &c() const noexcept { return c_; }

	friend bool
	operator==(const thread &a, const thread &b) noexcept
	{
		return a.tid() == b.tid() && a.pid() == b.pid() &&
		    a.start() == b.start();
	}
	friend bool
	operator!=(const thread &a, const thread &b) noexcept
	{
		return !(a == b);
	}

private:
	::stack9_thread	c_{};
};

} // namespace v0
} // namespace stack9

template <>
struct std::hash<stack9::thread> {
	std::size_t
	operator()(const stack9::thread &td) const noexcept
	{
		return std::hash<std::uint64_t>()(td.start() *
		    0x9e3779b97f4a7c15 ^ static_cast<std::uint64_t>(td.tid()));
	}
};

#endif // STACK9_CXX_THREAD_HPP
