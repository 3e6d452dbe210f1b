// Tests captures in children that fork(3) did not make: they use the parent's
// memory, or a copy of it that no handler of pthread_atfork(3) has seen.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/seam/record.h"
#include "robust_child.h"
#include "robust_counts.h"
#include "robust_truth.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(borrowed)

namespace {

constexpr unsigned int borrowers = 64;
constexpr unsigned int others = 128;	// of 1024 that can have a memo

void
agree(void *)
{
	must_agree("around another process");
}

[[gnu::noinline]] void
capture()
{
	frames f;
	stack9::stack_record rec;
	OUR_FRAMES(f, rec);
	must(rec.error == 0 && rec.why == STACK9_WHY_NONE, "all is found");
}

void
must_end_well(pid_t pid)
{
	int status = 1;
	must(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
	    "the child has captured");
}

// The child borrows this thread until it exits.
[[gnu::noinline]] void
lend(void *)
{
	const pid_t pid = vfork();
	if (pid == 0) {
		capture();
		under(20, [](void *) { capture(); }, nullptr);
		_exit(0);
	}
	must_end_well(pid);
	must_agree("behind vfork()");
}

std::mutex in_turn;

// A thread whose memo another one uses, too, is not at home in it.
void
must_be_at_home()
{
	const std::lock_guard lock(in_turn);
	const std::uint64_t before = count_of("probes");
	capture();
	must(count_of("probes") == before, "no other thread has its memo");
}

void
warm_up()
{
	under(5, agree, nullptr);
	for (int i = 0; i < 10; i++)
		capture();
}

pthread_barrier_t all_there;

// Half of the borrowed threads have captured before.
void
live(unsigned int n)
{
	if (n < borrowers) {
		if (n % 2 != 0)
			warm_up();
		under(n % 30, lend, nullptr);
	}
	pthread_barrier_wait(&all_there);
	{
		const std::lock_guard lock(in_turn);
		warm_up();
	}
	pthread_barrier_wait(&all_there);
	must_be_at_home();
	under(n % 30, agree, nullptr);
}

void
lend_many()
{
	std::vector<std::thread> all;
	pthread_barrier_init(&all_there, nullptr, borrowers + others);
	for (unsigned int n = 0; n < borrowers + others; n++)
		all.emplace_back(live, n);
	for (std::thread &t : all)
		t.join();
}

// Threads that capture while this one does.  Two that have one memo would be
// taken for a handler and what it interrupted.
void
capture_beside_threads()
{
	constexpr int often = 200;
	std::vector<std::thread> all;
	std::atomic<unsigned int> done{0};
	std::atomic<bool> stop{false};
	const std::uint64_t before = count_of("interrupted");
	for (unsigned int n = 0; n < others; n++) {
		all.emplace_back([&] {
			for (int i = 0; i < often; i++)
				capture();
			must_agree("on a thread of a copy");
			done++;
			// Its descriptor is not for the next one.
			stop.wait(false);
		});
		while (done == n)
			capture();
	}
	must_agree("beside threads of a copy");
	stop = true;
	stop.notify_all();
	for (std::thread &t : all)
		t.join();
	must(count_of("interrupted") == before, "each has its own memo");
}

// A copy of the process, and a copy of that.  No thread there is given a memo:
// in the next copy it would be that of a thread which is gone.
[[gnu::noinline]] void
copy(void *)
{
	const std::uint64_t before = count_of("threads");
	const pid_t first = _Fork();
	if (first == 0) {
		warm_up();
		const pid_t second = _Fork();
		if (second == 0) {
			warm_up();
			capture_beside_threads();
			must(count_of("threads") == before,
			    "no thread has a memo that may be given away");
			_exit(0);
		}
		must_end_well(second);
		must_agree("behind a copy's copy");
		_exit(0);
	}
	must_end_well(first);
	must_agree("behind _Fork()");
}

} // namespace

BOOST_AUTO_TEST_CASE(a_child_of_vfork_leaves_its_parent_and_all_threads_right)
{
	BOOST_TEST(in_child(lend_many) == "");
}

BOOST_AUTO_TEST_CASE(a_copy_that_no_atfork_handler_has_seen_captures_right)
{
	BOOST_TEST(in_child([] { under(10, copy, nullptr); }) == "");
	BOOST_TEST(in_child([] {
		warm_up();
		under(10, copy, nullptr);
		capture_beside_threads();
	}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
