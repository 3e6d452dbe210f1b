// Uses the headers in a program that is compiled without exceptions.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <signal.h>
#include <stack9.hpp>
#include <stack9_async.hpp>
#include <stack9_coroutines.hpp>
#include <stack9_waits.hpp>
#include <stack9_watch.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace {

int failures = 0;

void
check(bool is_so, const char *what)
{
	if (!is_so)
		std::printf("%s\n", what), failures++;
}

// Where an exception would be thrown.
[[noreturn]] void
want_a_value()
{
	stack9::force("no such route");
	_exit(0);
}

} // namespace

int
main()
{
	using stack9::as_result;
	const auto me = stack9::thread::find(getpid(), as_result);
	check(bool(me), "thread::find() fails");
	const auto s = stack9::save(*me, stack9::side::user, as_result);
	check(s && s->user(), "save() has no stack");
	int frames = 0;
	const auto told = stack9::for_each(*me, stack9::side::user,
	    [&](const stack9::sample &) { frames++; }, as_result);
	check(told && frames == 1, "for_each() gives another number");
	const auto no = stack9::force("no such route", as_result);
	check(!no && no.error() == ENOENT && !no.reason().empty(),
	    "a failure has no reason");
	const pid_t child = fork();
	if (child == 0)
		want_a_value();
	int status = 0;
	check(waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
	    WTERMSIG(status) == SIGABRT, "no value does not abort");
	return failures;
}
