// Makes system calls in the place of a stopped process.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "inside.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "lender.h"

#ifdef __x86_64__

namespace {

namespace fs = std::filesystem;
using registers = user_regs_struct;

// Less is looked at to see what a file is; headers have 64 bytes.
constexpr unsigned long few = 16;

std::string
status_of(pid_t pid, const std::string &key)
{
	std::ifstream in(fmt::format("/proc/{}/status", pid));
	for (std::string line; std::getline(in, line);)
		if (line.starts_with(key + ":\t"))
			return line.substr(key.size() + 2);
	return "";
}

std::string
link_of(pid_t pid, unsigned long fd)
{
	std::error_code error;
	return fs::read_symlink(fmt::format("/proc/{}/fd/{}", pid, fd), error);
}

// A process stopped at the end of a system call.
class inside {
public:
	explicit inside(pid_t pid) : pid_(pid)
	{
		ptrace(PTRACE_GETREGS, pid, nullptr, &before_);
	}
	~inside() { ptrace(PTRACE_SETREGS, pid_, nullptr, &before_); }
	inside(const inside &) = delete;
	inside &operator=(const inside &) = delete;

	// Some memory that the process does not need: below its red zone.
	unsigned long
	put(const void *bytes, std::size_t size)
	{
		const unsigned long to = (before_.rsp - 65536) & ~15ul;
		const iovec from{const_cast<void *>(bytes), size};
		const iovec there{reinterpret_cast<void *>(to), size};
		BOOST_REQUIRE(process_vm_writev(pid_, &from, 1, &there, 1, 0) ==
		    static_cast<ssize_t>(size));
		return to;
	}
	// The result, or -errno.  Gone processes give -ESRCH.
	long
	call(long number, std::vector<unsigned long> arguments)
	{
		registers r = before_;
		arguments.resize(6);
		r.rip -= 2;		// the instruction syscall
		r.rax = static_cast<unsigned long>(number);
		r.rdi = arguments[0];
		r.rsi = arguments[1];
		r.rdx = arguments[2];
		r.r10 = arguments[3];
		r.r8 = arguments[4];
		r.r9 = arguments[5];
		ptrace(PTRACE_SETREGS, pid_, nullptr, &r);
		go_on();
		go_on();
		ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
		// A call that a filter traps returns its number, and the
		// handler of SIGSYS gives it another result.
		if (number == SYS_openat && r.rax == SYS_openat)
			for (bool last = false; !last && is_there_;) {
				go_on();
				ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
				last = r.orig_rax == SYS_rt_sigreturn;
				if (last)
					go_on();
				ptrace(PTRACE_GETREGS, pid_, nullptr, &r);
			}
		return is_there_ ? static_cast<long>(r.rax) : -ESRCH;
	}

private:
	// To the next begin or end of a system call; signals are delivered.
	void
	go_on()
	{
		int status = 0;
		for (long signal = 0; is_there_; signal = WSTOPSIG(status)) {
			ptrace(PTRACE_SYSCALL, pid_, nullptr, signal);
			is_there_ = waitpid(pid_, &status, __WALL) == pid_ &&
			    WIFSTOPPED(status);
			if (is_there_ && WSTOPSIG(status) == (SIGTRAP | 0x80))
				return;
		}
	}

	bool		is_there_ = true;
	const pid_t	pid_;
	registers	before_{};
};

// Anything but a file, the socket, and /dev/null.
bool
is_right(const std::string &where)
{
	return (!where.starts_with('/') && !where.starts_with("socket:")) ||
	    where.starts_with("/proc/") || where.starts_with("/sys/") ||
	    (where.starts_with("/dev/") && where != "/dev/null");
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

found_inside
look(pid_t pid, pid_t other)
{
	found_inside found;
	found.pid = pid;
	found.capabilities = status_of(pid, "CapPrm") + " " +
	    status_of(pid, "CapEff");
	found.seccomp = status_of(pid, "Seccomp");
	found.users = status_of(pid, "Uid");
	inside in(pid);
	for (const auto &entry : fs::directory_iterator(
	    fmt::format("/proc/{}/fd", pid))) {
		const auto fd = static_cast<unsigned int>(
		    std::stoul(entry.path().filename()));
		found.descriptors.push_back(link_of(pid, fd));
		try_descriptor(in, fd, found.could);
		if (is_right(found.descriptors.back()))
			found.could.push_back("hold " +
			    found.descriptors.back());
	}
	try_others(in, other, found.seccomp == "2", found.could);
	return found;
}

bool
reads(pid_t pid, const std::string &marked)
{
	registers r;
	if (ptrace(PTRACE_GETREGS, pid, nullptr, &r) != 0)
		return false;
	const bool read = (r.orig_rax == SYS_pread64 ||
	    r.orig_rax == SYS_read) && r.rdx > few;
	const bool mapped = r.orig_rax == SYS_mmap &&
	    static_cast<long>(r.r8) >= 0;
	return (read && link_of(pid, r.rdi) == marked) ||
	    (mapped && link_of(pid, r.r8) == marked);
}

[[noreturn]] void
become(const std::vector<std::string> &command, uid_t uid, int out)
{
	std::vector<char *> argv;
	for (const std::string &word : command)
		argv.push_back(const_cast<char *>(word.c_str()));
	argv.push_back(nullptr);
	const int nothing = open("/dev/null", O_RDWR);
	dup2(out, 1);
	dup2(nothing, 2);
	if (uid != 0)
		become_nobody();
	raise(SIGSTOP);
	execv(argv[0], argv.data());
	_exit(127);
}

} // namespace

told_inside
run_inside(const std::vector<std::string> &command, const std::string &marked,
    pid_t other, uid_t uid, fate of_reader)
{
	told_inside told;
	const int out = memfd_create("out", MFD_CLOEXEC);
	const pid_t first = fork();
	BOOST_REQUIRE(first >= 0);
	if (first == 0)
		become(command, uid, out);
	int status;
	BOOST_REQUIRE(waitpid(first, &status, WUNTRACED) == first);
	BOOST_REQUIRE(ptrace(PTRACE_SEIZE, first, nullptr,
	    PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEEXEC |
	    PTRACE_O_EXITKILL) == 0);
	kill(first, SIGCONT);
	std::set<pid_t> all{first}, seen;
	std::map<pid_t, bool> in_call;	// between its two stops
	while (!all.empty()) {
		pid_t pid = 0;
		// One that is not ours may be a child of another test's.
		for (const pid_t each : all)
			if (pid_t got = waitpid(each, &status, __WALL |
			    WNOHANG); got == each) {
				pid = each;
				break;
			}
		if (pid == 0) {
			usleep(50);
			continue;
		}
		if (!WIFSTOPPED(status)) {
			if (pid == first)
				told.status = WIFEXITED(status) ?
				    WEXITSTATUS(status) :
				    128 + WTERMSIG(status);
			all.erase(pid);
			continue;
		}
		const int signal = WSTOPSIG(status);
		const int event = status >> 16;
		long deliver = 0;
		if (event == PTRACE_EVENT_FORK) {
			unsigned long child;
			ptrace(PTRACE_GETEVENTMSG, pid, nullptr, &child);
			all.insert(static_cast<pid_t>(child));
		} else if (signal == (SIGTRAP | 0x80)) {
			bool &inside_call = in_call[pid];
			inside_call = !inside_call;
			if (!inside_call && !seen.contains(pid) &&
			    reads(pid, marked)) {
				seen.insert(pid);
				if (of_reader == fate::crashes)
					kill(pid, SIGKILL);
				if (of_reader != fate::becomes_ours)
					continue;
				told.readers.push_back(look(pid, other));
			}
		} else if (event == 0) {
			deliver = signal == SIGSTOP || signal == SIGCONT ||
			    signal == SIGTRAP ? 0 : signal;
		}
		ptrace(PTRACE_SYSCALL, pid, nullptr, deliver);
	}
	told.out.resize(static_cast<std::size_t>(lseek(out, 0, SEEK_END)));
	BOOST_REQUIRE(pread(out, told.out.data(), told.out.size(), 0) ==
	    static_cast<ssize_t>(told.out.size()));
	close(out);
	return told;
}

#else

told_inside
run_inside(const std::vector<std::string> &, const std::string &, pid_t, uid_t,
    fate)
{
	return {};
}

#endif
