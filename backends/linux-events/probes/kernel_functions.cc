// Looks for the name of one function in BTF first, because that is quick: to
// read /proc/kallsyms takes 40 ms.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_functions.h"

#include <cerrno>
#include <fstream>
#include <set>
#include <string_view>

#include "bpf/tracefs.h"
#include "btf_strings.h"
#include "event_text.h"
#include "hints.h"
#include "name_test.h"
#include "near_names.h"
#include "syscalls.h"
#include "tracepoints.h"

namespace stack9::events {
namespace {

// False for the names of the space before a function and of its unlikely part:
// there is nothing to trace.
bool
is_function(std::string_view name) noexcept
{
	return !name.starts_with("__pfx_") && !name.starts_with("__cfi_") &&
	    name.find(".cold") == name.npos;
}

// Calls f(name) for each function, until it says true; functions that are freed
// after the start are left out.  False: nothing could be read.
template <class F>
bool
each_in_kallsyms(F f)
{
	std::ifstream in("/proc/kallsyms");
	bool any = false, initial = false;
	for (std::string line; std::getline(in, line);) {
		// ADDRESS TYPE NAME[\tMODULE]
		const std::size_t type = line.find(' ') + 1;
		if (type == 0 || type + 2 >= line.size())
			continue;
		const std::size_t end = line.find('\t', type);
		const std::string name = line.substr(type + 2,
		    end == line.npos ? end : end - type - 2);
		if (name == "_sinittext" || name == "_einittext")
			initial = name == "_sinittext";
		any = true;
		if ((line[type] == 't' || line[type] == 'T') && !initial &&
		    is_function(name) && f(name))
			break;
	}
	return any;
}

// Calls f(name) for each function that tracefs lists.  False: nothing could be
// read; tracefs may be locked down though it is mounted.
template <class F>
bool
each_traceable(F f)
{
	const std::string mounted = bpf::tracefs();
	std::ifstream in;
	if (!mounted.empty())
		in.open(mounted + "/available_filter_functions");
	bool any = false;
	for (std::string line; std::getline(in, line); any = true)
		f(line.substr(0, line.find(' ')));
	return any;
}

void
add(const std::string &name, std::uint64_t offset, std::vector<probe> &probes)
{
	probe p;
	p.kind = probe_kind::kernel;
	p.name = name;
	p.offset = offset;
	p.label = "k:" + name + (offset == 0 ? "" : "+" + to_hex(offset));
	probes.push_back(std::move(p));
}

// The word may be meant for an event of another kind.
std::string
near_events(const std::string &word)
{
	near_names near(word);
	near.offer_as(tracepoint_prefix);
	offer_tracepoints(near);
	near.offer_as("syscall:");
	offer_syscalls(near);
	near.offer_as("k:");
	if (kernel_functions_can_be_traced())
		each_in_kallsyms([&](const std::string &name) {
			near.offer(name);
			return false;
		});
	return question(near);
}

int
unknown(const std::string &name, std::string &why)
{
	const std::string call = call_of_tracepoint(name);
	why = "the kernel has no function " + name;
	if (btf_strings::are_there() && is_tracepoint(name))
		why += "; the tracepoint of that name is " +
		    tracepoint_label(name);
	else if (syscall_number(name) >= 0)
		why += "; the system call is syscall:" + name;
	else if (!call.empty())
		why += "; the system call is " + call;
	else
		why += near_events(name) + "; a function of a program is "
		    "u:FILE:" + name + ", as u:libc:" + name;
	return ENOENT;
}

} // namespace

bool
is_kernel_function(const std::string &name)
{
	bool found = false;
	const bool any = each_in_kallsyms([&](const std::string &s) {
		return found = s == name;
	});
	return found || !any;
}

int
find_kernel_functions(const event_text &e, bool regex,
    std::vector<probe> &probes, std::string &why)
{
	name_test is_meant;
	if (const int error = is_meant.set(e.name, regex, why); error != 0)
		return error;
	if (is_meant.is_exact()) {
		if (!btf_strings::has(e.name) && !is_kernel_function(e.name))
			return unknown(e.name, why);
		add(e.name, e.offset, probes);
		return 0;
	}
	std::set<std::string> names;	// static functions may share one
	const auto keep = [&](const std::string &name) {
		if (is_function(name) && is_meant(name))
			names.insert(name);
		return false;
	};
	if (!each_traceable(keep) && !each_in_kallsyms(keep)) {
		why = "neither /proc/kallsyms nor tracefs can be read: nothing "
		    "lists the kernel's functions; name one";
		return EOPNOTSUPP;
	}
	for (const std::string &name : names)
		add(name, e.offset, probes);
	if (!probes.empty())
		return 0;
	why = "no function of the kernel has a name that matches " + e.name;
	return ENOENT;
}

} // namespace stack9::events
