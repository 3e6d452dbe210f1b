// Opens watches of a child that asks for its parent, and keeps what they see.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "watching.h"

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"

namespace api {

stack9_watch_options
options(int mode, pid_t pid)
{
	stack9_watch_options o{};
	o.size = sizeof o;
	o.mode = mode;
	o.side = STACK9_USER;
	o.pid = pid;
	return o;
}

watch
open_watch(const stack9_watch_options &o, const char *name)
{
	stack9_watch *w = nullptr;
	const int error = stack9_watch_open(name, &o, &w);
	BOOST_TEST_REQUIRE(error == 0, stack9_reason());
	return watch(w);
}

int
refuses(const stack9_watch_options &o, const char *name)
{
	stack9_watch *w = nullptr;
	const int error = stack9_watch_open(name, &o, &w);
	BOOST_TEST(w == nullptr);
	stack9_watch_close(w);
	return error;
}

void
asks(int fd)
{
	char byte;
	while (read(fd, &byte, 1) == 1)
		getppid();
}

int
keep(void *arg, const stack9_sample *s)
{
	seen &to = *static_cast<seen *>(arg);
	to.calls++;
	to.events += s->events;
	to.cookie = s->cookie;
	to.names = names_of(s->user);
	to.inner = stack9_watch_read(to.of, 0, keep, arg);
	return 0;
}

} // namespace api
