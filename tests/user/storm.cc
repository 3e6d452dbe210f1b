// Tests that stacks of threads that never hold still are right or marked, never
// mixed.  STACK9_USER_STORM sets another number of captures than 10000, or, if
// STACK9_LONG is set, than 40000.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "core_calls.h"
#include "busy_program.h"
#include "require.h"

BOOST_AUTO_TEST_SUITE(user_storm)

namespace {

long
captures()
{
	const char *wish = std::getenv("STACK9_USER_STORM");
	return wish != nullptr ? std::atol(wish) : rounds(40000, 10000);
}

struct outcome {
	long			whole[busy::threads]{}, marked = 0, joined = 0;
	std::map<std::string, long>	faults, marks;
};

// At one moment: by one route.
bool
of_one_moment(const stack9::stack_record &kernel,
    const stack9::stack_record &user)
{
	return kernel.error == 0 && user.error == 0 && user.depth > 0 &&
	    kernel.route != nullptr && user.route != nullptr &&
	    std::strcmp(kernel.route, user.route) == 0;
}

void
judge(busy_program &p, const stack9::stack_record &user, outcome &o)
{
	const int me = p.who(user.thread.tid);
	if (me < 0)
		return;
	if (user.error != 0 || user.why != STACK9_WHY_NONE) {
		o.marked++;
		o.marks[fmt::format("{}{}: {}", user.error != 0 ?
		    std::strerror(user.error) : "partial",
		    user.route == nullptr ? "" : fmt::format(" ({})",
		    user.route), stack9_why_text(user.why))]++;
	} else {
		o.whole[me]++;
	}
	// EAGAIN is honest, and so is a stack that says where it ends.
	if (user.error != 0 && user.error != EAGAIN)
		o.faults[fmt::format("error {}", user.error)]++;
	if (user.error != 0)
		return;
	if (user.why != STACK9_WHY_NONE && user.depth == 0)
		o.faults["0 and no frames"]++;
	if (const std::string fault = p.fault(me, user); !fault.empty())
		o.faults[fmt::format("{}: thread {}: {}", fault, me,
		    p.told(user))]++;
}

void
judge(busy_program &p, const stack9::stack_record &kernel,
    const stack9::stack_record &user,
    outcome &o)
{
	judge(p, user, o);
	if (p.who(user.thread.tid) < 0 || !of_one_moment(kernel, user))
		return;
	o.joined++;
	if (const std::string fault = p.fault(kernel, user); !fault.empty())
		o.faults[fault + ": " + p.told(user)]++;
}

void
tell(const std::string &what, const outcome &o)
{
	fmt::print("{}: whole", what);
	for (const long n : o.whole)
		fmt::print(" {}", n);
	fmt::print(", marked {}, both of one moment {}\n", o.marked, o.joined);
	for (const auto &[mark, n] : o.marks)
		fmt::print("    {} of {}\n", n, mark);
	int shown = 0;
	for (const auto &[fault, n] : o.faults)
		if (shown++ < 10)
			BOOST_ERROR(what << ": " << n << " times: " << fault);
	BOOST_TEST(o.faults.empty());
	// /proc says too little for frames that need more registers.
	for (int me = 0; me < busy::threads; me++)
		BOOST_TEST((o.whole[me] > 0 || what.ends_with("procfs")),
		    what << ": never whole: thread " << me);
}

void
one_by_one(const std::string &what, busy_program &p, long n)
{
	outcome o;
	capture c;
	c.rec.space = p.space();
	for (long i = 0; i < n; i++) {
		c.save(stack9_thread{p.tid(static_cast<int>(i) %
		    busy::threads), p.pid(), 0}, STACK9_USER);
		judge(p, c.rec, o);
	}
	tell(what, o);
}

void
both_sides(const std::string &what, busy_program &p, long n)
{
	outcome o;
	capture kernel, user;
	user.rec.space = p.space();
	for (long i = 0; i < n; i++) {
		const stack9_thread td{p.tid(static_cast<int>(i) %
		    busy::threads), p.pid(), 0};
		BOOST_REQUIRE_EQUAL(core::save_both(&td, &kernel.rec,
		    &user.rec), 0);
		judge(p, kernel.rec, user.rec, o);
	}
	tell(what, o);
}

void
in_passes(const std::string &what, busy_program &p, long n)
{
	struct {
		busy_program	&program;
		outcome		 result{};
		capture		 kernel{};
		long		 seen = 0;
	} pass{p};
	while (pass.seen < n)
		BOOST_REQUIRE_EQUAL(core::each(STACK9_BOTH, p.pid(),
		    [](void *arg, const stack9::stack_record *rec) {
			    auto &to = *static_cast<decltype(pass) *>(arg);
			    stack9::stack_record &kernel = to.kernel.rec;
			    if (rec->side == STACK9_KERNEL) {
				    kernel = *rec;
				    kernel.pcs = to.kernel.pcs;
				    std::copy_n(rec->pcs, rec->depth,
					kernel.pcs);
				    return 0;
			    }
			    to.seen++;
			    BOOST_TEST(kernel.thread.tid == rec->thread.tid);
			    judge(to.program, kernel, *rec, to.result);
			    return 0;
		    }, &pass), 0);
	tell(what, pass.result);
}

// Each build of the program, by what the machine has and by each route alone.
template <class Storm> void
storms(const char *what, const char *job, Storm storm)
{
	for (const char *file : {BUSY_LEAN, BUSY_PLAIN}) {
		busy_program p(file);
		const std::string name = fmt::format("{}, {}", what,
		    file == std::string(BUSY_LEAN) ? "no frame pointers" :
		    "frame pointers");
		storm(name, p, captures());
		for (const std::string &route : no_stop_routes(job)) {
			const forced only(job == many_job ? and_no_stop("") +
			    "," + route : and_no_stop(route));
			storm(name + ", " + route, p, captures() / 5);
		}
		for (const std::string &route : stopping_routes(job)) {
			const forced only(route);
			storm(name + ", " + route, p, captures() / 20);
		}
	}
}

} // namespace

BOOST_AUTO_TEST_CASE(one_thread_at_a_time, *needs("root")
    * boost::unit_test::description(
    "10,000 captures, every one complete to the thread's start function with "
    "the right innermost function, or honestly marked; never a mixed stack"))
{
	storms("threads", one_job, one_by_one);
}

BOOST_AUTO_TEST_CASE(both_sides_of_one_moment, *needs("root")
    * boost::unit_test::description(
    "both stacks of one moment, where that can be done: the kernel is in what "
    "the innermost user function called"))
{
	storms("both", one_job, both_sides);
}

BOOST_AUTO_TEST_CASE(passes, *needs("root")
    * boost::unit_test::description(
    "passes over all threads: the kernel's, then the user's of the same moment "
    "where that can be done"))
{
	storms("passes", many_job, in_passes);
}

BOOST_AUTO_TEST_SUITE_END()
