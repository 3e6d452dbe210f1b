// Finds system calls in a table that is made from <asm/unistd.h> when this is
// built.  A system call that is newer than that header is named by its number.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "syscalls.h"

#include <algorithm>
#include <cerrno>
#include <iterator>

#include <asm/unistd.h>

#include "event_text.h"
#include "name_test.h"
#include "near_names.h"

namespace stack9::events {
namespace {

struct known {
	const char	*name;
	int		number;
};

constexpr known all_syscalls[] = {
#include "syscall_names.inc"
};

// The tracepoints go by the functions' names, where those are others.
constexpr const char *functions[][2] = {{"newstat", "stat"},
    {"newlstat", "lstat"}, {"newfstat", "fstat"}, {"newuname", "uname"},
    {"sendfile64", "sendfile"}, {"umount", "umount2"},
    {"fadvise64_64", "fadvise64"}, {"sync_file_range2", "sync_file_range"}};

void
add(std::string name, int number, bool returns, std::vector<probe> &probes)
{
	probe p;
	p.kind = probe_kind::syscall;
	p.name = std::move(name);
	p.label = (returns ? "sysret:" : "syscall:") + p.name;
	p.number = number;
	p.returns = returns;
	probes.push_back(std::move(p));
}

const known *
of_number(int number) noexcept
{
	const known *const k = std::find_if(
	    std::begin(all_syscalls), std::end(all_syscalls),
	    [&](const known &x) { return x.number == number; });
	return k == std::end(all_syscalls) ? nullptr : k;
}

int
unknown(const std::string &name, const char *prefix, std::string &why)
{
	near_names near(name);
	offer_syscalls(near);
	why = "no system call is called " + name + near.question(prefix);
	return ENOENT;
}

int
none_matches(const std::string &pattern, std::string &why)
{
	why = "no system call's name matches " + pattern;
	return ENOENT;
}

int
exact(const event_text &e, std::vector<probe> &probes, std::string &why)
{
	constexpr std::uint64_t most = 4095;
	std::uint64_t n;
	if (to_number(e.name, n) && n <= most) {
		const known *const k = of_number(static_cast<int>(n));
		add(k != nullptr ? k->name : std::to_string(n),
		    static_cast<int>(n), e.returns, probes);
		return 0;
	}
	const int number = syscall_number(e.name);
	if (number < 0)
		return unknown(e.name, e.returns ? "sysret:" : "syscall:", why);
	add(e.name, number, e.returns, probes);
	return 0;
}

} // namespace

int
syscall_number(const std::string &name) noexcept
{
	const known *const k = std::find_if(
	    std::begin(all_syscalls), std::end(all_syscalls),
	    [&](const known &x) { return name == x.name; });
	return k == std::end(all_syscalls) ? -1 : k->number;
}

std::vector<std::string>
syscall_tracepoint_names(const probe &p)
{
	const std::string prefix = p.returns ? "sys_exit_" : "sys_enter_";
	std::vector<std::string> all;
	for (const auto &[function, call] : functions)
		if (p.name == call)
			all.push_back(prefix + function);
	all.push_back(prefix + p.name);
	return all;
}

void
offer_syscalls(near_names &near)
{
	for (const known &k : all_syscalls)
		near.offer(k.name);
}

int
find_syscalls(const event_text &e, bool regex, std::vector<probe> &probes,
    std::string &why)
{
	name_test is_meant;
	if (const int error = is_meant.set(e.name, regex, why); error != 0)
		return error;
	if (is_meant.is_exact())
		return exact(e, probes, why);
	for (const known &k : all_syscalls)
		if (is_meant(k.name))
			add(k.name, k.number, e.returns, probes);
	return probes.empty() ? none_matches(e.name, why) : 0;
}

int
find_syscall_tracepoints(const event_text &e, bool regex,
    std::vector<probe> &probes, std::string &why)
{
	name_test is_meant;
	if (const int error = is_meant.set(e.name, regex, why); error != 0)
		return error;
	const auto try_one = [&](const std::string &name, int number) {
		if (is_meant("sys_enter_" + name))
			add(of_number(number)->name, number, false, probes);
		if (is_meant("sys_exit_" + name))
			add(of_number(number)->name, number, true, probes);
	};
	for (const known &k : all_syscalls)
		try_one(k.name, k.number);
	for (const auto &[name, call] : functions)
		if (const int n = syscall_number(call);
		    n >= 0 && syscall_number(name) < 0)
			try_one(name, n);
	if (!probes.empty())
		return 0;
	for (const std::string prefix : {"sys_enter_", "sys_exit_"})
		if (is_meant.is_exact() && e.name.starts_with(prefix))
			return unknown(e.name.substr(prefix.size()),
			    ("t:syscalls:" + prefix).c_str(), why);
	return none_matches(e.name + " (sys_enter_NAME, sys_exit_NAME)", why);
}

} // namespace stack9::events
