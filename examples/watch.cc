// Captures the kernel stack of a sleeping child without stopping it, with the
// C++ classes of <stack9.hpp>.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>

#include <sys/wait.h>
#include <unistd.h>

#include <stack9.hpp>

static void
print(const stack9::view &v)
{
	std::printf("%s, tid %d: %s\n", v.comm(), v.thread().tid, v.reason());
	for (const std::uintptr_t &pc : v)
		std::printf("  %s\n", stack9::name(pc, v.lookup(&pc)).c_str());
	std::fputs(v.text(), stdout);
}

int
main()
{
	int gate[2];
	if (pipe(gate) != 0)
		return 1;
	const pid_t child = fork();
	if (child == 0) {
		char byte;
		close(gate[1]);
		_exit(read(gate[0], &byte, 1) != 0);	// sleeps in the pipe
	}

	stack9::capture c;
	const stack9::thread td = stack9::find_thread(child);
	while (c.save(STACK9_KERNEL, td) == EAGAIN || c.state() == 'R')
		;	// not asleep yet
	print(c);

	close(gate[1]);
	waitpid(child, nullptr, 0);
	return c.error();
}
