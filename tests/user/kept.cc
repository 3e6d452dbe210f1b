// Tests captures that are named later, and stacks deeper than the room.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "core_calls.h"
#include "busy_program.h"
#include "pass.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(kept_for_later)

namespace {

std::atomic<bool> down{false};

[[noreturn]] void
spin()
{
	down = true;
	for (;;)
		asm volatile("");	// or the loop may be taken for none
}

// It has so many frames, and the innermost calls bottom().
[[gnu::noinline]] void
go_down(int frames, void (*bottom)())
{
	volatile char room[64];
	room[0] = static_cast<char>(frames);
	if (frames > 1)
		go_down(frames - 1, bottom);
	else
		bottom();
	asm volatile("" :: "r"(room) : "memory");
}

class deep {
public:
	explicit deep(int frames, bool spins = false)
	    : child_([=] {
		    std::thread(go_down, frames, spins ? spin : [] {
			    down = true;
			    pause();
		    }).detach();
		    while (!down)
			    sched_yield();
	    })
	{
		const pass p(STACK9_USER, child_.pid());
		for (const kept &k : p.all)
			if (k.rec.thread.tid != child_.pid())
				tid = k.rec.thread.tid;
		wait_for_state(tid, spins ? 'R' : 'S');
	}
	pid_t pid() const { return child_.pid(); }

	pid_t	tid = 0;

private:
	child	child_;
};

std::size_t
frames_down(const std::vector<std::string> &names)
{
	return static_cast<std::size_t>(std::count_if(names.begin(),
	    names.end(), [](const std::string &n) {
		    return n.find("go_down") != std::string::npos;
	    }));
}

} // namespace

BOOST_AUTO_TEST_CASE(names_after_the_end, *needs("ptrace")
    * boost::unit_test::description(
    "space: A space outlives the process, and names the addresses in its "
    "stacks"))
{
	// A copy that is deleted as well.
	const auto copy = std::filesystem::temp_directory_path() /
	    fmt::format("stack9-busy-{}", getpid());
	std::filesystem::copy_file(BUSY_LEAN, copy,
	    std::filesystem::copy_options::overwrite_existing);
	busy_program p(copy);
	std::filesystem::remove(copy);
	pass before(STACK9_USER, p.pid());
	BOOST_REQUIRE(before.in != nullptr);
	p.end();
	int whole = 0;
	for (kept &k : before.all) {
		k.rec.pcs = k.pcs.data();
		const std::string names = joined(names_in(before.in.get(),
		    k.rec));
		const int me = p.who(k.rec.thread.tid);
		if (me < 0 || k.rec.error != 0 || k.rec.why != STACK9_WHY_NONE)
			continue;
		whole++;
		BOOST_TEST(names.find(fmt::format("root_{} < begin", me)) !=
		    std::string::npos, names);
		stack9::mapped_module m;
		BOOST_TEST(core::space_module(before.in.get(), k.pcs.back(),
		    &m) == 0);
		BOOST_TEST(std::string(m.path).find("libc") !=
		    std::string::npos, m.path);
	}
	BOOST_TEST(whole >= busy::threads / 2);
}

BOOST_AUTO_TEST_CASE(as_deep_as_it_is, *needs("ptrace")
    * boost::unit_test::description(
    "to any depth; a longer stack is fetched on, not cut silently"))
{
	constexpr int frames = 5000;
	const deep d(frames);
	std::vector<std::uintptr_t> room(8192);
	const space in = space_of(d.pid());
	for (const std::string &route : routes_of(one_job)) {
		const forced only(route);
		stack9::stack_record rec{};
		rec.pcs = room.data();
		rec.max = static_cast<std::uint32_t>(room.size());
		rec.space = in.get();
		const stack9_thread td{d.tid, d.pid(), 0};
		BOOST_TEST_CONTEXT(route) {
			BOOST_TEST(core::save(STACK9_USER, &td, &rec) == 0);
			const auto names = names_in(in.get(), rec);
			const std::size_t down = frames_down(names);
			if (rec.why == STACK9_WHY_NONE)
				BOOST_TEST(down == std::size_t{frames});
			else
				fmt::print("{}: {} of {} frames: {}\n", route,
				    down, frames, stack9_why_text(rec.why));
			if (route != "procfs")
				BOOST_TEST(rec.why == STACK9_WHY_NONE);
		}
	}
	for (const std::string &route : routes_of(many_job)) {
		const forced only(route);
		const pass p(STACK9_USER, d.pid());
		const kept *k = p.of(d.tid);
		BOOST_REQUIRE(k != nullptr);
		BOOST_TEST(k->rec.error == 0);
		// It has less room than that.
		BOOST_TEST(k->rec.why != STACK9_WHY_NONE);
		if (k->rec.why == STACK9_WHY_TRUNCATED)
			BOOST_TEST(k->rec.dropped >= 1u);
	}
}

namespace {

// False: it changed meanwhile.
bool
is_captured_in_part(user_capture &c, pid_t tid)
{
	const int error = c.save(tid);
	BOOST_TEST((error == 0 || error == EAGAIN));
	if (error != 0)
		return false;
	BOOST_TEST(c.rec.why != STACK9_WHY_NONE);
	const auto names = c.names();
	BOOST_TEST(names[0].find("spin") != std::string::npos, names[0]);
	BOOST_TEST(frames_down(names) == c.rec.depth - 1, joined(names));
	return true;
}

} // namespace

BOOST_AUTO_TEST_CASE(deep_and_never_still, *needs("root") * needs("bpf")
    * boost::unit_test::description(
    "of a thread on a CPU, what was copied at once; the rest is told"))
{
	const deep d(5000, true);
	const forced only(and_no_stop(""));
	user_capture c(d.pid());
	int had = 0;
	// The thread may wait for a CPU most of a time: a few times then.
	for (int times = 0; had <= 50 && times < 10; times++) {
		had = 0;
		for (int i = 0; i < 100; i++)
			had += is_captured_in_part(c, d.tid);
	}
	BOOST_TEST(had > 50);
}

BOOST_AUTO_TEST_SUITE_END()
