// Makes a submission that releases itself, in C++ outside the tree.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <utility>

#include <poll.h>

#include <stack9_async.hpp>

static int
collect(const stack9::async &stream)
{
	stack9::submission s = stream.submit(stack9::thread::self());
	stack9::submission held = std::move(s);
	pollfd ready{stream.fd(), POLLIN, 0};
	stack9::sample sample;
	while ((sample = held.collect()).user().error() == EAGAIN)
		poll(&ready, 1, -1);
	const auto arrival = stream.next();
	if (s || !arrival || arrival->id != held.id() || stream.next())
		return 1;
	for (const auto &frame : sample.user().frames())
		std::puts(to_string(frame).c_str());
	// Another owner of the same id: it knows that the id is released.
	stack9::submission again = stream.take(*arrival);
	held.reset();
	return !sample.user() || again.cancel(stack9::as_result).error() !=
	    ENOENT;
}

int
main()
try {
	return collect(stack9::async::open());
} catch (const stack9::error &e) {
	return e.number() != EPERM && e.number() != EOPNOTSUPP;
}
