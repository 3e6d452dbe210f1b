// Prints how long a frame takes in stack_sbuf_print_ddb(): the first time, and
// when its name was found before.
//
//	ddb_names	microseconds a frame: first, again, and by stack_print()
//	ddb_names cold	no stack of the process was named before: the first
//			touch of each page of the library counts, too
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

#include <stack9/sys/sbuf.h>
#include <stack9/sys/stack.h>

namespace {

struct stack sample;

int
drop(void *, const char *, int len)
{
	return len;
}

template <class print> double
us_a_frame(print f)
{
	char text[256];
	struct sbuf sb;
	const auto begin = std::chrono::steady_clock::now();
	sbuf_new(&sb, text, sizeof text, SBUF_FIXEDLEN);
	sbuf_set_drain(&sb, drop, nullptr);
	f(&sb, &sample);
	sbuf_finish(&sb);
	return std::chrono::duration<double, std::micro>(
	    std::chrono::steady_clock::now() - begin).count() / sample.depth;
}

template <class print> double
best_of(int times, print f)
{
	double best = std::numeric_limits<double>::max();
	while (times-- > 0)
		best = std::min(best, us_a_frame(f));
	return best;
}

// A stack with frames of this program and of libc.
int
compare(const void *, const void *)
{
	if (sample.depth == 0)
		stack_save(&sample);
	return 0;
}

} // namespace

int
main(int argc, char **argv)
{
	int values[4] = {};
	// Its addresses are others than those of the stack below.
	if (argc < 2 || std::string_view(argv[1]) != "cold")
		std::thread([] {
			stack_save(&sample);
			us_a_frame(stack_sbuf_print_ddb);
			sample.depth = 0;
		}).join();
	std::qsort(values, 4, sizeof values[0], compare);
	const double first = us_a_frame(stack_sbuf_print_ddb);
	const double again = best_of(100, stack_sbuf_print_ddb);
	us_a_frame(stack_sbuf_print);
	std::printf("%d frames, us each: _ddb first %.2f, again %.2f; "
	    "stack_sbuf_print() warm %.2f\n", sample.depth, first, again,
	    best_of(100, stack_sbuf_print));
	return 0;
}
