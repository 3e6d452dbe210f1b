// Tests copies of many threads in one pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <climits>

#include "core/seam/record.h"
#include "require.h"
#include "user_capture.h"

using stack9::job;

BOOST_AUTO_TEST_SUITE(user_sides_of_many)

namespace {

// A kernel stack of the same thread; none if that waits for a CPU.
bool
goes_with(const stack9::stack_record *kernel, const stack9::stack_record &user)
{
	return kernel == nullptr ||
	    (kernel->thread.tid == user.thread.tid &&
	    (kernel->error == 0 ? kernel->depth > 3 :
	    kernel->why == STACK9_WHY_USER_MODE));
}

struct seen_threads {
	int good = 0, moving = 0;

	bool are_well() const { return good >= 200 - 1 && moving <= 2; }
};

// Makes a pass over 200 sleepers and one that spins.
seen_threads
seen_in_pass(stack9::user_pass_route &r, const victim &v, bool kernel)
{
	struct seen : seen_threads {
		int odd = 0;
		std::vector<pid_t> tids{};
	} all;
	BOOST_REQUIRE_EQUAL(r.each_copy(v.pid(), kernel,
	    [](void *arg, stack9::sides &s) noexcept {
		seen &to = *static_cast<seen *>(arg);
		to.tids.push_back(s.user.thread.tid);
		if (s.user.error == EAGAIN && s.copy.known == 0)
			to.moving++;
		else if (s.user.error == 0 &&
		    s.copy.stack.bytes.size() > 256 &&
		    s.user.depth == 0 && goes_with(s.kernel, s.user))
			to.good++;
		else
			to.odd++;
		return 0;
	    }, &all), 0);
	std::vector<pid_t> expected = v.tids();
	std::sort(expected.begin(), expected.end());
	std::sort(all.tids.begin(), all.tids.end());
	BOOST_TEST(all.tids == expected);
	BOOST_TEST(all.odd == 0);
	return all;
}

// Makes a pass over all threads; returns how many of pid have both sides.
int
seen_on_machine(stack9::user_pass_route &r, pid_t pid)
{
	struct seen {
		pid_t pid;
		int mine = 0, silent = 0;
		std::vector<pid_t> tids{};
	} all{pid};
	BOOST_REQUIRE_EQUAL(r.each_copy(0, true,
	    [](void *arg, stack9::sides &s) noexcept {
		seen &to = *static_cast<seen *>(arg);
		to.tids.push_back(s.user.thread.tid);
		to.mine += s.user.thread.pid == to.pid && s.user.error == 0;
		to.silent += s.user.error != 0 &&
		    s.user.why == STACK9_WHY_NONE;
		to.silent += s.kernel->error != 0 &&
		    s.kernel->why == STACK9_WHY_NONE;
		to.silent += s.kernel->error == 0 && s.kernel->depth == 0;
		return 0;
	    }, &all), 0);
	std::sort(all.tids.begin(), all.tids.end());
	BOOST_TEST(all.silent == 0);
	BOOST_TEST((std::adjacent_find(all.tids.begin(), all.tids.end()) ==
	    all.tids.end()));
	return all.mine;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_process_in_one_pass, *needs("bpf")
    * boost::unit_test::description(
    "every thread of pid once, with both sides of one sleep"))
{
	auto *const r = usable_route<job::user_each>("user-iter");
	if (r == nullptr)
		return;
	std::vector<doing> many(200, doing::read);
	many.push_back(doing::spin_user);
	const victim v(many);
	for (const bool kernel : {false, true}) {
		seen_threads all = seen_in_pass(*r, v, kernel);
		// A pass takes no second sample of a thread at which it was
		// preempted.
		for (int left = 4; left > 0 && !all.are_well(); left--)
			all = seen_in_pass(*r, v, kernel);
		BOOST_TEST(all.good >= 200 - 1);
		BOOST_TEST(all.moving <= 2);
	}
}

BOOST_AUTO_TEST_CASE(the_sink_ends_a_pass, *needs("bpf")
    * boost::unit_test::description("non-0: stop; ESRCH: no such process"))
{
	auto *const r = usable_route<job::user_each>("user-iter");
	if (r == nullptr)
		return;
	const victim v({doing::read, doing::poll, doing::futex});
	int calls = 0;
	const auto stop = [](void *arg, stack9::sides &) noexcept {
		++*static_cast<int *>(arg);
		return 42;
	};
	BOOST_TEST(r->each_copy(v.pid(), true, stop, &calls) == 42);
	BOOST_TEST(calls == 1);
	BOOST_TEST(r->each_copy(INT_MAX, true, stop, &calls) == ESRCH);
	BOOST_TEST(r->each_copy(v.tids()[0] == v.pid() ? v.tids()[1] :
	    v.tids()[0], true, stop, &calls) == ESRCH);
	BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(the_machine_in_one_pass, *needs("bpf")
    * boost::unit_test::description(
    "every thread of the machine (pid 0) once; a kernel thread's kernel "
    "stack comes with the word for its missing user side"))
{
	auto *const r = usable_route<job::user_each>("user-iter");
	if (r == nullptr)
		return;
	const victim v({doing::read, doing::poll});
	int mine = seen_on_machine(*r, v.pid());
	// As above, for a pass that was preempted.
	for (int left = 4; left > 0 && mine != 2; left--)
		mine = seen_on_machine(*r, v.pid());
	BOOST_TEST(mine == 2);
}

BOOST_AUTO_TEST_SUITE_END()
