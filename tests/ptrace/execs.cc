// A program whose second thread becomes the program again, for ever.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <thread>

#include <unistd.h>

int
main()
{
	std::thread idle([] {
		for (;;)
			pause();
	});
	std::thread next([] {
		if (write(1, "x", 1) == 1)
			execl("/proc/self/exe", "execs", nullptr);
	});
	next.join();
	idle.join();
}
