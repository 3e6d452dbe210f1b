// Changes the rights and the surroundings of the calling process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "settings.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "require.h"

namespace {

constexpr unsigned int nobody = 65534;

void
must(bool worked, const char *what)
{
	if (worked)
		return;
	std::fprintf(stderr, "%s: %s\n", what, std::strerror(errno));
	_exit(90);
}

// Keeps those and no others.  execve(2) keeps them, too.
void
keep(std::initializer_list<int> capabilities)
{
	__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
	__user_cap_data_struct data[2]{};
	for (const int c : capabilities) {
		__user_cap_data_struct &half = data[c / 32];
		half.permitted |= 1u << (c % 32);
		half.effective = half.inheritable = half.permitted;
	}
	must(syscall(SYS_capset, &head, data) == 0, "capset");
	for (const int c : capabilities)
		must(prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, c, 0, 0) == 0,
		    "PR_CAP_AMBIENT_RAISE");
}

void
put(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	must(fd >= 0 && write(fd, text, std::strlen(text)) > 0, path);
	close(fd);
}

void
own_mounts()
{
	must(unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC |
	    MS_PRIVATE, nullptr) == 0, "a mount namespace");
}

} // namespace

namespace become {

void
user(std::initializer_list<int> capabilities)
{
	prctl(PR_SET_KEEPCAPS, 1);
	must(setgroups(0, nullptr) == 0 && setgid(nobody) == 0 &&
	    setuid(nobody) == 0, "setuid");
	keep(capabilities);
	// setuid(2) takes that away, as from a program that was root.
	prctl(PR_SET_DUMPABLE, 1);
}

void
root_without_capabilities()
{
	// Otherwise execve(2) would give them to uid 0 again.
	constexpr unsigned long no_root = 1, locked = 2;
	must(prctl(PR_SET_SECUREBITS, no_root | locked) == 0, "securebits");
	keep({});
	prctl(PR_SET_DUMPABLE, 1);
}

void
root_of_a_user_namespace()
{
	user();
	must(unshare(CLONE_NEWUSER) == 0, "a user namespace");
	put("/proc/self/setgroups", "deny");
	put("/proc/self/uid_map", "0 65534 1");
	put("/proc/self/gid_map", "0 65534 1");
	prctl(PR_SET_DUMPABLE, 1);
}

std::string
no_user_namespace()
{
	const pid_t pid = fork();
	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER) == 0 ? 0 : errno);
	int status = 0;
	waitpid(pid, &status, 0);
	return status == 0 ? "" : std::string("unshare(CLONE_NEWUSER): ") +
	    std::strerror(WEXITSTATUS(status));
}

// needs("mounts") asks the same.
std::string
no_own_mounts()
{
	return lack_of("mounts");
}

std::string
no_names_in_own_mounts()
{
	if (std::string why = no_own_mounts(); !why.empty())
		return why;
	const pid_t pid = fork();
	if (pid == 0) {
		const auto program = [] {
			std::string name(4096, '\0');
			name.resize(static_cast<std::size_t>(std::max<ssize_t>(
			    readlink("/proc/self/exe", name.data(),
			    name.size()), 0)));
			return name;
		};
		const std::string name = program();
		own_mounts();
		_exit(name == program() ? 0 : 1);
	}
	int status = 0;
	waitpid(pid, &status, 0);
	return status == 0 ? "" : "this root directory is no root of a mount "
	    "namespace: mapped files have no names in another one";
}

void
without_call(long nr, int error)
{
	sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<unsigned int>(nr), 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO |
		    static_cast<unsigned int>(error)),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const sock_fprog program{4, code};
	must(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0,
	    "seccomp");
}

void
with_proc(const char *option)
{
	own_mounts();
	must(mount("proc", "/proc", "proc", 0, option) == 0, "/proc");
}

void
without_files(const char *path)
{
	own_mounts();
	must(mount("none", path, "tmpfs", 0, "mode=755") == 0, path);
}

} // namespace become
