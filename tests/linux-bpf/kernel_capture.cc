// Captures kernel stacks, and reads /proc/TID/stack beside them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "core_calls.h"
#include "kernel_capture.h"

#include <fstream>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

std::vector<std::string>
proc_stack(pid_t tid)
{
	std::vector<std::string> lines;
	std::ifstream f(fmt::format("/proc/{}/stack", tid));
	for (std::string line; std::getline(f, line);)
		lines.push_back(line.substr(line.find(' ') + 1));
	return lines;
}

std::vector<std::string>
named(const stack9::stack_record &rec)
{
	std::vector<std::string> lines;
	for (std::uint32_t i = 0; i < rec.depth; i++) {
		stack9::symbol_name sym;
		const bool exact = i == 0 && (rec.flags & STACK9_STACK_EXACT);
		if (core::name(rec.pcs[i],
		    exact ? 0 : stack9::name_return_address,
		    &sym) != 0)
			lines.push_back(fmt::format("{:#x}", rec.pcs[i]));
		else if (sym.module[0] != '\0')
			lines.push_back(fmt::format("{}+{:#x}/{:#x} [{}]",
			    sym.name, sym.offset, sym.size, sym.module));
		else
			lines.push_back(fmt::format("{}+{:#x}/{:#x}", sym.name,
			    sym.offset, sym.size));
	}
	return lines;
}

pid_t
newest_tid()
{
	std::ifstream f("/proc/loadavg");
	std::string load[4];
	pid_t tid = 0;
	f >> load[0] >> load[1] >> load[2] >> load[3] >> tid;
	BOOST_REQUIRE(tid > 0);
	return tid;
}

stack9_thread
thread_of(pid_t tid)
{
	stack9_thread td{};
	BOOST_REQUIRE_EQUAL(stack9_thread_find(tid, &td), 0);
	return td;
}

std::vector<std::string>
routes_of(const std::string &job)
{
	struct found {
		std::string job;
		std::vector<std::string> names;
	} f{job, {}};
	stack9_routes([](void *arg, const char *j, const char *route,
	    int error, const char *) {
		found &to = *static_cast<found *>(arg);
		if (error == 0 && to.job == j)
			to.names.push_back(route);
		return 0;
	}, &f);
	return f.names;
}

forced::forced(const std::string &route)
{
	BOOST_REQUIRE_EQUAL(stack9_force(route.c_str()), 0);
}
