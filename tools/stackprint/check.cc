// Prints what this machine and these rights allow, job by job and route by
// route, with the settings that decide it and what would help.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "options.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <sys/capability.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fmt/format.h>
#include <stack9.h>

#include "async_reasons.h"
#include "lacking_rights.h"
#include "tools/lib/command_line.h"
#include "tools/lib/output.h"
#include "tools/lib/proc.h"
#include "tools/lib/program.h"
#include "tools/lib/rights.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

struct row {
	std::string	job, route;
	int		error;
	std::string	reason;
};

extern "C" int
add_row(void *arg, const char *job, const char *route, int error,
    const char *reason)
{
	try {
		static_cast<std::vector<row> *>(arg)->push_back(
		    {job, route, error, reason ? reason : ""});
		return 0;
	} catch (const std::bad_alloc &) {
		return ENOMEM;
	}
}

std::string
verdict_word(int error)
{
	switch (error) {
	case 0:
		return "ok";
	case EPERM:
		return "refused";
	case EOPNOTSUPP:
		return "not here";
	}
	return std::strerror(error);
}

std::string
table_of(const std::vector<row> &rows)
{
	std::size_t routes = 0, verdicts = 0;
	for (const row &r : rows) {
		routes = std::max(routes, r.route.size());
		verdicts = std::max(verdicts, verdict_word(r.error).size());
	}
	std::string text;
	for (std::size_t i = 0; i < rows.size(); i++) {
		const row &r = rows[i];
		if (i == 0 || rows[i - 1].job != r.job)
			text += printable(r.job) + "\n";
		text += fmt::format("  {:{}}  {:{}}  {}\n", r.route, routes,
		    verdict_word(r.error), verdicts, printable(r.reason));
	}
	return text;
}

// Counts the jobs that no route can do, and notes whether any job can be done.
int
status_of(const std::vector<row> &rows)
{
	unsigned int jobs = 0, done = 0;
	bool works = false;
	for (std::size_t i = 0; i < rows.size(); i++) {
		works |= rows[i].error == 0;
		if (i + 1 < rows.size() && rows[i + 1].job == rows[i].job)
			continue;
		jobs++;
		done += works;
		works = false;
	}
	return done == 0 ? exit_none : done < jobs ? exit_partial :
	    exit_complete;
}

std::string
setting(const std::string &path, const char *without = "not readable")
{
	const std::string s = read_file(path);
	return s.empty() ? without : s;
}

std::string
capabilities_text()
{
	const cap_t caps = cap_get_proc();
	char *text = caps ? cap_to_text(caps, nullptr) : nullptr;
	const std::string held = text != nullptr ? text : "not readable";
	cap_free(text);
	cap_free(caps);
	return held == "=" ? "none" : held;
}

std::string
missing_words()
{
	std::string all;
	for (const std::string &c : missing_capabilities())
		all += (all.empty() ? "" : " ") + c;
	if (!may_trace_all())
		all += all.empty() ? "CAP_SYS_PTRACE" : " CAP_SYS_PTRACE";
	return all.empty() ? "none" : all;
}

// The first pid namespace has a fixed inode number (PROC_PID_INIT_INO).
std::string
pid_namespace()
{
	char link[64];
	const ssize_t n = readlink("/proc/self/ns/pid", link, sizeof link);
	if (n <= 0)
		return "not readable";
	const std::string name(link, static_cast<std::size_t>(n));
	return name == "pid:[4026531836]" ? "the first" :
	    "a nested one, thread ids are its own: " + name;
}

std::string
kernel()
{
	utsname u{};
	uname(&u);
	return fmt::format("{} {} {}", u.sysname, u.release, u.machine);
}

constexpr const char *btf = "/sys/kernel/btf/vmlinux";
constexpr const char *lockdown = "/sys/kernel/security/lockdown";

std::string
settings()
{
	std::string text;
	const auto line = [&text](const char *what, const std::string &value) {
		text += fmt::format("  {:33}  {}\n", what, value);
	};
	const std::string sys = "/proc/sys/kernel/";
	line("kernel", kernel());
	line("capabilities held", capabilities_text());
	line("capabilities missing", missing_words());
	line("rights", borrowed_rights() ?
	    "of this file: shows only what its caller might trace" :
	    "of its caller");
	for (const char *name : {"kptr_restrict", "perf_event_paranoid",
		 "perf_event_max_stack", "unprivileged_bpf_disabled"})
		line((std::string("kernel.") + name).c_str(),
		    setting(sys + name));
	line("kernel.yama.ptrace_scope", setting(yama_scope, "not here"));
	line("lockdown", setting(lockdown));
	line(btf, access(btf, R_OK) == 0 ? "present" : "missing");
	line("pid namespace", pid_namespace());
	return text;
}

std::string
help(const std::vector<row> &rows)
{
	std::string text;
	bool refused = false, programs_refused = false, retries = false;
	for (const row &r : rows) {
		refused |= r.error == EPERM;
		programs_refused |= r.error == EPERM && r.route == "ipi";
		retries |= r.job == async_job && r.route == "task-work" &&
		    r.error == EOPNOTSUPP;
	}
	if (programs_refused && may_load_programs())
		text += "  to allow bpf(2) in what refuses it: a profile of "
		    "seccomp, lockdown or a user namespace\n";
	if (refused && !missing_capabilities().empty()) {
		const std::string outside = only_from_outside(
		    !may_load_programs());
		text += "  " + (!outside.empty() ? outside : "sudo " +
		    called("stackprint") + ", or, once, as root: " +
		    setcap_command()) + "\n";
	}
	if (refused && setting(yama_scope, "0") != "0")
		text += "  sysctl kernel.yama.ptrace_scope=0, for user stacks "
		    "of your own processes\n";
	if (access(btf, R_OK) != 0)
		text += "  a kernel with CONFIG_DEBUG_INFO_BTF, and /sys "
		    "mounted\n";
	if (retries)
		text += "  Linux 6.18, for --async: there threads give their "
		    "user stacks themselves\n";
	if (setting("/proc/sys/kernel/kptr_restrict") == "2")
		text += "  sysctl kernel.kptr_restrict=1, for names\n";
	if (setting(lockdown).find("[confidentiality]") != std::string::npos)
		text += "  lockdown=integrity: confidentiality keeps BPF from "
		    "kernel memory\n";
	if (std::getenv("STACK9_ROUTE") != nullptr)
		text += "  unset STACK9_ROUTE, which allows only the routes it "
		    "names\n";
	return text;
}

} // namespace

int
check()
{
	output out;
	std::vector<row> rows;
	const int error = stack9_routes(add_row, &rows);
	if (error != 0)
		out.message("the list of routes: {}", std::strerror(error));
	out.block(table_of(rows));
	out.block("settings\n" + settings());
	const std::string helps = help(rows);
	if (!helps.empty())
		out.block("what would help\n" + helps);
	const int closed = out.finish();
	return closed != 0 ? closed : status_of(rows);
}

} // namespace stackprint
