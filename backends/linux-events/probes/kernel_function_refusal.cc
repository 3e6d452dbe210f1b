// Explains why neither kprobes nor fentry can trace a function of the kernel,
// and names events near to the function that need neither.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "kernel_functions.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <system_error>

#include <unistd.h>

#include "kernel_limits.h"
#include "near_names.h"
#include "syscalls.h"
#include "tracepoints.h"

namespace stack9::events {
namespace {

constexpr int enotsupp = 524;	// the kernel's own ENOTSUPP

// Events that happen in well-known functions, where names do not show it.
constexpr struct {
	const char	*function, *event, *tracepoint;
} passed[] = {
	{"submit_bio", "t:block:block_bio_queue", "block_bio_queue"},
	{"submit_bio_noacct", "t:block:block_bio_queue", "block_bio_queue"},
	{"blk_mq_start_request", "t:block:block_rq_issue", "block_rq_issue"},
	{"schedule", "offcpu", ""},
	{"__schedule", "offcpu", ""},
	{"finish_task_switch", "offcpu", ""},
	{"try_to_wake_up", "t:sched:sched_waking", "sched_waking"},
	{"wake_up_process", "t:sched:sched_waking", "sched_waking"},
	{"do_exit", "t:sched:sched_process_exit", "sched_process_exit"},
	{"kernel_clone", "t:sched:sched_process_fork", "sched_process_fork"},
	{"handle_mm_fault", "page-faults", ""},
	{"do_user_addr_fault", "page-faults", ""},
	{"__alloc_pages", "t:kmem:mm_page_alloc", "mm_page_alloc"},
	{"__kmalloc", "t:kmem:kmalloc", "kmalloc"},
	{"tcp_sendmsg", "t:sock:sock_send_length", "sock_send_length"},
	{"tcp_recvmsg", "t:sock:sock_recv_length", "sock_recv_length"},
};

// The chosen word of "none [integrity] confidentiality", or "".
std::string
lockdown()
{
	std::ifstream in("/sys/kernel/security/lockdown");
	std::string text;
	std::getline(in, text);
	const std::size_t from = text.find('['), to = text.find(']');
	if (from != text.npos && to != text.npos)
		return text.substr(from + 1, to - from - 1);
	// securityfs is not mounted, but the kernel may be locked down from
	// its start on.
	for (const std::string level : {"CONFIDENTIALITY", "INTEGRITY"})
		if (is_configured("CONFIG_LOCK_DOWN_KERNEL_FORCE_" + level) ==
		    configured::yes)
			return level[0] == 'C' ? "confidentiality" :
			    "integrity";
	return {};
}

std::string
no_kprobes(const std::string &locked)
{
	if (access("/sys/bus/event_source/devices/kprobe", F_OK) != 0) {
		std::string option = first_not_configured({"CONFIG_KPROBES",
		    "CONFIG_KPROBE_EVENTS"});
		if (option.empty())
			option = "CONFIG_KPROBE_EVENTS";
		return "it is built without " + option;
	}
	// LOCKDOWN_KPROBES is of that level; integrity allows kprobes.
	if (locked == "confidentiality")
		return "kernel lockdown (confidentiality) forbids kprobes";
	return {};
}

std::string
not_loaded(int error, const std::string &locked)
{
	std::string text = std::string("fentry programs are refused (") +
	    std::strerror(error) + "), while those of tracepoints are not";
	if (error == EINVAL || error == ENOTSUP || error == enotsupp) {
		const std::string option = first_not_configured({
		    "CONFIG_FUNCTION_TRACER", "CONFIG_DYNAMIC_FTRACE",
		    "CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS"});
		return option.empty() ? text : "without " + option +
		    " it has no fentry";
	}
	if (error == EPERM)
		text += locked.empty() ? ": a security policy of this kernel" :
		    ": a policy of this kernel, which is locked down (" +
		    locked + ")";
	return text;
}

// "": it works, or nothing is known.
std::string
no_fentry(const std::string &function, const std::string &locked)
{
	int error = 0;
	trial_end end = try_fentry(function, error);
	// Every kernel with a network has this function.
	if (end == trial_end::no_btf)
		end = try_fentry("bpf_fentry_test1", error);
	switch (end) {
	case trial_end::attached:
	case trial_end::no_rights:
		return {};
	case trial_end::no_btf:
		return "without CONFIG_DEBUG_INFO_BTF it has no fentry";
	case trial_end::not_loaded:
		return not_loaded(error, locked);
	case trial_end::not_attached:
		break;
	}
	if (error == ENOTSUP || error == enotsupp)
		return "without CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS it has "
		    "no fentry";
	return std::string("fentry programs cannot be attached (") +
	    std::strerror(error) + ")";
}

// The system call of a function as __x64_sys_openat, ksys_read, vfs_read; or
// "".
std::string
system_call(std::string name)
{
	for (const std::string prefix : {"__x64_sys_", "__arm64_sys_",
	    "__riscv_sys_", "__se_sys_", "__do_sys_", "__sys_", "do_sys_",
	    "ksys_", "sys_", "vfs_", "do_"})
		if (name.starts_with(prefix)) {
			name.erase(0, prefix.size());
			break;
		}
	if (name == "openat2" && syscall_number("openat") >= 0)
		name = "openat";	// do_sys_openat2() serves both
	return syscall_number(name) < 0 ? std::string() : "syscall:" + name;
}

std::string
instead(const std::string &function)
{
	std::string list = system_call(function);
	const auto more = [&](const std::string &s) {
		if (!s.empty())
			list += (list.empty() ? "" : ", ") + s;
	};
	for (const auto &p : passed)
		if (function == p.function && (*p.tracepoint == '\0' ||
		    is_tracepoint(p.tracepoint)))
			more(p.event);
	if (list.empty() && is_tracepoint(function))
		more("t:" + function);
	if (list.empty()) {
		near_names near(function, true);
		offer_tracepoints(near);
		more(near.list("t:"));
	}
	return list.empty() ? "; tracepoints (t:), system calls (syscall:), "
	    "samples (cpu-clock) and offcpu need neither" :
	    "; what may do instead: " + list;
}

std::string
explain(const std::string &function)
{
	if (!is_kernel_function(function))
		return "the kernel has no function " + function + " that could "
		    "be traced (inlined where it is called, perhaps)" +
		    (syscall_number(function) < 0 ? std::string() :
		    "; the system call is syscall:" + function);
	const std::string locked = lockdown();
	const std::string kprobes = no_kprobes(locked);
	if (kprobes.empty())
		return {};
	const std::string fentry = no_fentry(function, locked);
	if (fentry.empty())
		return {};
	return "functions of this kernel cannot be traced: " + kprobes +
	    ", and " + fentry + instead(function);
}

} // namespace

// Every kernel with a network has this function.
bool
kernel_functions_can_be_traced()
{
	const std::string locked = lockdown();
	return no_kprobes(locked).empty() ||
	    no_fentry("bpf_fentry_test1", locked).empty();
}

std::string
why_no_kernel_functions(const std::string &function)
try {
	return explain(function);
} catch (const std::bad_alloc &) {
	return {};
} catch (const std::system_error &) {
	return {};
}

} // namespace stack9::events
