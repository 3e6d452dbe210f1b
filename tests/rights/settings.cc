// Lists the rows of the table.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "settings.h"

#include <cerrno>
#include <fstream>

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int bpf = CAP_BPF, perfmon = CAP_PERFMON, syslog_ = CAP_SYSLOG,
    trace = CAP_SYS_PTRACE;

void
stay()
{
}

enter_fn
user_with(std::initializer_list<int> capabilities)
{
	return [all = std::vector<int>(capabilities)] {
		switch (all.size()) {
		case 0:	return become::user();
		case 1:	return become::user({all[0]});
		case 2:	return become::user({all[0], all[1]});
		case 3:	return become::user({all[0], all[1], all[2]});
		default: return become::user({all[0], all[1], all[2], all[3]});
		}
	};
}

enter_fn
without(std::initializer_list<long> calls, int error,
    const enter_fn &who = stay)
{
	return [all = std::vector<long>(calls), error, who] {
		who();
		for (const long nr : all)
			become::without_call(nr, error);
	};
}

enter_fn
hidden(const char *path, const enter_fn &who)
{
	return [path, who] {
		become::without_files(path);
		who();
	};
}

enter_fn
hidepid(const enter_fn &who)
{
	return [who] {
		become::with_proc("hidepid=2");
		who();
	};
}

// A value that the kernel does not take ends the process.
void
set(const std::string &name, const std::string &value)
{
	std::ofstream file("/proc/sys/kernel/" + name);
	if (!(file << value << std::flush))
		_exit(91);
}

// All others have the values that they have without a setting.
enter_fn
sysctl(const char *name, const std::string &value, const enter_fn &who)
{
	return [name, value, who] {
		set("kptr_restrict", "0");
		set("perf_event_paranoid", "2");
		set("yama/ptrace_scope", "0");
		set(name, value);
		who();
	};
}

const enter_fn nothing = user_with({}), both = user_with({bpf, perfmon}),
    three = user_with({bpf, perfmon, syslog_});

void
add_values(std::vector<setting> &all, const char *name, int first, int last,
    std::initializer_list<std::pair<const char *, enter_fn>> whose)
{
	for (int value = first; value <= last; value++)
		for (const auto &[who, enter] : whose)
			all.push_back({std::string(name) + "=" +
			    std::to_string(value) + ", " + who,
			    sysctl(name, std::to_string(value), enter)});
}

} // namespace

std::vector<setting>
settings_of_processes()
{
	const char *const types = "/sys/kernel/btf";
	const std::string mounts = become::no_own_mounts(),
	    in_mounts = become::no_names_in_own_mounts();
	return {
	    {"root", stay},
	    {"user", nothing},
	    {"CAP_BPF", user_with({bpf})},
	    {"CAP_PERFMON", user_with({perfmon})},
	    {"CAP_BPF CAP_PERFMON", both},
	    {"CAP_BPF CAP_PERFMON CAP_SYSLOG", three},
	    {"CAP_BPF CAP_PERFMON CAP_SYSLOG CAP_SYS_PTRACE",
		user_with({bpf, perfmon, syslog_, trace})},
	    {"CAP_SYS_PTRACE", user_with({trace})},
	    {"CAP_SYS_ADMIN", user_with({CAP_SYS_ADMIN})},
	    {"root without capabilities", become::root_without_capabilities},
	    {"root of a user namespace", become::root_of_a_user_namespace,
		become::no_user_namespace()},
	    {"root, seccomp: bpf EPERM", without({SYS_bpf}, EPERM)},
	    {"root, seccomp: bpf ENOSYS", without({SYS_bpf}, ENOSYS)},
	    {"root, seccomp: ptrace EPERM", without({SYS_ptrace}, EPERM)},
	    {"root, seccomp: bpf, ptrace EPERM",
		without({SYS_bpf, SYS_ptrace}, EPERM)},
	    {"root, seccomp: perf_event_open EPERM",
		without({SYS_perf_event_open}, EPERM)},
	    {"user, seccomp: ptrace EPERM",
		without({SYS_ptrace}, EPERM, nothing)},
	    {"user, seccomp: ptrace ENOSYS",
		without({SYS_ptrace}, ENOSYS, nothing)},
	    {"user, seccomp: ptrace, process_vm_readv EPERM",
		without({SYS_ptrace, SYS_process_vm_readv}, EPERM, nothing)},
	    {"root, hidepid=2", hidepid(stay), mounts},
	    {"user, hidepid=2", hidepid(nothing), in_mounts},
	    {"CAP_BPF CAP_PERFMON CAP_SYSLOG, hidepid=2", hidepid(three),
		in_mounts},
	    {"root, no /sys/kernel/btf", hidden(types, stay), mounts},
	    {"user, no /sys/kernel/btf", hidden(types, nothing),
		in_mounts},
	    {"root, no /proc", hidden("/proc", stay), mounts},
	    {"user, no /proc", hidden("/proc", nothing), mounts},
	};
}

std::vector<setting>
settings_of_sysctls()
{
	std::vector<setting> all;
	add_values(all, "kptr_restrict", 0, 2, {{"root", stay},
	    {"CAP_BPF CAP_PERFMON", both},
	    {"CAP_BPF CAP_PERFMON CAP_SYSLOG", three}});
	add_values(all, "perf_event_paranoid", -1, 3, {{"user", nothing},
	    {"CAP_BPF CAP_PERFMON", both}});
	add_values(all, "yama/ptrace_scope", 0, 2, {{"root", stay},
	    {"user", nothing}, {"CAP_SYS_PTRACE", user_with({trace})}});
	// 1 is for good, until the next boot.
	for (const int value : {0, 2, 1})
		add_values(all, "unprivileged_bpf_disabled", value, value,
		    {{"user", nothing}, {"CAP_BPF CAP_PERFMON", both}});
	return all;
}
