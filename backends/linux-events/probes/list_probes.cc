// Asks the finder of each kind for all that matches.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "list_probes.h"

#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "event_text.h"
#include "find_probes.h"
#include "kernel_functions.h"
#include "name_test.h"
#include "software_events.h"
#include "syscalls.h"
#include "tracepoints.h"

namespace stack9::events {
namespace {

std::string
anywhere(const std::string &name, bool regex)
{
	return name.empty() ? regex ? ".*" : "*" : regex ||
	    name.find_first_of("*?") != name.npos ? name : "*" + name + "*";
}

// True for kinds whose names may be patterns.
bool
has_patterns(probe_kind kind)
{
	switch (kind) {
	case probe_kind::tracepoint:
	case probe_kind::syscall:
	case probe_kind::kernel:
	case probe_kind::user:
	case probe_kind::usdt:
		return true;
	case probe_kind::software:
	case probe_kind::off_cpu:
	case probe_kind::trigger:
		break;
	}
	return false;
}

void
list_software(const name_test &is_meant, std::vector<probe> &probes)
{
	std::string unused;
	for (const software_event &s : software_events()) {
		std::vector<probe> found;
		event_text e;
		e.kind = probe_kind::software;
		e.name = s.name;
		if (!is_meant(e.name) || find_software(e, found, unused) != 0)
			continue;
		// Some have two names.
		bool known = false;
		for (const probe &p : probes)
			known |= p.label == found[0].label;
		if (!known)
			probes.push_back(std::move(found[0]));
	}
	for (const auto &[kind, label] : {
	    std::pair{probe_kind::off_cpu, "offcpu"},
	    std::pair{probe_kind::trigger, "trigger"}}) {
		probe p;
		p.kind = kind;
		p.label = label;
		if (is_meant(p.label))
			probes.push_back(std::move(p));
	}
}

int
list_all_kinds(const std::string &word, bool regex, std::vector<probe> &probes,
    std::string &why)
{
	name_test is_meant;
	event_text e;
	e.name = anywhere(word, regex);
	if (const int error = is_meant.set(e.name, regex, why); error != 0)
		return error;
	list_software(is_meant, probes);
	std::string unused;
	list_tracepoints(e, regex, probes, unused);
	find_syscalls(e, regex, probes, unused);
	if (!word.empty() && kernel_functions_can_be_traced())
		find_kernel_functions(e, regex, probes, unused);
	if (!probes.empty())
		return 0;
	why = "no event of the kernel has a name that matches " + word +
	    "; those of a program are u:FILE:NAME and usdt:FILE:NAME";
	return ENOENT;
}

int
no_functions(const event_text &e, bool regex, std::string &why)
{
	std::vector<probe> probes;
	const int error = find_kernel_functions(e, regex, probes, why);
	if (error != 0)
		return error;
	why = why_no_kernel_functions(probes[0].name);
	return EOPNOTSUPP;
}

int
list_one(const std::string &text, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
{
	if (text.find(':') == text.npos)
		return list_all_kinds(text, regex, probes, why);
	event_text e;
	std::string unused;
	const std::string all = regex ? ".*" : "*";
	int error = parse_event(text, regex, e, why);
	// u:libc: and u:libc
	if (error != 0 && (parse_event(text + all, regex, e, unused) == 0 ||
	    parse_event(text + ":" + all, regex, e, unused) == 0))
		error = 0;
	if (error != 0)
		return error;
	if (has_patterns(e.kind) && !e.name.starts_with("0x"))
		e.name = anywhere(e.name, regex);
	if (e.kind == probe_kind::kernel && !kernel_functions_can_be_traced())
		return no_functions(e, regex, why);
	if (e.kind == probe_kind::tracepoint && !e.as_perf &&
	    e.category != "syscalls")
		return list_tracepoints(e, regex, probes, why);
	return find_event(e, regex, pid, probes, why);
}

} // namespace

int
list_probes(const std::string &events, bool regex, pid_t pid,
    std::vector<probe> &probes, std::string &why)
try {
	probes.clear();
	why.clear();
	for (const std::string &text : split_events(events)) {
		const int error = list_one(text, regex, pid, probes, why);
		if (error != 0)
			return error;
	}
	return 0;
} catch (const std::bad_alloc &) {
	why = "out of memory";
	return ENOMEM;
} catch (const std::system_error &e) {
	why = events + ": " + e.what();
	return e.code().value();
}

} // namespace stack9::events
