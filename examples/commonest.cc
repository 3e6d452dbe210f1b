// Names the five commonest stacks of a process once a second, until the process
// ends.  It looks a hundred times a second, and names only what it prints.
//
//	commonest pid
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <thread>
#include <unordered_map>

#include <stack9.hpp>

using namespace std::chrono_literals;

int
main(int argc, char **argv)
try {
	const auto process = stack9::thread::find(
	    argc > 1 ? std::atoi(argv[1]) : 0);
	for (;;) {
		std::unordered_map<stack9::sample, int> times;
		for (int i = 0; i < 100; i++) {
			stack9::for_each(process, stack9::side::both,
			    [&](const stack9::sample &s) { times[s]++; });
			std::this_thread::sleep_for(10ms);
		}
		std::array<std::pair<stack9::sample, int>, 5> most;
		const auto end = std::partial_sort_copy(times.begin(),
		    times.end(), most.begin(), most.end(),
		    [](auto &a, auto &b) { return a.second > b.second; });
		std::for_each(most.begin(), end, [](const auto &kind) {
			std::cout << kind.second << " times: " << kind.first;
		});
		std::cout << std::endl;
	}
} catch (const stack9::error &e) {
	std::cerr << "commonest: " << e.reason() << '\n';
	return 1;
}
