// Tests stack9(3): all threads in one pass.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstring>
#include <thread>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"
#include "require.h"

using boost::unit_test::description;

namespace {

struct own_pass {
	int			calls = 0;
	int			nested = 0;
	bool			named = false;
	std::string		first;		// frame of the caller
	std::vector<std::string> modules;
};

int
keep_frame(void *arg, const stack9_frame *f)
{
	own_pass &p = *static_cast<own_pass *>(arg);
	if (p.modules.empty())
		p.first = f->name;
	p.modules.push_back(f->module);
	return 0;
}

int
of_self(void *arg, const stack9_sample *s)
{
	own_pass &p = *static_cast<own_pass *>(arg);
	p.calls++;
	if (s->thread.tid != gettid())
		return 0;
	p.named = s->comm[0] != '\0' && s->state == 'R';
	BOOST_TEST(stack9_frames(s->user, 0, keep_frame, arg) == 0);
	return 0;
}

int
stops(void *arg, const stack9_sample *)
{
	++*static_cast<int *>(arg);
	return EPERM;
}

int
nests(void *arg, const stack9_sample *s)
{
	own_pass &p = *static_cast<own_pass *>(arg);
	const std::uint32_t depth = s->user->depth;
	p.calls++;
	p.nested += api::save(s->thread, STACK9_USER)->user->depth > 0;
	BOOST_TEST(s->user->depth == depth);
	return 0;
}

struct space_pass {
	const stack9_space	*expected;
	int			calls = 0, others = 0;
};

int
has_space(void *arg, const stack9_sample *s)
{
	space_pass &p = *static_cast<space_pass *>(arg);
	p.calls++;
	p.others += s->user->error != 0 || s->user->space != p.expected;
	return 0;
}

} // namespace

BOOST_AUTO_TEST_SUITE(pass, *needs("bpf"))

BOOST_AUTO_TEST_CASE(of_own_process, *description(
    "the caller has its name and state, and no frame of the library"))
{
	stack9_thread self{};
	stack9_thread_self(&self);
	own_pass p;
	BOOST_TEST(stack9_each(&self, STACK9_USER, nullptr, of_self, &p) == 0);
	BOOST_TEST(p.calls >= 1);
	BOOST_TEST(p.named);
	BOOST_TEST(p.first.find("of_own_process") != p.first.npos, p.first);
	for (const std::string &m : p.modules)
		BOOST_TEST(m.find("libstack9") == m.npos);
}

BOOST_AUTO_TEST_CASE(cancelled, *description(
    "a value of the function's is no errno of the call"))
{
	int calls = 0;
	BOOST_TEST(stack9_each(nullptr, STACK9_KERNEL, nullptr, stops,
	    &calls) == ECANCELED);
	BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(nested, *description(
    "The function may call the library"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	own_pass p;
	BOOST_TEST(stack9_each(&td, STACK9_USER, nullptr, nests, &p) == 0);
	BOOST_TEST(p.calls == 1);
	BOOST_TEST(p.nested == 1);
}

BOOST_AUTO_TEST_CASE(reused, *description(
    "a process that is another one now is gone"))
{
	const api::child c(api::child_waits);
	stack9_thread td = c.thread();
	td.start++;
	int calls = 0;
	BOOST_TEST(stack9_each(&td, STACK9_USER, nullptr, stops, &calls) ==
	    ESRCH);
	BOOST_TEST(calls == 0);
	BOOST_TEST(stack9_each(&td, STACK9_USER, nullptr, nullptr, nullptr) ==
	    EINVAL);
}

BOOST_AUTO_TEST_CASE(kept, *description(
    "stack9_sample_hold() copies a sample that is lent"))
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const stack9_thread td = c.thread();
	stack9_sample *held = nullptr;
	BOOST_TEST(stack9_each(&td, STACK9_BOTH, nullptr,
	    [](void *to, const stack9_sample *s) {
		    *static_cast<stack9_sample **>(to) = stack9_sample_hold(s);
		    return 0;
	    }, &held) == 0);
	const api::sample s(held);
	BOOST_REQUIRE(held != nullptr);
	BOOST_TEST(held->thread.tid == c.pid());
	BOOST_TEST(api::has(api::names_of(held->user),
	    "api::child_waits(int)"));
	BOOST_TEST(!api::names_of(held->kernel).empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(a_pass_by_a_space, *needs("ptrace") *
    description("ONE THREAD: stack9_each of a process takes one, too, and "
    "without one reads the mappings once a process."))
{
	const api::child other(api::child_waits);
	other.wait_for_sleep();
	const stack9_thread td = other.thread();
	stack9_space *opened = nullptr;
	BOOST_TEST_REQUIRE(stack9_space_open(&td, &opened) == 0);
	const api::space space(opened);
	stack9_save_options o{};
	o.size = sizeof o;
	o.space = opened;
	space_pass p{opened};
	BOOST_TEST(stack9_each(&td, STACK9_USER, &o, has_space, &p) == 0);
	BOOST_TEST(p.calls == 1);
	BOOST_TEST(p.others == 0);
	BOOST_TEST(stack9_each(nullptr, STACK9_USER, &o, has_space, &p) ==
	    EINVAL);
	BOOST_TEST(p.calls == 1);
}
