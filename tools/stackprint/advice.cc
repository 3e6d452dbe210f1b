// Says which capability is missing, and which command would help.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "advice.h"

#include <cerrno>

#include "lacking_rights.h"
#include "tools/lib/file_notes.h"
#include "tools/lib/proc.h"
#include "tools/lib/program.h"
#include "tools/lib/surroundings.h"

namespace stackprint {
namespace {

std::string
joined(const std::vector<std::string> &list, const char *between)
{
	std::string all;
	for (const std::string &s : list)
		all += (all.empty() ? "" : between) + s;
	return all;
}

void
on_surroundings(output &out)
{
	if (!proc_is_mounted())
		out.message("{}: user stacks, names and states need it; try: "
		    "mount -t proc proc /proc", no_proc);
	if (const std::string few = few_descriptors(); !few.empty())
		out.message("{}", few);
}

} // namespace

void
advice::add(const sample &s)
{
	const auto is = [](const std::optional<stack> &side, int error) {
		return side.has_value() && side->error == error &&
		    !is_absent(*side);
	};
	kernel_refused_ += is(s.kernel, EPERM);
	user_refused_ += is(s.user, EPERM);
	refused_ += is(s.kernel, EPERM) || is(s.user, EPERM);
	impossible_ |= is(s.kernel, EOPNOTSUPP) || is(s.user, EOPNOTSUPP);
}

void
advice::not_submitted(int error)
{
	async_refused_ |= error == EPERM;
	async_impossible_ |= error == EOPNOTSUPP;
}

void
advice::not_returned(bool woken)
{
	late_ |= !woken;
	late_though_woken_ |= woken;
}

void
advice::on_kernel(output &out) const
{
	const auto missing = missing_capabilities();
	const std::string here = missing.empty() ? "" :
	    "; missing here: " + joined(missing, ", ");
	if (async_refused_)
		out.message("asynchronous captures need CAP_BPF and "
		    "CAP_PERFMON, names in the kernel CAP_SYSLOG{}", here);
	else
		out.message("kernel stacks need CAP_BPF and CAP_PERFMON, their "
		    "names CAP_SYSLOG{}", here);
}

void
advice::on_users(output &out) const
{
	out.message("user stacks of processes that are not yours, or that are "
	    "not dumpable, need CAP_SYS_PTRACE{}", may_trace_all() ? "" :
	    ", which is missing here");
	const std::string yama = read_file(yama_scope);
	if (!yama.empty() && yama != "0")
		out.message("kernel.yama.ptrace_scope is {}, which "
		    "also denies you processes of your own", yama);
}

void
advice::on_refusal(output &out, const std::string &command) const
{
	const std::string name = called("stackprint");
	const bool kernel = kernel_refused_ != 0 || async_refused_;
	const bool kernel_lacks = kernel && !may_load_programs();
	const bool users = user_refused_ != 0 && !async_refused_;
	const bool users_lack = users && !may_trace_all();
	if (kernel && !kernel_lacks)
		out.message("every capability that is needed is held here, "
		    "and yet the kernel refused: a seccomp filter, lockdown "
		    "or a user namespace may be why; see {} --check", name);
	if (kernel_lacks)
		on_kernel(out);
	if (users_lack || (users && !kernel))
		on_users(out);
	if (!kernel_lacks && !users_lack)
		return;
	const std::string outside = only_from_outside(kernel_lacks);
	if (!outside.empty())
		out.message("{}; see {} --check", outside, name);
	else if (kernel_lacks && by_file_)
		out.message("try: sudo {}, or, once, as root: {}; see "
		    "{} --check", command, setcap_command(), name);
	else
		out.message("try: sudo {}; see {} --check", command, name);
}

// A thread in disk sleep does not end for a signal, either.
void
advice::on_async(output &out) const
{
	const char *copied = "without --async user stacks are copied where "
	    "threads sleep";
	if (late_)
		out.message("some threads have not returned to user space: "
		    "--now wakes those that sleep; {}", copied);
	if (late_though_woken_)
		out.message("some threads have not returned to user space, "
		    "though --now woke those that a signal wakes; {}", copied);
	if (async_impossible_)
		out.message("there are no asynchronous captures here; {}",
		    copied);
}

void
advice::print(output &out, const std::string &command, bool names_hidden,
    bool addresses_withheld) const
{
	on_surroundings(out);
	if (refused_ > not_yours_)
		on_refusal(out, command);
	if (not_yours_ != 0)
		out.message("{} holds capabilities of its own and shows its "
		    "caller only what the caller might trace; try: sudo {}",
		    this_program(), command);
	on_async(out);
	if (impossible_)
		out.message("this machine cannot do all of it; see {} --check",
		    called("stackprint"));
	if (names_hidden)
		out.message("{}; see {} --check", hidden_names(),
		    called("stackprint"));
	if (addresses_withheld)
		out.message("addresses are withheld, as /proc/kallsyms "
		    "withholds them from you");
	for (const std::string &note : file_notes_text())
		out.message("{}", note);
}

} // namespace stackprint
