// Asks for the capabilities of this process, and for those that a command of it
// could gain: root of a container has few, and neither can gain more.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lacking_rights.h"

#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace stackprint {
namespace {

bool
in_effect(cap_value_t which)
{
	const cap_t caps = cap_get_proc();
	cap_flag_value_t on = CAP_CLEAR;
	const bool is = caps != nullptr &&
	    cap_get_flag(caps, which, CAP_EFFECTIVE, &on) == 0 && on == CAP_SET;
	cap_free(caps);
	return is;
}

// No program that this process runs can have a capability that its bounding set
// lacks.  The kernel has -1 for one that it does not know.
bool
can_be_gained(cap_value_t which)
{
	return cap_get_bound(which) == 1;
}

} // namespace

std::vector<std::string>
missing_capabilities()
{
	const bool admin = in_effect(CAP_SYS_ADMIN);
	std::vector<std::string> missing;
	if (!admin && !in_effect(CAP_BPF))
		missing.emplace_back("CAP_BPF");
	if (!admin && !in_effect(CAP_PERFMON))
		missing.emplace_back("CAP_PERFMON");
	if (!in_effect(CAP_SYSLOG))
		missing.emplace_back("CAP_SYSLOG");
	return missing;
}

bool
may_load_programs()
{
	return in_effect(CAP_SYS_ADMIN) ||
	    (in_effect(CAP_BPF) && in_effect(CAP_PERFMON));
}

bool
may_trace_all()
{
	return in_effect(CAP_SYS_PTRACE);
}

std::string
this_program()
{
	char path[4096];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
	return n > 0 ? std::string(path, static_cast<std::size_t>(n)) :
	    "stackprint";
}

std::string
setcap_command()
{
	return "setcap cap_bpf,cap_perfmon,cap_syslog+ep " + this_program();
}

std::string
only_from_outside(bool kernel)
{
	if (geteuid() == 0)
		return "root lacks them, as in a container: start that "
		    "container with these capabilities (--cap-add)";
	const bool bound = kernel ? can_be_gained(CAP_SYS_ADMIN) ||
	    (can_be_gained(CAP_BPF) && can_be_gained(CAP_PERFMON)) :
	    can_be_gained(CAP_SYS_PTRACE);
	if (!bound)
		return "root would lack them too, as in a container: start "
		    "that container with these capabilities (--cap-add)";
	if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return "no program can gain them here (no_new_privs): start "
		    "the shell, service or container without that";
	return {};
}

} // namespace stackprint
