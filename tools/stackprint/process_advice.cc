// Counts frames by process, and knows what makes runtimes write names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "process_advice.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "tools/lib/file_notes.h"
#include "tools/lib/json.h"
#include "tools/lib/packages.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

// A runtime, by the beginning of its file's name.
struct runtime {
	std::string_view file;
	// The beginning of the names of its interpreter's functions; NULL:
	// whoever is in the file interprets.
	const char	*loop;
	const char	*help;
};

constexpr runtime runtimes[] = {
	{"libpython3.", nullptr, "python3 -X perf (3.12 and later), which "
	    "gives each function of Python a frame"},
	{"python3", nullptr, "python3 -X perf (3.12 and later), which gives "
	    "each function of Python a frame"},
	{"libruby", nullptr, "ruby --yjit --yjit-perf (3.3 and later), which "
	    "gives compiled methods frames with names"},
	{"ruby", nullptr, "ruby --yjit --yjit-perf (3.3 and later), which "
	    "gives compiled methods frames with names"},
	{"node", "Builtins_", "node --perf-basic-prof "
	    "--interpreted-frames-native-stack, which names compiled and "
	    "interpreted functions"},
	{"libnode.so", "Builtins_", "node --perf-basic-prof "
	    "--interpreted-frames-native-stack, which names compiled and "
	    "interpreted functions"},
	{"libjvm.so", "Interpreter", "jcmd {pid} Compiler.perfmap (17 and "
	    "later), which names what is compiled by then"},
	{"libcoreclr.so", "[", "DOTNET_PerfMapEnabled=1 in its environment"},
	{"beam.smp", "[", "erl +JPperf true"},
};

constexpr const char unknown_runtime[] = "/tmp/perf-{pid}.map, which the "
    "runtime that made its code may be able to write";

const runtime *
runtime_of(std::string_view file)
{
	const auto at = std::ranges::find_if(runtimes, [&](const runtime &r) {
		return file.starts_with(r.file);
	});
	return at == std::end(runtimes) ? nullptr : at;
}

// Code in memory that no file in a directory has.
bool
was_made(const std::string &path)
{
	return !path.starts_with('/') || path.starts_with("/memfd:") ||
	    path.starts_with("//anon") || path == "/dev/zero" ||
	    path.starts_with("/SYSV");
}

std::string
with_pid(std::string text, pid_t pid)
{
	if (const auto at = text.find("{pid}"); at != text.npos)
		text.replace(at, 5, std::to_string(pid));
	return text;
}

// dpkg knows the files of this machine, not those of containers.
bool
has_our_root(pid_t pid)
{
	struct stat its, ours;
	return stat(fmt::format("/proc/{}/root/", pid).c_str(), &its) == 0 &&
	    stat("/", &ours) == 0 && its.st_ino == ours.st_ino &&
	    its.st_dev == ours.st_dev;
}

std::string
help_for_file(const std::string &package, const std::string &path)
{
	return package.empty() ? "the package of debug symbols of " +
	    printable(path) : "the package " + printable(package) +
	    ", which has the names of " + printable(path);
}

} // namespace

// The frames of all threads of a process.
struct process_advice::totals {
	unsigned long	frames = 0;
	counts		made;	// in threads that run such code
	std::string	runtime;
	std::map<std::string, unsigned long> nameless;

	explicit totals(const process &p)
	{
		for (const auto &[hash, of] : p.stacks)
			add(of);
	}

	void
	add(const equal_stacks &of)
	{
		const counts &c = of.each;
		frames += of.threads * c.frames;
		for (const auto &[file, n] : of.nameless)
			nameless[file] += of.threads * n;
		if (!of.runtime.empty())
			runtime = of.runtime;
		if (c.made + c.named == 0 && !c.interpreted)
			return;
		made.frames += of.threads * c.frames;
		made.made += of.threads * c.made;
		made.named += of.threads * c.named;
		made.runtimes += of.threads * c.runtimes;
	}
};

void
process_advice::count(equal_stacks &to, const place &p)
{
	counts &c = to.each;
	c.frames++;
	if (p.own().kind == frame_kind::language) {
		c.named++;
		return;
	}
	if (p.where == nullptr)
		return;
	const runtime *const r = runtime_of(p.where->name);
	if (r != nullptr) {
		to.runtime = p.where->name;
		c.runtimes++;
		c.interpreted |= r->loop == nullptr ||
		    linkage_of(p.own()).starts_with(r->loop);
	} else if (!was_made(p.where->path)) {
		if (!p.known() && !p.where->deleted)
			to.nameless[p.where->path]++;
	} else if (p.where->path != "[vdso]") {
		(p.known() ? c.named : c.made)++;
	}
}

void
process_advice::add(const sample &s, names &all)
{
	if (!s.user.has_value() || s.user->pcs.empty())
		return;
	process &to = all_[s.thread.pid];
	if (s.user->note[0] != '\0')
		to.note = s.user->note;
	if (to.comm.empty() || s.thread.tid == s.thread.pid)
		to.comm = s.comm;
	equal_stacks &equal = to.stacks[s.user->hash];
	if (equal.threads++ != 0)
		return;
	std::vector<const place *> places;
	all.of_stack(*s.user, places);
	for (const place *p : places)
		count(equal, *p);
}

// False: most frames have names.  Once the runtime names what it makes, its own
// frames among these are not a fault.
bool
process_advice::hint_of(pid_t pid, const process &p, hint &to)
{
	const totals all(p);
	const counts &of = all.made;
	to = {pid, p.comm, of.made + (of.named == 0 ? of.runtimes : 0),
	    of.frames, {}, {}};
	if (!p.note.empty()) {
		to.note = p.note;
		return true;
	}
	if (to.without > of.frames / 2 && to.without > of.named) {
		const runtime *const r = runtime_of(all.runtime);
		to.help = with_pid(r != nullptr ? r->help : unknown_runtime,
		    pid);
		return true;
	}
	const auto most = std::ranges::max_element(all.nameless, {},
	    [](const auto &file) { return file.second; });
	// A note says already why nothing of a file is read.
	if (most == all.nameless.end() || most->second <= all.frames / 2 ||
	    tools::file_lacks(most->first, "permission"))
		return false;
	to.without = most->second;
	to.frames = all.frames;
	to.path = most->first;
	return true;
}

std::vector<process_advice::hint>
process_advice::hints(bool all) const
{
	std::vector<hint> some;
	std::map<std::string, std::string> packages;
	hint h;
	for (const auto &[pid, p] : all_)
		if (hint_of(pid, p, h))
			some.push_back(std::move(h));
	for (std::size_t i = 0; i < some.size() && (all || i < printed); i++) {
		if (some[i].path.empty())
			continue;
		std::string package;
		if (has_our_root(some[i].pid)) {
			const auto [known, is_new] = packages.try_emplace(
			    some[i].path);
			if (is_new)
				known->second = debug_package(some[i].path);
			package = known->second;
		}
		some[i].help = help_for_file(package, some[i].path);
	}
	return some;
}

// Many processes may need the same advice; a command may have a pid in it.
void
process_advice::print(output &out, const std::vector<hint> &all)
{
	for (std::size_t i = 0; i < std::min(all.size(), printed); i++) {
		const hint &h = all[i];
		if (!h.note.empty())
			out.message("{}, pid {}: {}", printable(h.comm), h.pid,
			    printable(h.note));
		else
			out.message("{}, pid {}: {} of {} frames are a "
			    "runtime's or have no name; what helps: {}",
			    printable(h.comm), h.pid, h.without, h.frames,
			    h.help);
	}
	if (all.size() > printed)
		out.message("so it is with {}; see -p PID",
		    amount(all.size() - printed, "other"));
}

std::string
process_advice::json(const std::vector<hint> &all)
{
	std::string text;
	for (const hint &h : all)
		text += fmt::format("{}{{\"pid\":{},{},\"frames\":{},"
		    "\"without_name\":{},{}}}", text.empty() ? "" : ",", h.pid,
		    json_member("comm", h.comm), h.frames, h.without,
		    json_member("help", h.note.empty() ? h.help : h.note));
	return text.empty() ? "" : ",\"hints\":[" + text + "]";
}

} // namespace stackprint
