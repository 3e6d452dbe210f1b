// Gets the kernel's own answer to "may this caller trace that thread?".  A read
// of /proc/TID/syscall asks ptrace_may_access(PTRACE_MODE_ATTACH_FSCREDS).
// That asks Yama and the other security modules, at every read and with the
// rights of the reader.  So the file is read with no capability in effect and
// with the real ids.  Rejected: writing the rule again here, because it has
// changed in the kernel more than once; the files that only ask for
// PTRACE_MODE_READ (maps and others beside stack), because they do not ask
// Yama.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rights.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>
#include <stack9.h>

#include "proc.h"

namespace tools {
namespace {

constexpr auto no_id = static_cast<uid_t>(-1);	// keeps the id and returns it

bool
set_file_ids(uid_t uid, gid_t gid)
{
	setfsgid(gid);
	setfsuid(uid);
	return static_cast<uid_t>(setfsuid(no_id)) == uid &&
	    static_cast<gid_t>(setfsgid(no_id)) == gid;
}

// Gives the error that a failed open or read of a file in /proc/TID stands for.
int
meaning(int error)
{
	return error == ESRCH || error == ENOENT ? ESRCH : EPERM;
}

} // namespace

bool
borrowed_rights()
{
	return getauxval(AT_SECURE) != 0 && getuid() != 0;
}

as_caller::as_caller() : before_(cap_get_proc())
{
	const cap_t none = before_ ? cap_dup(before_) : nullptr;
	down_ = none != nullptr && cap_clear_flag(none, CAP_EFFECTIVE) == 0 &&
	    cap_set_proc(none) == 0 && set_file_ids(getuid(), getgid());
	cap_free(none);
}

// The ids are restored first: a return to uid 0 raises capabilities by itself.
as_caller::~as_caller()
{
	if (before_ == nullptr)
		return;
	// A program without its rights can only refuse, and that is safe.
	set_file_ids(geteuid(), getegid());
	cap_set_proc(before_);
	cap_free(before_);
}

bool
give_up_rights()
{
	const uid_t uid = getuid();
	const gid_t gid = getgid();
	// The group is changed first: only root may change it.
	if (setresgid(gid, gid, gid) != 0 || setresuid(uid, uid, uid) != 0)
		return false;
	const cap_t none = cap_init();
	const bool gone = none != nullptr && cap_set_proc(none) == 0;
	cap_free(none);
	return gone;
}

bool
read_files_apart(unsigned int flags)
{
	return stack9_read_apart(flags) == 0;
}

// The directory stands for this thread.  Once the thread is gone, every file in
// it gives ESRCH, even if the tid is in use again.
gate::gate(pid_t tid)
{
	const as_caller guard;
	if (!guard)
		return;
	dir_ = open(fmt::format("/proc/{}", tid).c_str(),
	    O_PATH | O_DIRECTORY | O_CLOEXEC);
	error_ = dir_ < 0 ? meaning(errno) : 0;
}

gate::~gate()
{
	if (dir_ >= 0)
		close(dir_);
}

int
gate::ask() const
{
	if (error_ != 0)
		return error_;
	const as_caller guard;
	if (!guard)
		return EPERM;
	char c;
	const int fd = openat(dir_, "syscall", O_RDONLY | O_CLOEXEC);
	const int error = fd < 0 || read(fd, &c, 1) < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (error == 0)
		return 0;
	// Either the kernel has no such file, or the thread is gone.
	struct stat st;
	if (error == ENOENT && fstatat(dir_, "stat", &st, 0) == 0)
		return EOPNOTSUPP;
	return meaning(error);
}

bool
caller_sees_addresses()
{
	const as_caller guard;
	if (!guard)
		return false;
	// Hidden addresses are printed as zeros.
	const std::string table = read_file("/proc/kallsyms");
	return table.find_first_not_of('0') < table.find(' ');
}

} // namespace tools
