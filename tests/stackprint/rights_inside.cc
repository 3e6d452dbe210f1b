// Tries what a stopped process could do, were it taken over.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rights_inside.h"

#ifdef __x86_64__

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fmt/format.h>

#include "in_place_of.h"
#include "lib/text.h"

using lib::status_value;

namespace {

namespace fs = std::filesystem;

// Anything but a file, the socket, and /dev/null.
bool
is_right(const std::string &where)
{
	return (!where.starts_with('/') && !where.starts_with("socket:")) ||
	    where.starts_with("/proc/") || where.starts_with("/sys/") ||
	    (where.starts_with("/dev/") && where != "/dev/null");
}

// The descriptor is of a process's memory, and opened to read.
bool
is_memory_to_read(pid_t pid, unsigned int fd, const std::string &where)
{
	std::ifstream about(fmt::format("/proc/{}/fdinfo/{}", pid, fd));
	unsigned int flags = O_ACCMODE;
	for (std::string word; about >> word;)
		if (word == "flags:")
			about >> std::oct >> flags;
	return where.starts_with("/proc/") && (where.ends_with("/mem") ||
	    where.ends_with("/pagemap")) && (flags & O_ACCMODE) == O_RDONLY;
}

void
try_descriptor(inside &in, unsigned int fd, std::vector<std::string> &could)
{
	bpf_attr run{};
	run.test.prog_fd = fd;
	char info[256]{};
	bpf_attr about{};
	about.info.bpf_fd = fd;
	about.info.info_len = sizeof info;
	const std::uint32_t first = 0;
	struct {
		bpf_attr	attr{};
		std::uint32_t	key;
		char		value[1 << 15];
	} look{};
	look.key = first;
	const auto tell = [&](long result, const char *what) {
		// Only a descriptor of the right kind gives such an error.
		if (result != -EPERM && result != -EBADF && result != -EINVAL)
			could.push_back(fmt::format("{} {}: {}", what, fd,
			    result));
	};
	tell(in.call(SYS_bpf, {BPF_PROG_TEST_RUN, in.put(&run, sizeof run),
	    sizeof run}), "BPF_PROG_TEST_RUN");
	about.info.info = in.put(&about, sizeof about) + sizeof about;
	tell(in.call(SYS_bpf, {BPF_OBJ_GET_INFO_BY_FD,
	    in.put(&about, sizeof about), sizeof about}), "BPF_OBJ_GET_INFO");
	look.attr.map_fd = fd;
	const unsigned long at = in.put(&look, sizeof look);
	look.attr.key = at + offsetof(decltype(look), key);
	look.attr.value = at + offsetof(decltype(look), value);
	in.put(&look, sizeof look);
	tell(in.call(SYS_bpf, {BPF_MAP_LOOKUP_ELEM, at, sizeof look.attr}),
	    "BPF_MAP_LOOKUP_ELEM");
}

void
try_others(inside &in, pid_t other, bool confined,
    std::vector<std::string> &could)
{
	const auto name = [](long number) {
		return fmt::format("system call {}", number);
	};
	const auto with = static_cast<unsigned long>(other);
	const auto tell = [&](long result, long number) {
		if (result >= 0)
			could.push_back(name(number));
	};
	bpf_attr map{};
	map.map_type = BPF_MAP_TYPE_ARRAY;
	map.key_size = map.value_size = 4;
	map.max_entries = 1;
	tell(in.call(SYS_bpf, {BPF_MAP_CREATE, in.put(&map, sizeof map),
	    sizeof map}), SYS_bpf);
	perf_event_attr event{};
	event.size = sizeof event;
	event.type = PERF_TYPE_SOFTWARE;
	event.config = PERF_COUNT_SW_CPU_CLOCK;
	tell(in.call(SYS_perf_event_open, {in.put(&event, sizeof event), with,
	    ~0ul, ~0ul, 0}), SYS_perf_event_open);
	tell(in.call(SYS_ptrace, {PTRACE_SEIZE, with, 0, 0}), SYS_ptrace);
	tell(in.call(SYS_kill, {with, 0}), SYS_kill);
	tell(in.call(SYS_pidfd_open, {with, 0}), SYS_pidfd_open);
	tell(in.call(SYS_socket, {AF_UNIX, SOCK_STREAM, 0}), SYS_socket);
	tell(in.call(SYS_setresuid, {0, 0, 0}), SYS_setresuid);
	// A copy of a process that may do it would go on by itself.
	if (confined)
		tell(in.call(SYS_clone, {SIGCHLD, 0, 0, 0, 0}), SYS_clone);
	tell(in.call(SYS_dup, {0}), SYS_dup);
	struct {
		iovec	local, remote;
		char	to[16];
	} copy{};
	const unsigned long at = in.put(&copy, sizeof copy);
	copy.local = {reinterpret_cast<void *>(at +
	    offsetof(decltype(copy), to)), 16};
	copy.remote = {const_cast<unsigned long *>(&few), 16};
	in.put(&copy, sizeof copy);
	tell(in.call(SYS_process_vm_readv, {with, at, 1, at + sizeof(iovec), 1,
	    0}), SYS_process_vm_readv);
	for (const std::string &path : {std::string("/etc/passwd"),
	    fmt::format("/proc/{}/mem", other), std::string("/proc/1/mem"),
	    std::string("/proc/self/mem"), std::string("/proc/kallsyms")}) {
		const unsigned long there = in.put(path.c_str(),
		    path.size() + 1);
		const long fd = in.call(SYS_openat, {static_cast<unsigned long>(
		    AT_FDCWD), there, O_RDONLY, 0});
		if (fd >= 0)
			could.push_back("open " + path);
	}
	const char shell[] = "/bin/true";
	tell(in.call(SYS_chmod, {in.put(shell, sizeof shell), 0755}),
	    SYS_chmod);
}

} // namespace

std::string
link_of(pid_t pid, unsigned long fd)
{
	std::error_code error;
	return fs::read_symlink(fmt::format("/proc/{}/fd/{}", pid, fd), error);
}

found_inside
look(pid_t pid, pid_t other)
{
	found_inside found;
	found.pid = pid;
	found.capabilities = status_value(pid, "CapPrm") + " " +
	    status_value(pid, "CapEff");
	found.seccomp = status_value(pid, "Seccomp");
	found.users = status_value(pid, "Uid");
	inside in(pid);
	for (const auto &entry : fs::directory_iterator(
	    fmt::format("/proc/{}/fd", pid))) {
		const auto fd = static_cast<unsigned int>(
		    std::stoul(entry.path().filename()));
		found.descriptors.push_back(link_of(pid, fd));
		try_descriptor(in, fd, found.could);
		const std::string &where = found.descriptors.back();
		if (is_memory_to_read(pid, fd, where))
			found.memory.insert(where.substr(0, where.rfind('/')));
		else if (is_right(where))
			found.could.push_back("hold " + where);
	}
	try_others(in, other, found.seccomp == "2", found.could);
	return found;
}

#endif
