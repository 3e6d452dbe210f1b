// Profiles a process for some seconds, and prints its stacks in the folded
// format that flamegraph.pl and speedscope read.
//
//	folded pid [seconds]
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <map>

#include <stack9_watch.hpp>

int
main(int argc, char **argv)
try {
	auto watch = stack9::watch::open("cpu-clock:999", {
	    .pid = argc > 1 ? std::atoi(argv[1]) : 0});
	watch.read_for(std::chrono::seconds(argc > 2 ? std::atoi(argv[2]) : 1));

	std::map<std::string, std::uint64_t> lines;
	watch.for_each([&](const stack9::sample &s) {
		std::string line;
		for (const auto *side : {&s.kernel(), &s.user()})
			for (const auto &f : side->frames())
				line = ';' + (f.name.empty() ? "[unknown]" :
				    f.name) + line;
		lines[std::string(s.comm()) + line] += s.events();
	});
	for (const auto &[line, events] : lines)
		std::printf("%s %ju\n", line.c_str(), std::uintmax_t{events});
} catch (const stack9::error &e) {
	std::fprintf(stderr, "folded: %s\n", e.reason().c_str());
	return e.number() == EPERM || e.number() == EOPNOTSUPP ? 77 : 1;
}
