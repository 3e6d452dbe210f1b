// Declares what threads wait for, who can end it, and whether threads have run,
// as values of C++.  No name of <stack9_waits.h> is needed beside it.
//
//	const auto samples = stack9::save_all(stack9::thread::find(4711));
//	for (const stack9::wait &w : stack9::waits_of(samples))
//		for (const stack9::holder &h : w.holders)
//			std::printf("%d waits for %d\n", w.of.thread().tid(),
//			    h.thread.tid());
//	for (const stack9::thread_state &s : stack9::states_of(
//	    stack9::machine))
//		std::printf("%s has run %llu times\n", s.comm.c_str(),
//		    static_cast<unsigned long long>(s.switches));
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_WAITS_HPP
#define STACK9_WAITS_HPP

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <stack9.hpp>
#include <stack9_waits.h>

namespace stack9 {
inline namespace v0 {

// The kind of a wait.  Further kinds may come.
enum class wait_kind {
	unknown = STACK9_WAIT_UNKNOWN,	// error and reason say why
	none = STACK9_WAIT_NONE,	// it runs, or may run
	futex = STACK9_WAIT_FUTEX,
	mutex = STACK9_WAIT_MUTEX,
	pi_mutex = STACK9_WAIT_PI_MUTEX,
	rwlock_read = STACK9_WAIT_RWLOCK_READ,
	rwlock_write = STACK9_WAIT_RWLOCK_WRITE,
	join = STACK9_WAIT_JOIN,
	condition = STACK9_WAIT_CONDITION,
	semaphore = STACK9_WAIT_SEMAPHORE,
	once = STACK9_WAIT_ONCE,
	barrier = STACK9_WAIT_BARRIER,
	flock = STACK9_WAIT_FLOCK,
	file_lock = STACK9_WAIT_FILE_LOCK,
	pipe = STACK9_WAIT_PIPE,
	socket = STACK9_WAIT_SOCKET,
	descriptor = STACK9_WAIT_DESCRIPTOR,
	poll = STACK9_WAIT_POLL,
	epoll = STACK9_WAIT_EPOLL,
	child = STACK9_WAIT_CHILD,
	vfork = STACK9_WAIT_VFORK,
	tracer = STACK9_WAIT_TRACER,
	stopped = STACK9_WAIT_STOPPED,
	sleep = STACK9_WAIT_SLEEP,
	signal = STACK9_WAIT_SIGNAL,
	io_uring = STACK9_WAIT_IO_URING,
	kernel_mutex = STACK9_WAIT_KERNEL_MUTEX,
	kernel_semaphore = STACK9_WAIT_KERNEL_SEMAPHORE,
	kernel_read = STACK9_WAIT_KERNEL_READ,
	kernel_write = STACK9_WAIT_KERNEL_WRITE,
	kernel_rt_mutex = STACK9_WAIT_KERNEL_RT_MUTEX,
	fault = STACK9_WAIT_FAULT,
	syscall = STACK9_WAIT_SYSCALL,
	kernel = STACK9_WAIT_KERNEL,
	userfaultfd = STACK9_WAIT_USERFAULTFD,
	file_page = STACK9_WAIT_FILE_PAGE,
	swap = STACK9_WAIT_SWAP,
	interpreter = STACK9_WAIT_INTERPRETER,
	monitor = STACK9_WAIT_MONITOR,
	lock = STACK9_WAIT_LOCK
};

// Async-signal-safe.
inline std::string_view
text(wait_kind kind) noexcept
{
	return ::stack9_wait_text(static_cast<int>(kind));
}

enum class role {
	owner = STACK9_ROLE_OWNER,
	target = STACK9_ROLE_TARGET,
	tracer = STACK9_ROLE_TRACER,
	peer = STACK9_ROLE_PEER
};

// A thread that can end a wait; process: any thread of its process.
struct holder {
	stack9::thread	thread;
	stack9::role	role;
	bool		process;
};

// A wait, as a copy of what stack9_waits(3) lends.
struct wait {
	sample			of;	// as given
	wait_kind		kind = wait_kind::unknown;
	int			error = 0;
	int			fd = -1;	// -1: none
	bool			timed = false;	// it ends at a time, too
	bool			all_holders = false;	// nobody else can
							// end it
	bool			by_readers = false;	// readers have the lock
	bool			by_others = false;	// others than the
							// holders can end it
	bool			moved = false;	// the stacks are not of this
						// wait
	bool			changing = false;	// ask again who has it
	std::string		reason, object, place;	// "": none
	std::string_view	call;	// the system call; "": none
	std::int64_t		number = -1;
	std::array<std::uint64_t, 6> args{};
	std::uint64_t		address = 0;
	std::chrono::nanoseconds left{0};	// until it ends; 0: not known
	std::chrono::nanoseconds idle{0};	// since it ran; 0: not known
	std::vector<holder>	holders;
};

namespace detail {

struct wait_list {
	const std::vector<sample>	&samples;
	std::vector<wait>		 all;
	std::exception_ptr		 thrown;
};

inline wait
wait_of(const sample &s, const ::stack9_wait &c)
{
	wait w;
	w.of = s;
	w.kind = static_cast<wait_kind>(c.kind);
	w.error = c.error;
	w.fd = c.fd;
	w.timed = (c.flags & STACK9_WAIT_TIMED) != 0;
	w.all_holders = (c.flags & STACK9_WAIT_ALL_HOLDERS) != 0;
	w.by_readers = (c.flags & STACK9_WAIT_BY_READERS) != 0;
	w.by_others = (c.flags & STACK9_WAIT_BY_OTHERS) != 0;
	w.moved = (c.flags & STACK9_WAIT_MOVED) != 0;
	w.changing = (c.flags & STACK9_WAIT_CHANGING) != 0;
	w.reason = c.reason;
	w.object = c.object;
	w.place = c.place;
	w.call = c.call;
	w.number = c.number;
	for (std::size_t i = 0; i < w.args.size(); i++)
		w.args[i] = c.args[i];
	w.address = c.address;
	w.left = std::chrono::nanoseconds(c.left_ns);
	w.idle = std::chrono::nanoseconds(c.idle_ns);
	for (std::uint32_t i = 0; i < c.holders; i++)
		w.holders.push_back({stack9::thread(c.holder[i].thread),
		    static_cast<stack9::role>(c.holder[i].role),
		    (c.holder[i].flags & STACK9_HOLDER_PROCESS) != 0});
	return w;
}

inline int
add_wait(void *arg, const ::stack9_wait *c) noexcept
{
	auto &to = *static_cast<wait_list *>(arg);
	STACK9_TRY {
		to.all.push_back(wait_of(to.samples[to.all.size()], *c));
		return 0;
	} STACK9_CATCH(...) {
		to.thrown = std::current_exception();
		return 1;
	}
}

} // namespace detail

// Finds the waits of the threads of samples, in their order.
inline result<std::vector<wait>>
waits_of(const std::vector<sample> &samples, as_result_t)
{
	std::vector<const ::stack9_sample *> all;
	for (const sample &s : samples)
		all.push_back(s.c());
	detail::wait_list list{samples, {}, nullptr};
	const int error = ::stack9_waits(all.data(),
	    static_cast<std::uint32_t>(all.size()), 0, detail::add_wait,
	    &list);
	if (list.thrown)
		std::rethrow_exception(list.thrown);
	return detail::result_of(error, std::move(list.all));
}

inline std::vector<wait>
waits_of(const std::vector<sample> &samples)
{
	return waits_of(samples, as_result).value();
}

// A thread as the scheduler sees it.  If two calls found the same switches, and
// neither found it on a CPU, the thread has not run in between.
struct thread_state {
	stack9::thread		of;
	std::string		comm;		// its name
	char			state = '?';	// as in /proc/TID/stat
	int			cpu = -1;	// on it, or last on it; -1:
						// unknown
	bool			on_cpu = false;	// or it may run, where only
						// /proc was allowed
	std::uint64_t		switches = 0;	// of contexts, so far
	std::chrono::nanoseconds when{0};	// CLOCK_BOOTTIME
	// It runs, waits for a CPU or sleeps at least and at most so long; 0:
	// not known.
	std::chrono::nanoseconds since{0}, since_most{0};
};

namespace detail {

inline thread_state
state_of(const ::stack9_state &c)
{
	using std::chrono::nanoseconds;
	return {stack9::thread(c.thread), c.comm, static_cast<char>(c.state),
	    c.cpu, (c.flags & STACK9_STATE_ON_CPU) != 0, c.switches,
	    nanoseconds(c.when_ns), nanoseconds(c.since_ns),
	    nanoseconds(c.since_most_ns)};
}

template <typename Fn>
int
lend_state(void *arg, const ::stack9_state *c) noexcept
{
	return static_cast<relay<Fn, thread_state> *>(arg)->make(
	    [c] { return state_of(*c); });
}

} // namespace detail

// Calls fn(const thread_state &) for every thread of a process, of which the
// first argument is any thread, or of the machine, by ascending tid.  No stack
// is read.  Returns go::stop if fn ended the call, and go::on if not.
template <typename Of, typename Fn>
result<go>
for_each_state(const Of &process, Fn &&fn, as_result_t)
{
	using callable = std::remove_reference_t<Fn>;
	detail::relay<callable, thread_state> to(fn);
	const int error = ::stack9_states(detail::process_of(process), 0,
	    detail::lend_state<callable>, &to);
	return to.finish(error);
}

template <typename Of, typename Fn>
go
for_each_state(const Of &process, Fn &&fn)
{
	return for_each_state(process, fn, as_result).value();
}

// All of them.
template <typename Of>
result<std::vector<thread_state>>
states_of(const Of &process, as_result_t)
{
	std::vector<thread_state> all;
	const result<go> r = for_each_state(process,
	    [&all](const thread_state &s) { all.push_back(s); }, as_result);
	if (!r)
		return {r.error(), r.reason()};
	return all;
}

template <typename Of>
std::vector<thread_state>
states_of(const Of &process)
{
	return states_of(process, as_result).value();
}

} // namespace v0
} // namespace stack9

#endif // STACK9_WAITS_HPP
