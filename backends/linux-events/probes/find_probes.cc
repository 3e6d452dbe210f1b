// Asks the finder of each event's kind for its probes.  A probe that several
// events of the list stand for is taken once.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "find_probes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "bpf/tracefs.h"
#include "event_text.h"
#include "file_search.h"
#include "kernel_functions.h"
#include "program_file.h"
#include "software_events.h"
#include "syscalls.h"
#include "tracepoints.h"

namespace stack9::events {
namespace {

// Finds what CATEGORY:NAME stands for, or what it stands for in bcc, where it
// is LIBRARY:NAME: a function of a library, as c:malloc.  Tracepoints come
// first.
int
find_either(const event_text &e, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
{
	const bpf::answer category = bpf::is_category(e.category);
	const int error = category == bpf::answer::no ? ENOENT :
	    find_tracepoints(e, regex, probes, why);
	if (error == 0 || category == bpf::answer::yes)
		return error;
	event_text u;
	std::string unused;
	if (is_program_file(e.category, pid) && parse_event("u:" +
	    escaped(e.category) + ":" + e.name, regex, u, unused) == 0)
		return search_file(u, regex, pid, probes, why);
	return category == bpf::answer::no ?
	    find_tracepoints(e, regex, probes, why) : error;
}

// Finds the trigger, whose pins are in a directory that exists.
int
find_trigger(const event_text &e, std::vector<probe> &probes, std::string &why)
{
	if (!e.path.empty() && access(e.path.c_str(), W_OK | X_OK) != 0) {
		const int error = errno;
		why = e.path + ": " + std::strerror(error);
		return error == EACCES || error == EROFS ? EPERM : error;
	}
	probe p;
	p.kind = probe_kind::trigger;
	p.label = p.name = e.path.empty() ? "trigger" : "trigger:" + e.path;
	p.path = e.path;
	probes.push_back(std::move(p));
	return 0;
}

} // namespace

int
find_event(const event_text &e, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
{
	switch (e.kind) {
	case probe_kind::tracepoint:
		return e.as_perf ? find_either(e, regex, pid, probes, why) :
		    find_tracepoints(e, regex, probes, why);
	case probe_kind::syscall:
		return find_syscalls(e, regex, probes, why);
	case probe_kind::kernel:
		return find_kernel_functions(e, regex, probes, why);
	case probe_kind::user:
	case probe_kind::usdt:
		return search_file(e, regex, pid, probes, why);
	case probe_kind::software:
		return find_software(e, probes, why);
	case probe_kind::trigger:
		return find_trigger(e, probes, why);
	case probe_kind::off_cpu:
		break;
	}
	probe p;
	p.kind = probe_kind::off_cpu;
	p.label = p.name = "offcpu";
	probes.push_back(std::move(p));
	return 0;
}

namespace {

int
too_many(const std::string &event, std::size_t n, std::string &why)
{
	why = event + " stands for " + std::to_string(n) + " events, and " +
	    std::to_string(most_probes) + " are the most that can be attached "
	    "to; name fewer";
	return ENOSPC;
}

int
find_all(const std::string &event, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
{
	// A probe has one label for all its places.
	std::set<std::pair<std::string, std::uint64_t>> known;
	for (const std::string &text : split_events(event)) {
		std::vector<probe> some;
		event_text e;
		int error = parse_event(text, regex, e, why);
		if (error == 0)
			error = find_event(e, regex, pid, some, why);
		if (error != 0)
			return error;
		std::copy_if(std::move_iterator(some.begin()),
		    std::move_iterator(some.end()), std::back_inserter(probes),
		    [&](const probe &p) {
			return known.insert({p.label, p.offset}).second;
		});
	}
	return probes.size() > most_probes ?
	    too_many(event, probes.size(), why) : 0;
}

} // namespace

int
find_probes(const std::string &event, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
try {
	probes.clear();
	why.clear();
	const int error = find_all(event, regex, pid, probes, why);
	if (error != 0)
		probes.clear();
	return error;
} catch (const std::bad_alloc &) {
	why = "out of memory";
	return ENOMEM;
} catch (const std::system_error &e) {
	why = event + ": " + e.what();
	return e.code().value();
}

} // namespace stack9::events
