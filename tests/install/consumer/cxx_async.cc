// A C++ program outside the tree: a submission that releases itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <utility>

#include <poll.h>

#include <stack9_async.hpp>

int
main()
{
	stack9::submission s;
	stack9::capture kernel, user;
	const int error = s.submit(stack9::this_thread());
	if (error != 0)
		return error != EPERM && error != EOPNOTSUPP;
	const stack9::capture_id id = s.get();
	stack9::submission held = std::move(s);
	pollfd stream{stack9::ready_fd(), POLLIN, 0};
	int collected;
	while ((collected = held.collect(kernel, user)) == EAGAIN)
		poll(&stream, 1, -1);
	stack9::arrival a{};
	if (collected != 0 || stack9::next_ready(a) != 0 || a.id != id)
		return 1;
	for (const std::uintptr_t &pc : user)
		std::puts(stack9::name(pc, user.lookup(&pc)).c_str());
	held.reset();
	return user.empty() || ::stack9_cancel(id) != ENOENT;
}
