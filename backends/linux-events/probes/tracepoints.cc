// Finds tracepoints.  Without tracefs any category is accepted: raw tracepoints
// have names only.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tracepoints.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iterator>

#include <unistd.h>

#include "bpf/tracefs.h"
#include "btf_strings.h"
#include "event_text.h"
#include "hints.h"
#include "name_test.h"
#include "near_names.h"
#include "syscalls.h"

namespace stack9::events {
namespace {

namespace fs = std::filesystem;

const std::string typedefs = "btf_trace_";

void
add(const std::string &category, const std::string &name,
    std::vector<probe> &probes)
{
	probe p;
	p.kind = probe_kind::tracepoint;
	p.name = name;
	p.label = "t:" + (category.empty() ? "" : category + ":") + name;
	probes.push_back(std::move(p));
}

// The events of these categories are not tracepoints by themselves.
constexpr const char *not_raw[] = {"syscalls", "ftrace", "kprobes", "uprobes",
    "eprobes", "synthetic"};

// Calls f(category, name) for each tracepoint that tracefs has.
template <class F>
void
each_in_tracefs(const std::string &mounted, F f)
{
	std::error_code ignored;
	for (const auto &category : fs::directory_iterator(mounted + "/events",
	    ignored)) {
		const std::string of = category.path().filename();
		if (std::find(std::begin(not_raw), std::end(not_raw), of) !=
		    std::end(not_raw) || !category.is_directory(ignored))
			continue;
		for (const auto &event : fs::directory_iterator(category,
		    ignored))
			if (event.is_directory(ignored))
				f(of, event.path().filename().string());
	}
}

template <class F>
void
each_name(F f)
{
	if (btf_strings::are_there())
		btf_strings::each(typedefs, [&](std::string_view name) {
			f(std::string(name));
		});
	else if (const std::string mounted = bpf::tracefs(); !mounted.empty())
		each_in_tracefs(mounted, [&](const std::string &,
		    const std::string &name) { f(name); });
}

int
unknown_tracepoint(const event_text &e, std::string &why)
{
	near_names near(e.name);
	near.offer_as(tracepoint_prefix);
	offer_tracepoints(near);
	const std::string call = call_of_tracepoint(e.name);
	why = "the kernel has no tracepoint " + e.name + (call.empty() ?
	    question(near) : "; the system call is " + call);
	if (e.as_perf)
		why += "; a function of a program is u:" + e.category + ":" +
		    e.name;
	return ENOENT;
}

// Finds one tracepoint.  e.category is not a pattern.
int
exact(const event_text &e, const std::string &mounted,
    std::vector<probe> &probes, std::string &why)
{
	const bool listed = !mounted.empty() && !e.category.empty();
	if (listed && access((mounted + "/events/" + e.category + "/" +
	    e.name).c_str(), F_OK) == 0) {
		add(e.category, e.name, probes);
		return 0;
	}
	// With neither list, only attaching shows whether it exists.
	if (!is_tracepoint(e.name) && (btf_strings::are_there() ||
	    !mounted.empty()))
		return unknown_tracepoint(e, why);
	const std::string category = mounted.empty() ? "" :
	    category_of(e.name);
	if (listed && !category.empty()) {
		why = e.name + " is a tracepoint of another category: t:" +
		    category + ":" + e.name;
		return ENOENT;
	}
	add(category.empty() ? e.category : category, e.name, probes);
	return 0;
}

int
by_name(const event_text &e, const name_test &is_meant,
    const name_test &category, std::vector<probe> &probes, std::string &why)
{
	if (!e.category.empty() &&
	    (!category.is_exact() || is_meant.begins_anyhow())) {
		why = "only tracefs knows the tracepoints of a category, and "
		    "it is not mounted: mount -t tracefs nodev "
		    "/sys/kernel/tracing, or give the beginning of names, as "
		    "in t:" +
		    (category.is_exact() ? e.category : "sched") + "_*";
		return EOPNOTSUPP;
	}
	each_name([&](const std::string &name) {
		if (is_meant(name))
			add(e.category, name, probes);
	});
	return 0;
}

int
several(const event_text &e, bool regex, const name_test &is_meant,
    std::vector<probe> &probes, std::string &why)
{
	name_test category;
	int error = category.set(e.category, regex, why);
	const std::string mounted = bpf::tracefs();
	const bool btf = btf_strings::are_there();
	if (error != 0)
		return error;
	if (!mounted.empty() && (!btf || !e.category.empty()))
		each_in_tracefs(mounted, [&](const std::string &of,
		    const std::string &name) {
			if ((e.category.empty() || category(of)) &&
			    is_meant(name))
				add(of, name, probes);
		});
	else if (btf)
		error = by_name(e, is_meant, category, probes, why);
	else {
		why = "the kernel has no BTF (CONFIG_DEBUG_INFO_BTF), and "
		    "tracefs is not mounted: nothing lists its tracepoints; "
		    "name one, or mount -t tracefs nodev /sys/kernel/tracing";
		error = EOPNOTSUPP;
	}
	std::sort(probes.begin(), probes.end(),
	    [](const probe &a, const probe &b) { return a.label < b.label; });
	if (error == 0 && probes.empty()) {
		why = "no tracepoint's name matches " +
		    (e.category.empty() ? "" : e.category + ":") + e.name;
		error = ENOENT;
	}
	return error;
}

} // namespace

std::string
category_of(const std::string &name)
{
	return bpf::tracefs().empty() ? std::string() :
	    bpf::category_below(bpf::root_of_tracefs(), name);
}

bool
is_tracepoint(const std::string &name)
{
	if (btf_strings::are_there())
		return btf_strings::has(typedefs + name);
	return !category_of(name).empty();
}

void
offer_tracepoints(near_names &near)
{
	each_name([&](const std::string &name) { near.offer(name); });
}

int
list_tracepoints(const event_text &e, bool regex, std::vector<probe> &probes,
    std::string &why)
{
	name_test is_meant, category;
	int error = is_meant.set(e.name, regex, why);
	if (error == 0)
		error = category.set(e.category, regex, why);
	if (error != 0)
		return error;
	const unique_fd root = bpf::root_of_tracefs();
	if (!root)
		return several(e, regex, is_meant, probes, why);
	const std::size_t before = probes.size();
	each_in_tracefs("/proc/self/fd/" + std::to_string(root.get()),
	    [&](const std::string &of, const std::string &name) {
		if ((e.category.empty() || category(of)) && is_meant(name))
			add(of, name, probes);
	});
	std::sort(probes.begin() + static_cast<std::ptrdiff_t>(before),
	    probes.end(), [](const probe &a, const probe &b) {
		return a.label < b.label;
	});
	if (probes.size() > before)
		return 0;
	why = "no tracepoint's name matches " + (e.category.empty() ? "" :
	    e.category + ":") + e.name;
	return ENOENT;
}

int
find_tracepoints(const event_text &e, bool regex, std::vector<probe> &probes,
    std::string &why)
{
	name_test is_meant;
	if (e.category == "syscalls")
		return find_syscall_tracepoints(e, regex, probes, why);
	if (const int error = is_meant.set(e.name, regex, why); error != 0)
		return error;
	if (e.name.find('/') != e.name.npos ||
	    e.category.find('/') != e.category.npos)
		return unknown_tracepoint(e, why);
	if (name_test category; category.set(e.category, regex, why) != 0)
		return EINVAL;
	else if (!is_meant.is_exact() || !(category.is_exact()))
		return several(e, regex, is_meant, probes, why);
	return exact(e, bpf::tracefs(), probes, why);
}

} // namespace stack9::events
