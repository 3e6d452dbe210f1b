// Finds routes, spaces and names for user stacks, and starts and ends children.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cancellation.h"
#include "core_calls.h"
#include "user.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

bool
stops(const std::string &route)
{
	return route.starts_with("ptrace");
}

std::vector<std::string>
routes(const std::string &job, bool that_stop)
{
	auto all = routes_of(job);
	std::erase_if(all, [=](const std::string &r) {
		return stops(r) != that_stop;
	});
	return all;
}

std::string
name_in(stack9_space *in, std::uintptr_t pc, bool exact)
{
	stack9::symbol_name sym;
	if (core::space_name(in, pc, exact ? 0 : stack9::name_return_address,
	    &sym) == 0)
		return sym.name;
	stack9::mapped_module module;
	if (core::space_module(in, pc, &module) != 0)
		return fmt::format("[{:#x}]", pc);
	const std::string path = module.path;
	return fmt::format("[{}]", path.substr(path.rfind('/') + 1));
}

} // namespace

space
space_of(pid_t pid)
{
	stack9_space *in = nullptr;
	const stack9_thread td{pid, pid, 0};
	const int error = core::space_open(&td, &in);
	if (error != 0)
		BOOST_TEST_MESSAGE("no space of " << pid << ": " << error);
	return space(in);
}

std::vector<std::string>
names_in(stack9_space *in, const stack9::stack_record &rec)
{
	std::vector<std::string> names;
	for (std::uint32_t i = 0; i < rec.depth; i++)
		names.push_back(name_in(in, rec.pcs[i],
		    i == 0 && (rec.flags & STACK9_STACK_EXACT)));
	return rec.depth == 1 ? names : without_cancellation(names);
}

std::string
in_the_manual(const std::string &function)
{
	for (const char *prefix : {"__libc_", "__GI_", "__"})
		if (function.starts_with(prefix))
			return in_the_manual(function.substr(
			    std::strlen(prefix)));
	return function;
}

std::string
joined(const std::vector<std::string> &names)
{
	return fmt::format("{}", fmt::join(names, " < "));
}

std::vector<std::string>
no_stop_routes(const std::string &job)
{
	return routes(job, false);
}

std::vector<std::string>
stopping_routes(const std::string &job)
{
	return routes(job, true);
}

std::string
and_no_stop(const std::string &route)
{
	auto all = no_stop_routes(running_job);
	if (!route.empty())
		all.push_back(route);
	else
		for (const char *job : {one_job, many_job})
			for (const std::string &r : no_stop_routes(job))
				all.push_back(r);
	return fmt::format("{}", fmt::join(all, ","));
}
