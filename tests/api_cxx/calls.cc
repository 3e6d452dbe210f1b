// Checks that errors are exceptions or results, and that callables end calls.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <functional>
#include <stdexcept>

#include "tell.h"

namespace {

void
by_exception(const stack9::thread &gone)
{
	try {
		stack9::save(gone);
		ok(false, "a call that fails throws stack9::error");
	} catch (const std::system_error &e) {
		ok(e.code() == std::errc::no_such_process &&
		    dynamic_cast<const stack9::error *>(&e) != nullptr,
		    "a call that fails throws stack9::error, a system_error");
	}
	try {
		stack9::thread::find(0);
		ok(false, "its number and its reason");
	} catch (const stack9::error &e) {
		const stack9::error copy = e;
		ok(copy.number() != 0 && !copy.reason().empty() &&
		    std::string(e.what()).find(copy.reason()) == 0,
		    "an error has its number and its reason");
	}
}

void
by_result(const stack9::thread &gone)
{
	const auto r = stack9::save(gone, stack9::as_result);
	ok(!r && r.error() == ESRCH && !r.reason().empty(),
	    "a result has the errno and the reason");
	ok(r.has_value() && r->user().error() == ESRCH &&
	    r->user().why() != stack9::why::none &&
	    !stack9::text(r->user().why()).empty() &&
	    r->kernel().frames().empty(),
	    "a capture that failed has a sample, which says why by side");
	try {
		(void)r.value();
		ok(false, "a result without a value throws");
	} catch (const stack9::error &e) {
		ok(e.number() == r.error() && e.reason() == r.reason(),
		    "the value of a result with an error throws that");
	}
	const auto good = stack9::thread::find(getpid(), stack9::as_result);
	ok(good && good.error() == 0 && good->tid() == getpid() &&
	    (*good).pid() == getpid(), "a result without an error has a value");
	const auto wrong = stack9::save(stack9::thread(), stack9::as_result);
	ok(wrong.error() == EINVAL && !wrong.has_value() &&
	    wrong.reason() == "an argument is wrong",
	    "a wrong argument has a reason, and no value");
	ok(stack9::force("no-such-route", stack9::as_result).error() == ENOENT,
	    "a result without a type has an error, too");
	const auto r2 = stack9::for_each(gone, stack9::side::user,
	    [](const stack9::sample &) {}, stack9::as_result);
	ok(!r2 && r2.error() == ESRCH, "a pass gives a result");
	ok(!stack9::space::of(gone, stack9::as_result) &&
	    !gone.siblings(stack9::as_result), "so do spaces and lists");
	ok(stack9::space::of_file("/proc/self/exe") &&
	    stack9::space::of_file("/proc", stack9::as_result).error() ==
	    EINVAL, "a file has a space, a directory has none");
}

struct counter {
	int	times = 0;
	void operator()(const stack9::sample &) { times++; }
};

void
callables()
{
	const auto self = stack9::thread::self();
	constexpr auto user = stack9::side::user;
	counter count;
	ok(stack9::for_each(self, user, count) == stack9::go::on &&
	    count.times == 1, "a callable is not copied");
	int times = 0;
	const std::function<stack9::go(const stack9::sample &)> stop =
	    [&](const stack9::sample &) {
		    times++;
		    return stack9::go::stop;
	    };
	ok(stack9::for_each(self, user, stop) == stack9::go::stop &&
	    times == 1, "a callable ends the pass by go::stop");
	try {
		stack9::for_each(self, user, [](const stack9::sample &) {
			throw std::runtime_error("as meant");
		});
		ok(false, "an exception of a callable is thrown again");
	} catch (const std::runtime_error &e) {
		ok(std::string(e.what()) == "as meant",
		    "an exception of a callable is thrown again");
	}
	bool nested = false;
	stack9::for_each(self, user, [&](const stack9::sample &s) {
		nested = stack9::save_all(self, user).size() == 1 &&
		    !s.user().frames().empty();
	});
	ok(nested, "a callable may call the library");
	const auto s = stack9::save(self, user);
	times = 0;
	ok(s.user().for_each_frame([&](const stack9::frame &) {
		return ++times == 2 ? stack9::go::stop : stack9::go::on;
	}) == stack9::go::stop && times == 2,
	    "a callable ends the frames by go::stop");
	try {
		s.user().for_each_frame([](const stack9::frame &f) {
			throw f;
		});
		ok(false, "an exception passes frames");
	} catch (const stack9::frame &f) {
		ok(f.pc == s.user().pcs()[0], "an exception passes frames");
	}
}

void
options()
{
	const auto self = stack9::thread::self();
	stack9::save_options o;
	o.frames = 1;
	const auto s = stack9::save(self, stack9::side::user, o);
	ok(s.user().depth() == 1 && s.user().why() == stack9::why::truncated &&
	    !s.user().complete() && !s.kernel().asked_for(),
	    "options say how many frames");
	ok(stack9::save_all(self, stack9::side::user, o)[0].user().depth() ==
	    1, "options of a pass do, too");
#if __cplusplus >= 202002L
	using namespace std::chrono_literals;
	ok(stack9::save(self, stack9::side::user,
	    {.frames = 2, .timeout = 1s}).user().depth() == 2,
	    "options are named where they are given");
#endif
}

void
machine()
{
	ok(stack9::version() >= stack9::header_version,
	    "the library has a version");
	ok(!stack9::routes().empty() && !stack9::stats().empty() &&
	    !stack9::routes()[0].reason.empty(), "routes and counts are lists");
	const auto all = stack9::for_each(stack9::machine,
	    stack9::side::kernel, [](const stack9::sample &) {
		    return stack9::go::stop;
	    }, stack9::as_result);
	if (all)
		ok(*all == stack9::go::stop, "the machine is a process, too");
	else
		skip("the machine is a process, too", all.reason());
}

} // namespace

int
main()
{
	child c;
	const stack9::thread gone = c.td();
	c.end();
	by_exception(gone);
	by_result(gone);
	callables();
	options();
	machine();
	return end();
}
