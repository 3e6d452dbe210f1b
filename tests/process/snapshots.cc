// Looks at a process again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <thread>

#include <malloc.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/space.h"

#include "copier.h"
#include "lib/lone_place.h"
#include "require.h"

namespace {

using stack9::space_walk;
using stack9::user_copy;

std::size_t
heap_in_use()
{
	const struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
}

stack9_thread
self()
{
	return {gettid(), getpid(), 0};
}

std::uintptr_t
map_page(void *at = nullptr)
{
	return reinterpret_cast<std::uintptr_t>(mmap(at, 4096, PROT_READ,
	    MAP_PRIVATE | MAP_ANONYMOUS | (at != nullptr ?
	    MAP_FIXED_NOREPLACE : 0), -1, 0));
}

void
unmap_page(std::uintptr_t at)
{
	munmap(reinterpret_cast<void *>(at), 4096);
}

} // namespace

BOOST_AUTO_TEST_SUITE(looks)

BOOST_AUTO_TEST_CASE(who_is_gone_or_another_is_not_looked_at)
{
	child c({program("static")});
	BOOST_REQUIRE(c.says("ready"));
	stack9_thread td = c.thread();
	BOOST_TEST(opened(td).error == 0);
	td.start++;
	BOOST_TEST(opened(td).error == ESRCH);
	td.start--;
	c.kill_and_reap();
	BOOST_TEST(opened(td).error == ESRCH);
	BOOST_TEST(opened(stack9_thread{2, 2, 0}).error == ESRCH);
}

BOOST_AUTO_TEST_CASE(who_may_not_look_is_reported, *needs("root"))
{
	child c({program("static")});
	BOOST_REQUIRE(c.says("ready"));
	const pid_t pid = fork();
	if (pid == 0)
		_exit(setuid(65534) == 0 ? opened(c.thread()).error : 99);
	int status;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(WEXITSTATUS(status) == EPERM);
}

BOOST_AUTO_TEST_CASE(what_was_loaded_since_is_found_by_another_look,
    *needs("ptrace"))
{
	child c({program("plain"), "dlopen", program("plugin.so")});
	BOOST_REQUIRE(c.says("waits"));
	const opened space(c.thread());
	c.give_byte();
	BOOST_REQUIRE(c.says("ready"));
	user_copy copy;
	copy_thread(c.pid(), copy);
	walk w = walk_of(*space, copy, c.thread());
	BOOST_TEST((w.how == space_walk::wants_renewal));
	BOOST_TEST(has(names_of(*space, w), {"inner", "middle", "outer"}));
	BOOST_TEST(stack9::space_renew(*space) == 0);
	w = walk_of(*space, copy, c.thread());
	BOOST_TEST(w.is_whole());
	BOOST_TEST(has(names_of(*space, w), {"outer", "plugged"}),
	    text(names_of(*space, w)));
}

BOOST_AUTO_TEST_CASE(a_process_is_looked_at_by_its_other_threads)
{
	child c({program("no_fp"), "alone"});
	BOOST_REQUIRE(c.said("ready"));
	const pid_t tid = c.other_tid();
	BOOST_REQUIRE(c.waits(tid));
	BOOST_TEST(opened(c.thread_of(tid)).error == 0);
	BOOST_TEST(opened(c.thread()).error == 0);	// its leader, dead
	user_copy copy;
	copy_thread(tid, copy);
	const opened space(c.thread());
	BOOST_TEST(walk_of(*space, copy, c.thread_of(tid)).is_whole());
}

BOOST_AUTO_TEST_CASE(looking_again_costs_only_what_has_changed)
{
	const opened space(self());
	BOOST_REQUIRE(space.error == 0);
	constexpr std::uintptr_t at = lib::lone_place;
	std::size_t before = 0;
	for (int n = 0; n < 1000; n++) {
		if (n == 10)
			before = heap_in_use();
		if (n % 2 == 0)
			BOOST_REQUIRE(map_page(reinterpret_cast<void *>(at)) ==
			    at);
		else
			unmap_page(at);
		BOOST_REQUIRE(stack9::space_renew(*space) == 0);
		stack9::process::place p;
		BOOST_REQUIRE((*space).find(at, p) == (n % 2 == 0));
	}
	BOOST_TEST(heap_in_use() < before + 4096);
}

BOOST_AUTO_TEST_CASE(a_place_stays_good_after_another_look)
{
	const opened space(self());
	const std::uintptr_t at = map_page();
	BOOST_REQUIRE(stack9::space_renew(*space) == 0);
	stack9::process::place p;
	BOOST_REQUIRE((*space).find(at, p));
	const auto where = p.where;
	const auto end = where->end;
	unmap_page(at);
	BOOST_REQUIRE(stack9::space_renew(*space) == 0);
	BOOST_TEST((where->start <= at && where->end == end));
}

BOOST_AUTO_TEST_CASE(many_find_while_one_looks)
{
	const opened space(self());
	const auto here = reinterpret_cast<std::uintptr_t>(&heap_in_use);
	std::atomic<bool> ready = true;
	std::atomic<long> missed = 0;
	std::vector<std::thread> finders;
	for (int n = 0; n < 2; n++)
		finders.emplace_back([&] {
			stack9::process::place p;
			while (ready)
				missed += !(*space).find(here, p) ||
				    p.backing == nullptr;
		});
	for (int n = 0; n < 300; n++) {
		const std::uintptr_t at = map_page();
		BOOST_REQUIRE(stack9::space_renew(*space) == 0);
		unmap_page(at);
		BOOST_REQUIRE(stack9::space_renew(*space) == 0);
	}
	ready = false;
	for (std::thread &t : finders)
		t.join();
	BOOST_TEST(missed == 0);
}

BOOST_AUTO_TEST_CASE(many_walk_at_once, *needs("ptrace"))
{
	child c({program("no_fp"), "deep", "50"});
	BOOST_REQUIRE(c.says("ready"));
	const stack9_thread td = c.thread();
	user_copy copy;
	copy_thread(td.tid, copy);
	const opened space(td);
	std::vector<std::thread> walkers;
	std::atomic<int> whole = 0;
	for (int n = 0; n < 4; n++)
		walkers.emplace_back([&] {
			for (int i = 0; i < 100; i++)
				whole += walk_of(*space, copy, td).is_whole();
		});
	for (std::thread &t : walkers)
		t.join();
	BOOST_TEST(whole == 400);
}

BOOST_AUTO_TEST_SUITE_END()
