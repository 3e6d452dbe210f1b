// Prints the stacks of all threads of a process, with the values and ranges of
// <stack9.hpp> in C++20.
//
//	threads pid
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <iostream>
#include <ranges>

#include <stack9.hpp>

static void
print(const char *side, const stack9::stack &stack)
{
	std::cout << "  " << side << ": " << stack.reason() << '\n';
	for (const std::string &line : stack.frames() |
	    std::views::transform([](const auto &f) { return to_string(f); }))
		std::cout << "    " << line << '\n';
}

int
main(int argc, char **argv)
try {
	const auto process = stack9::thread::find(
	    argc > 1 ? std::atoi(argv[1]) : 0);
	for (const stack9::sample &s : stack9::save_all(process)) {
		std::cout << s.comm() << ", tid " << s.thread().tid() << '\n';
		print("kernel", s.kernel());
		print("user", s.user());
	}
} catch (const stack9::error &e) {
	std::cerr << "threads: " << e.reason() << '\n';
	return 1;
}
