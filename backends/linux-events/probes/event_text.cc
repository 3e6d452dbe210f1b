// Parses events.  A prefix says what kind the rest is.  Without a prefix, a
// word is the name of a software event or of a function, and CATEGORY:NAME is a
// tracepoint as perf writes it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "event_text.h"

#include <algorithm>
#include <cerrno>

#include "software_events.h"
#include "split_text.h"

namespace stack9::events {
namespace {

constexpr const char *forms = "events are t:CATEGORY:NAME, syscall:NAME, "
    "sysret:NAME, k:NAME[+OFFSET], u:FILE:NAME[+OFFSET], "
    "usdt:FILE:PROVIDER:NAME, cpu-clock[:HZ], page-faults[:EVERY] and others "
    "of perf, offcpu, trigger[:DIRECTORY]";

using parts = std::vector<std::string>;

int
invalid(std::string &why, std::string sentence)
{
	why = std::move(sentence);
	return EINVAL;
}

template <class... words>
bool
is_one_of(const std::string &s, words... w)
{
	return ((s == w) || ...);
}

// Takes the offset from NAME+OFFSET.  The + of a regular expression or of
// operator+ begins no offset.
void
take_offset(bool regex, event_text &e)
{
	const std::size_t plus = e.name.rfind('+');
	std::uint64_t offset;
	if (regex || plus == e.name.npos || plus == 0 ||
	    !to_number(std::string_view(e.name).substr(plus + 1), offset))
		return;
	e.offset = offset;
	e.name.resize(plus);
}

int
tracepoint(const parts &p, event_text &e, std::string &why)
{
	e.kind = probe_kind::tracepoint;
	if (p.size() == 3) {
		e.category = p[1];
		e.name = p[2];
	} else if (p.size() == 2)
		e.name = p[1];
	if (e.name.empty() || (p.size() == 3 && e.category.empty()))
		return invalid(why, "a tracepoint is t:CATEGORY:NAME or "
		    "t:NAME");
	return 0;
}

int
named(const parts &p, probe_kind kind, event_text &e, std::string &why)
{
	e.kind = kind;
	if (p.size() != 2 || p[1].empty())
		return invalid(why, "the form is " + p[0] + ":NAME");
	e.name = p[1];
	return 0;
}

// rest: FILE:FUNC.  FUNC may have colons.
int
user_function(const std::string &rest, bool regex, event_text &e,
    std::string &why)
{
	const parts p = split_text(rest, ':', "", "", 2);
	e.kind = probe_kind::user;
	if (p.size() != 2 || p[1].empty())
		return invalid(why, "a user function is u:FILE:NAME, as "
		    "u:libc:malloc");
	e.path = p[0];
	e.name = p[1];
	take_offset(regex, e);
	return 0;
}

int
probe_event(const parts &p, event_text &e, std::string &why)
{
	e.kind = probe_kind::usdt;
	if ((p.size() != 3 && p.size() != 4) || p.back().empty())
		return invalid(why, "a declared probe is "
		    "usdt:FILE:PROVIDER:NAME or usdt:FILE:NAME");
	e.path = p[1];
	if (p.size() == 4)
		e.provider = p[2];
	e.name = p.back();
	return 0;
}

int
profile(const parts &p, event_text &e, std::string &why)
{
	e.kind = probe_kind::software;
	e.name = "cpu-clock";
	if (p.size() == 1)
		return 0;
	e.value = p.back();
	if (p.size() == 2 || (p.size() == 3 && p[1] == "hz"))
		return 0;
	if (p.size() == 3 && p[1] == "s")
		e.unit_ns = 1000000000;
	else if (p.size() == 3 && p[1] == "ms")
		e.unit_ns = 1000000;
	else if (p.size() == 3 && p[1] == "us")
		e.unit_ns = 1000;
	else
		return invalid(why, "a profile is profile:hz:N or profile:N, "
		    "which is cpu-clock:N");
	return 0;
}

int
software(const parts &p, std::size_t first, event_text &e, std::string &why)
{
	e.kind = probe_kind::software;
	if (p.size() <= first || p.size() > first + 2 || p[first].empty())
		return invalid(why, "a software event is NAME or NAME:EVERY, "
		    "as page-faults:100");
	e.name = p[first];
	if (p.size() > first + 1)
		e.value = p[first + 1];
	return 0;
}

int
kernel_event(std::string name, bool regex, event_text &e, std::string &why)
{
	e.kind = probe_kind::kernel;
	e.name = std::move(name);
	take_offset(regex, e);
	return e.name.empty() ? invalid(why, "no function is named") : 0;
}

// Parses p:...  It has three meanings.
int
as_perf_and_bcc(const std::string &text, const parts &p, bool regex,
    event_text &e, std::string &why)
{
	if (p.size() == 2)
		return kernel_event(p[1], regex, e, why);
	if (p.size() == 3 && is_one_of(p[1], "hz", "s", "ms", "us"))
		return profile(p, e, why);
	if (p[1].empty())
		return kernel_event(text.substr(3), regex, e, why);
	return user_function(text.substr(2), regex, e, why);
}

int
without_prefix(const std::string &text, const parts &p, bool regex,
    event_text &e, std::string &why)
{
	if (is_one_of(p[0], "offcpu", "off-cpu")) {
		e.kind = probe_kind::off_cpu;
		return p.size() == 1 ? 0 : invalid(why, "offcpu takes nothing "
		    "after it: -m says how long");
	}
	if (p[0] == "trigger" && p.size() == 1) {
		e.kind = probe_kind::trigger;
		return 0;
	}
	if (is_software(p[0]))
		return software(p, 0, e, why);
	if (is_hardware(p[0]))
		return invalid(why, p[0] + " is counted by hardware, which is "
		    "not watched here: cpu-clock:HZ samples what runs");
	if (p.size() == 1)
		return kernel_event(p[0], regex, e, why);
	if (p.size() != 2 || p[0].empty() || p[1].empty())
		return invalid(why, "unknown event " + text + ": " + forms);
	e.kind = probe_kind::tracepoint;
	e.as_perf = true;
	e.category = p[0];
	e.name = p[1];
	return 0;
}

} // namespace

std::vector<std::string>
split_events(const std::string &text)
{
	return split_text(text, ',', "([{<", ")]}>", SIZE_MAX);
}

int
parse_event(const std::string &text, bool regex, event_text &e,
    std::string &why)
{
	e = {};
	if (text.empty())
		return invalid(why, std::string("no event is named: ") + forms);
	const parts p = split_text(text, ':', regex ? "[" : "",
	    regex ? "]" : "", SIZE_MAX);
	const std::string &first = p[0];
	if (p.size() == 1 && first != "profile")
		return without_prefix(text, p, regex, e, why);
	if (is_one_of(first, "t", "tracepoint"))
		return p.size() > 3 ? invalid(why, "a tracepoint is "
		    "t:CATEGORY:NAME or t:NAME") : tracepoint(p, e, why);
	if (is_one_of(first, "rt", "rawtracepoint", "raw_tracepoint"))
		return named(p, probe_kind::tracepoint, e, why);
	if (is_one_of(first, "syscall", "sys"))
		return named(p, probe_kind::syscall, e, why);
	if (first == "sysret") {
		e.returns = true;
		return named(p, probe_kind::syscall, e, why);
	}
	if (is_one_of(first, "k", "kprobe", "f", "fentry", "kfunc"))
		return kernel_event(text.substr(first.size() + 1), regex, e,
		    why);
	if (first == "p")
		return as_perf_and_bcc(text, p, regex, e, why);
	if (is_one_of(first, "u", "uprobe"))
		return user_function(text.substr(first.size() + 1), regex, e,
		    why);
	if (is_one_of(first, "usdt", "U"))
		return probe_event(p, e, why);
	if (is_one_of(first, "software", "s"))
		return software(p, 1, e, why);
	if (first == "profile")
		return profile(p, e, why);
	if (first == "trigger") {
		e.kind = probe_kind::trigger;
		e.path = text.substr(first.size() + 1);
		return e.path.starts_with('/') ? 0 : invalid(why, "the form "
		    "is trigger:DIRECTORY, an absolute path in bpffs");
	}
	if (is_one_of(first, "r", "kr", "kretprobe", "ur", "uretprobe",
	    "fexit", "kretfunc"))
		return invalid(why, "returns of functions are not watched, "
		    "but where they begin (k:, u:); sysret:NAME is the return "
		    "of a system call");
	return without_prefix(text, p, regex, e, why);
}

} // namespace stack9::events
