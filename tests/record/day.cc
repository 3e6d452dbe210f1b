// Replaces libstack9 and the clocks in a program that it is preloaded into: a
// machine whose threads come, go, run and change their names, on which a day
// passes as fast as the program looks at it.
//
// STACK9_DAY_THREADS is how many threads there are at a time, and one of
// STACK9_DAY_SLEEPERS runs between two passes.  Clocks are set and the machine
// is suspended now and then.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <poll.h>
#include <stack9.h>
#include <stack9_waits.h>

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::size_t deepest = 12, most_places = 4096;

struct clocks {
	std::int64_t	monotonic = 1000 * second;
	std::int64_t	boot_more = 0;		// suspended for so long
	std::int64_t	wall_more = 1'700'000'000 * second;
};

struct one_thread {
	stack9_thread	td{};
	std::string	comm;
	std::uint64_t	switches = 1;
	char		state = 'S';
	std::vector<std::uint64_t> kernel, user;
};

class machine {
public:
	machine();
	void	pass(std::int64_t ns);
	std::vector<one_thread> all;
	clocks	now;

private:
	unsigned int	below(unsigned int n)
	{
		return static_cast<unsigned int>(random_()) % n;
	}
	void	begin(one_thread &);
	void	run(one_thread &);

	std::mt19937	random_{1};
	std::uint64_t	starts_ = 1;
	pid_t		next_pid_ = 0;
	std::size_t	sleepers_ = 1;
};

std::size_t
number_in(const char *name, std::size_t usual)
{
	const char *const text = std::getenv(name);
	return text != nullptr ? std::strtoul(text, nullptr, 10) : usual;
}

std::vector<std::uint64_t>
stack(std::uint64_t base, unsigned int which)
{
	std::vector<std::uint64_t> pcs;
	const std::size_t depth = 3 + which % (deepest - 3);
	for (std::size_t i = 0; i < depth; i++)
		pcs.push_back(base + 16 * ((which * 31 + i) % most_places +
		    1));
	return pcs;
}

void
machine::run(one_thread &t)
{
	t.switches += 1 + below(9);
	t.state = "SSSSSSRD"[below(8)];
	// Most stacks are a few hundred; some are of code that nobody has seen.
	const unsigned int which = below(100) == 0 ? below(1 << 20) :
	    below(300);
	t.kernel = stack(0xffffffff81000000, which % 97);
	t.user = stack(0x400000, which);
	if (below(500) == 0)
		t.comm = "name" + std::to_string(below(1000));
}

// Few ids: each is used again and again, by other threads.
void
machine::begin(one_thread &t)
{
	const auto id = static_cast<pid_t>(1'000'000'000 + next_pid_++ %
	    static_cast<pid_t>(2 * all.size()));
	t.td.tid = id;
	t.td.pid = below(4) == 0 ? id : all[below(static_cast<unsigned int>(
	    all.size()))].td.pid;
	if (t.td.pid == 0)
		t.td.pid = id;
	t.td.start = starts_++;
	t.comm = "thread" + std::to_string(below(40));
	t.switches = 1;
	run(t);
}

machine::machine()
{
	all.resize(number_in("STACK9_DAY_THREADS", 300));
	sleepers_ = number_in("STACK9_DAY_SLEEPERS", 20);
	for (one_thread &t : all)
		begin(t);
}

// A tid that is in use is given to nobody else: the eldest threads end first.
void
machine::pass(std::int64_t ns)
{
	now.monotonic += ns;
	if (below(500) == 0)
		now.wall_more += (static_cast<std::int64_t>(below(7201)) -
		    3600) * second;
	if (below(5000) == 0)
		now.boot_more += static_cast<std::int64_t>(below(3600)) *
		    second;
	const std::size_t ending = all.size() / 33;
	std::sort(all.begin(), all.end(),
	    [](const one_thread &a, const one_thread &b) {
		return a.td.start < b.td.start;
	});
	for (std::size_t i = 0; i < ending; i++)
		begin(all[i]);
	for (std::size_t i = all.size() / sleepers_; i > 0; i--)
		run(all[below(static_cast<unsigned int>(all.size()))]);
}

machine &
the()
{
	static machine &it = *new machine;
	return it;
}

std::string
name_of(std::uint64_t pc)
{
	return (pc > 0xffff000000000000 ? "kernel_" : "user_") +
	    std::to_string(pc / 16 % (most_places + 1));
}

struct synthetic_sample {
	stack9_sample	s{};
	stack9_stack	kernel{}, user{};
};

void
fill(stack9_stack &to, int side, const std::vector<std::uint64_t> &pcs)
{
	to.side = side;
	to.depth = static_cast<std::uint32_t>(pcs.size());
	to.pcs = pcs.data();
	to.route = "day";
	to.reason = "";
	for (const std::uint64_t pc : pcs)
		to.hash = to.hash * 31 + pc;
}

void
fill(synthetic_sample &to, const one_thread &t)
{
	to.s.thread = t.td;
	to.s.comm = t.comm.c_str();
	to.s.state = t.state;
	to.s.switches = t.switches;
	fill(to.kernel, STACK9_KERNEL, t.kernel);
	fill(to.user, STACK9_USER, t.user);
	to.s.kernel = &to.kernel;
	to.s.user = &to.user;
}

} // namespace

extern "C" {

int
stack9_read_apart(unsigned int)
{
	return 0;
}

int
stack9_states(const stack9_thread *, unsigned int, stack9_state_fn *fn,
    void *arg)
{
	for (const one_thread &t : the().all) {
		stack9_state s{};
		s.thread = t.td;
		s.comm = t.comm.c_str();
		s.state = t.state;
		s.switches = t.switches;
		if (fn(arg, &s) != 0)
			return ECANCELED;
	}
	return 0;
}

int
stack9_each(const stack9_thread *td, int, const stack9_save_options *,
    stack9_sample_fn *fn, void *arg)
{
	for (const one_thread &t : the().all) {
		synthetic_sample made;
		fill(made, t);
		if ((td == nullptr || td->pid == t.td.pid) &&
		    fn(arg, &made.s) != 0)
			return ECANCELED;
	}
	return 0;
}

int
stack9_save(const stack9_thread *td, int, const stack9_save_options *,
    stack9_sample **to)
{
	auto *const made = new synthetic_sample;
	*to = &made->s;
	for (const one_thread &t : the().all)
		if (t.td.tid == td->tid)
			fill(*made, t);
	return made->s.kernel == nullptr ? ESRCH : 0;
}

void
stack9_sample_close(stack9_sample *s)
{
	delete reinterpret_cast<synthetic_sample *>(s);
}

int
stack9_frames(const stack9_stack *s, unsigned int, stack9_frame_fn *fn,
    void *arg)
{
	for (std::uint32_t i = 0; i < s->depth; i++) {
		const std::string name = name_of(s->pcs[i]);
		stack9_frame f{};
		f.kind = STACK9_FRAME_FUNCTION;
		f.flags = s->side == STACK9_KERNEL ? STACK9_FRAME_KERNEL : 0;
		f.pc = s->pcs[i];
		f.name = f.linkage = name.c_str();
		f.module = s->side == STACK9_KERNEL ? "" : "/usr/bin/day";
		f.file = "";
		f.vaddr = s->side == STACK9_KERNEL ? 0 : f.pc;
		if (fn(arg, &f) != 0)
			return ECANCELED;
	}
	return 0;
}

// CPU time is real.
[[gnu::visibility("default")]] int
clock_gettime(clockid_t clock, timespec *to) noexcept
{
	static const auto real = reinterpret_cast<decltype(&clock_gettime)>(
	    dlsym(RTLD_NEXT, "clock_gettime"));
	const clocks &now = the().now;
	std::int64_t ns = now.monotonic;
	if (clock == CLOCK_BOOTTIME)
		ns += now.boot_more;
	else if (clock == CLOCK_REALTIME)
		ns += now.boot_more + now.wall_more;
	else if (clock != CLOCK_MONOTONIC)
		return real(clock, to);
	*to = {static_cast<time_t>(ns / second),
	    static_cast<long>(ns % second)};
	return 0;
}

[[gnu::visibility("default")]] int
ppoll(pollfd *, nfds_t, const timespec *timeout, const sigset_t *)
{
	the().pass(timeout->tv_sec * second + timeout->tv_nsec);
	return 0;
}

} // extern "C"
