// Asks the machine itself what it has.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "require.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mounts.h"

namespace {

// Loads a program that reads the kernel's memory.  The kernel refuses it to
// whoever may not trace, and to everybody in confidential lockdown: the
// cheapest true answer.
std::string
bpf_missing()
{
	const bpf_insn insns[] = {
		{BPF_ALU64 | BPF_MOV | BPF_X, 1, 10, 0, 0},
		{BPF_ALU64 | BPF_ADD | BPF_K, 1, 0, 0, -8},
		{BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 8},
		{BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0},
		{BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_probe_read_kernel},
		{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0},
		{BPF_JMP | BPF_EXIT, 0, 0, 0, 0},
	};
	bpf_attr attr{};
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = reinterpret_cast<std::uintptr_t>(insns);
	attr.insn_cnt = std::size(insns);
	attr.license = reinterpret_cast<std::uintptr_t>("GPL");
	if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
		return "no /sys/kernel/btf/vmlinux: is /sys mounted?";
	const long fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr);
	if (fd < 0)
		return std::string("bpf(2): ") + std::strerror(errno);
	close(static_cast<int>(fd));
	return {};
}

std::string
ptrace_missing()
{
	const pid_t pid = fork();
	if (pid == 0)
		for (;;)
			pause();
	const long error = ptrace(PTRACE_SEIZE, pid, 0, 0) ? errno : 0;
	kill(pid, SIGKILL);
	waitpid(pid, nullptr, 0);
	return error == 0 ? std::string() :
	    std::string("ptrace(2): ") + std::strerror(static_cast<int>(error));
}

std::string
lasting_locks()
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	return "a sanitizer's malloc(3) keeps its locks in a child";
#else
	return {};
#endif
}

std::string
terminal_missing()
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (master < 0)
		return std::string("posix_openpt(3): ") + std::strerror(errno);
	const bool other_end = unlockpt(master) == 0 &&
	    ptsname(master) != nullptr && access(ptsname(master), R_OK) == 0;
	close(master);
	return other_end ? "" : "/dev/pts is not mounted";
}

std::string
mounts_missing()
{
	const pid_t pid = fork();
	if (pid == 0)
		_exit(own_mounts() ? 0 : errno);
	int status = 0;
	waitpid(pid, &status, 0);
	switch (WEXITSTATUS(status)) {
	case 0:
		return {};
	case EINVAL:
		return "/ is not a mount point here";
	default:
		return std::string("a mount namespace: ") +
		    std::strerror(WEXITSTATUS(status));
	}
}

bool
has_effective(int capability)
{
	__user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
	__user_cap_data_struct all[_LINUX_CAPABILITY_U32S_3]{};
	return syscall(SYS_capget, &head, all) == 0 &&
	    (all[CAP_TO_INDEX(capability)].effective &
	    CAP_TO_MASK(capability)) != 0;
}

// A container's root may be root of few users only, or have few capabilities.
std::string
root_missing()
{
	if (geteuid() != 0)
		return "not root";
	unsigned long inside = 0, outside = 0, users = ~0U;
	std::ifstream("/proc/self/uid_map") >> inside >> outside >> users;
	if (outside != 0 || users != ~0U)
		return "root of a user namespace";
	for (const int capability : {CAP_SETUID, CAP_SYS_ADMIN})
		if (!has_effective(capability))
			return "root without capability " +
			    std::to_string(capability);
	return "";
}

// A 32-bit program that calls exit(0).
struct ia32_program {
	Elf32_Ehdr	header{};
	Elf32_Phdr	segment{};
	unsigned char	code[8] = {0x31, 0xdb, 0x31, 0xc0, 0x40, 0xcd, 0x80};

	ia32_program()
	{
		constexpr Elf32_Addr at = 0x8048000;
		std::memcpy(header.e_ident, ELFMAG, SELFMAG);
		header.e_ident[EI_CLASS] = ELFCLASS32;
		header.e_ident[EI_DATA] = ELFDATA2LSB;
		header.e_ident[EI_VERSION] = EV_CURRENT;
		header.e_type = ET_EXEC;
		header.e_machine = EM_386;
		header.e_version = EV_CURRENT;
		header.e_entry = at + offsetof(ia32_program, code);
		header.e_phoff = offsetof(ia32_program, segment);
		header.e_ehsize = sizeof header;
		header.e_phentsize = sizeof segment;
		header.e_phnum = 1;
		segment.p_type = PT_LOAD;
		segment.p_vaddr = segment.p_paddr = at;
		segment.p_filesz = segment.p_memsz = sizeof *this;
		segment.p_flags = PF_R | PF_X;
		segment.p_align = 4096;
	}
};

bool
required(const std::string &what)
{
	const char *list = std::getenv("STACK9_REQUIRE");
	return list != nullptr &&
	    ("," + std::string(list) + ",").find("," + what + ",") !=
	    std::string::npos;
}

} // namespace

std::string
lack_of(const std::string &what)
{
	if (what == "mounts")
		return mounts_missing();
	if (what == "bpf")
		return bpf_missing();
	if (what == "ptrace")
		return ptrace_missing();
	if (what == "malloc(3) after fork(2)")
		return lasting_locks();
	if (what == "terminal")
		return terminal_missing();
	if (what == "tmux")
		return access("/usr/bin/tmux", X_OK) == 0 ? "" :
		    "no /usr/bin/tmux";
	if (what == "ia32")
		return runs_ia32() ? "" : "the kernel runs no 32-bit programs";
	if (what == "root")
		return root_missing();
	return "no such requirement: " + what;
}

bool
runs_ia32()
{
	const ia32_program program;
	const int fd = memfd_create("ia32", MFD_CLOEXEC);
	bool runs = write(fd, &program, sizeof program) == sizeof program;
	const pid_t pid = fork();
	if (pid == 0) {
		char *const none[] = {nullptr};
		fexecve(fd, none, none);
		_exit(1);
	}
	int status = 1;
	runs = waitpid(pid, &status, 0) == pid && status == 0 && runs;
	close(fd);
	return runs;
}

bool
is_real_time()
{
	struct utsname u;
	return uname(&u) == 0 &&
	    std::strstr(u.version, "PREEMPT_RT") != nullptr;
}

std::string
no_walks_in_interrupts()
{
	return is_real_time() ? "a real-time kernel does not tell with "
	    "interrupts disabled what is mapped" : "";
}

bool
long_run()
{
	const char *const wish = std::getenv("STACK9_LONG");
	return wish != nullptr && wish[0] != '\0' &&
	    std::strcmp(wish, "0") != 0;
}

bool
in_guest()
{
	return std::getenv("STACK9_KERNEL") != nullptr;
}

boost::unit_test::decorator::precondition
needs(const char *what, std::function<std::string()> lack)
{
	return boost::unit_test::decorator::precondition(
	    [name = std::string(what), lack = std::move(lack)]
	    (boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    const std::string reason = lack();
		    if (reason.empty() || required(name))
			    return true;
		    std::fprintf(stderr, "skipped: %s: needs %s: %s\n",
			boost::unit_test::framework::get(id,
			    boost::unit_test::TUT_ANY).p_name->c_str(),
			name.c_str(), reason.c_str());
		    boost::test_tools::assertion_result no(false);
		    no.message() << "needs " << name << ": " << reason;
		    return no;
	    });
}

boost::unit_test::decorator::precondition
needs(const char *what)
{
	return needs(what, [name = std::string(what)] {
		return lack_of(name);
	});
}
