// Measures one peer in a process of its own, because a process does everything
// for the first time only once.
//
//	names_worker peer names|lines pcs
//	names_worker - asleep frames		stays, a stack so deep
//
// prints microseconds of CPU: to be ready; until the first pc had its answer;
// until all had; of a new one, the mean of the second half; of one seen before;
// then how many had an answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <execinfo.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "names_cold.h"
#include "names_peers.h"
#include "own_clock.h"

static constinit const names_call *parts[names_parts] = {};

names_part::names_part(unsigned part, const names_call *functions)
{
	parts[part] = functions;
}

names_call
names_function(unsigned number)
{
	number %= names_functions;
	return parts[number / names_of_part][number % names_of_part];
}

namespace {

using pcs = std::vector<std::uintptr_t>;

struct deep : names_walk {
	void run(unsigned frames) { left = frames; names_function(0)(*this); }
};

// Spread over all functions, in no order.
struct collect final : deep {
	pcs all;
	unsigned wanted;

	void
	leaf() override
	{
		std::vector<void *> found(names_functions);
		backtrace(found.data(), names_functions);
		const unsigned step = names_functions / wanted;
		for (unsigned i = 0; i < wanted; i++)
			all.push_back(reinterpret_cast<std::uintptr_t>(
			    found[8 + (i * 89 % wanted) * step]));
	}
};

struct stay final : deep {
	void
	leaf() override
	{
		std::puts("here");
		std::fflush(stdout);
		for (;;)
			pause();
	}
};

struct asking {
	namer	&who;
	bool	lines;

	bool
	once(std::uintptr_t pc) const
	{
		return lines ? who.line(pc) != 0 :
		    who.name_length(pc) != 0;
	}

	unsigned
	each(pcs::const_iterator from, pcs::const_iterator to) const
	{
		unsigned had = 0;
		for (; from != to; ++from)
			had += once(*from);
		return had;
	}
};

int
measure(namer &who, bool lines, const pcs &all)
{
	const asking ask{who, lines};
	const double begin = cpu_ns();
	if (!who.open())
		return 1;
	const double opened = cpu_ns();
	unsigned had = ask.once(all.front());
	const double first = cpu_ns();
	const auto middle = all.begin() + (all.end() - all.begin() + 1) / 2;
	had += ask.each(all.begin() + 1, middle);
	const double half = cpu_ns();
	had += ask.each(middle, all.end());
	const double rest = cpu_ns();
	double again = rest;
	for (const double end = now_ns() + 100e6; now_ns() < end;) {
		const double from = cpu_ns();
		ask.each(all.begin(), all.end());
		again = std::min(again, cpu_ns() - from);
	}
	std::printf("%.3f %.3f %.3f %.4f %.4f %u\n", (opened - begin) / 1e3,
	    (first - begin) / 1e3, (rest - begin) / 1e3, (rest - half) /
	    static_cast<double>(all.end() - middle) / 1e3,
	    again / static_cast<double>(all.size()) / 1e3, had);
	return 0;
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc != 4)
		return 64;
	const unsigned n = static_cast<unsigned>(std::atoi(argv[3]));
	if (std::string_view(argv[2]) == "asleep") {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		stay().run(n);
	}
	alarm(60);
	collect c;
	c.wanted = n;
	c.run(names_functions);
	const auto who = namer_called(argv[1]);
	if (who == nullptr || c.all.empty())
		return 1;
	return measure(*who, std::string_view(argv[2]) == "lines", c.all);
}
