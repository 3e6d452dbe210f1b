// Finds the native objects of kern.proc by name and by number.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/proc.h>

#include "sysctl_native.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

#include "os/task_facts.h"

namespace stack9 {
namespace {

enum argument { none, optional, wanted };

struct native_object {
	std::string_view	name;
	int			number;
	argument		takes;
	bool			has_threads;	// "_td" and the flag too
};
constexpr native_object objects[] = {
	{"all", KERN_PROC_ALL, optional, false},
	{"pid", KERN_PROC_PID, wanted, true},
	{"pgrp", KERN_PROC_PGRP, wanted, true},
	{"sid", KERN_PROC_SESSION, wanted, true},
	{"tty", KERN_PROC_TTY, wanted, true},
	{"uid", KERN_PROC_UID, wanted, true},
	{"ruid", KERN_PROC_RUID, wanted, true},
	{"args", KERN_PROC_ARGS, wanted, false},
	{"proc", KERN_PROC_PROC, optional, true},
	{"rgid", KERN_PROC_RGID, wanted, true},
	{"gid", KERN_PROC_GID, wanted, true},
	{"pathname", KERN_PROC_PATHNAME, wanted, false},
	{"kstack", KERN_PROC_KSTACK, wanted, false},
	{"env", KERN_PROC_ENV, wanted, false},
};

const native_object *
object_of(int number) noexcept
{
	for (const native_object &o : objects)
		if (o.number == number || (o.has_threads &&
		    o.number == (number & ~KERN_PROC_INC_THREAD)))
			return &o;
	return nullptr;
}

// -1 is the calling process, as in FreeBSD.
pid_t
process_of(int number) noexcept
{
	return number == -1 ? curthread->td_proc->p_pid : number;
}

int
answer_text(int (*read)(pid_t, std::string &), pid_t pid, bool string,
    struct sysctl_req &req)
{
	std::string text;
	const int error = read(pid, text);
	return error != 0 ? error :
	    SYSCTL_OUT(&req, text.c_str(), text.size() + string);
}

} // namespace

int
native_number(std::string_view name) noexcept
{
	const bool threads = name.ends_with("_td");
	if (threads)
		name.remove_suffix(3);
	for (const native_object &o : objects)
		if (o.name == name && (!threads || o.has_threads))
			return o.number | (threads ? KERN_PROC_INC_THREAD : 0);
	return -1;
}

bool
is_native(const int *name, unsigned int count) noexcept
{
	return count >= 3 && name[0] == CTL_KERN && name[1] == KERN_PROC &&
	    object_of(name[2]) != nullptr;
}

int
answer_native(const int *name, unsigned int count, struct sysctl_req &req)
{
	const native_object &o = *object_of(name[2]);
	if (req.newptr != nullptr)
		return EPERM;
	if (count > 4 || (o.takes == wanted && count != 4))
		return EINVAL;
	const int of = count == 4 ? name[3] : 0;
	switch (o.number) {
	case KERN_PROC_ARGS:
		return answer_text(read_arguments, process_of(of), false, req);
	case KERN_PROC_ENV:
		return answer_text(read_environment, process_of(of), false,
		    req);
	case KERN_PROC_PATHNAME:
		return answer_text(read_program_path, process_of(of), true,
		    req);
	case KERN_PROC_KSTACK:
		return answer_kstacks(of, req);
	default:
		return answer_processes(name[2], of, req);
	}
}

} // namespace stack9
