// A program that installs the crash handler and crashes as its argument says.
//
//	crasher MODE [FLAGS]
//
// The report goes to standard output; standard error has a line for each step
// of the program itself.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cerrno>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stack9_crash.h>

namespace {

std::string plugin;
std::atomic<int> ready{0};
int never[2];
sigjmp_buf recovered;

void
say(const char *what)
{
	if (write(STDERR_FILENO, what, std::strlen(what)) < 0)
		_exit(9);
}

extern "C" [[gnu::noinline]] int
read_through(const volatile int *p)
{
	return *p + 1;
}

extern "C" [[gnu::noinline]] int
recurse(int n)
{
	volatile char space[512];
	space[0] = static_cast<char>(n);
	return recurse(n + 1) + space[0];
}

extern "C" [[gnu::noinline]] void *
sleep_in_read(void *)
{
	char c;
	ready++;
	const ssize_t n = read(never[0], &c, 1);
	return reinterpret_cast<void *>(n);
}

extern "C" [[gnu::noinline]] void *
spin(void *)
{
	ready++;
	for (volatile bool go = true; go;)
		;
	return nullptr;
}

void
block_all()
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

extern "C" [[gnu::noinline]] void *
spin_blocked(void *arg)
{
	block_all();
	spin(arg);
	return nullptr;
}

extern "C" [[gnu::noinline]] void *
sleep_blocked(void *arg)
{
	block_all();
	sleep_in_read(arg);
	return nullptr;
}

extern "C" [[gnu::noinline]] void *
crash_too(void *)
{
	ready++;
	while (ready < 100)
		;
	return reinterpret_cast<void *>(std::intptr_t{read_through(nullptr)});
}

extern "C" [[gnu::noinline]] void *
overflow(void *)
{
	stack9_crash_thread();
	return reinterpret_cast<void *>(std::intptr_t{recurse(0)});
}

void
start(void *(*f)(void *), const char *name)
{
	pthread_t t;
	const int before = ready;
	if (pthread_create(&t, nullptr, f, nullptr) != 0)
		_exit(9);
	pthread_setname_np(t, name);
	while (f != overflow && ready == before)
		;
}

// The allocator finds that its own data has been written over.
extern "C" [[gnu::noinline]] void
broken_heap()
{
	auto *const p = static_cast<volatile char *>(std::malloc(24));
	auto *const q = static_cast<volatile char *>(std::malloc(24));
	for (int i = 24; i < 48; i++)
		p[i] = 0x5a;
	std::free(const_cast<char *>(q));
	std::free(const_cast<char *>(p));
	void *volatile r = std::malloc(2000);
	std::free(r);
	say("the heap survived\n");
}

void
previous(int signo, siginfo_t *info, void *)
{
	stack_t now;
	sigset_t mask;
	sigaltstack(nullptr, &now);
	sigprocmask(SIG_SETMASK, nullptr, &mask);
	std::string text = "previous handler: " + std::to_string(signo) +
	    " address " + std::to_string(reinterpret_cast<std::uintptr_t>(
	    info->si_addr)) + ((now.ss_flags & SS_ONSTACK) != 0 ?
	    " alternate" : " own") + (sigismember(&mask, SIGUSR2) == 1 ?
	    " masked" : " unmasked") + "\n";
	say(text.c_str());
	siglongjmp(recovered, 1);
}

void
install_previous(int flags)
{
	struct sigaction sa{};
	sa.sa_sigaction = previous;
	sa.sa_flags = SA_SIGINFO | flags;
	sigemptyset(&sa.sa_mask);
	sigaddset(&sa.sa_mask, SIGUSR2);
	sigaction(SIGSEGV, &sa, nullptr);
}

void
crash_and_recover()
{
	if (sigsetjmp(recovered, 1) == 0)
		read_through(reinterpret_cast<int *>(0x10));
	say("recovered\n");
}

// Names of this module cannot be found without a fault.
void
break_names()
{
	void *const handle = dlopen(plugin.c_str(), RTLD_NOW);
	auto *const map = static_cast<link_map *>(handle);
	auto *const call = reinterpret_cast<void (*)(void (*)())>(
	    dlsym(handle, "call_back"));
	map->l_name = reinterpret_cast<char *>(8);
	call([] { read_through(nullptr); });
}

// A filter under which these system calls are not permitted.
void
forbid(std::initializer_list<int> calls)
{
	std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(seccomp_data, nr))};
	for (const int nr : calls) {
		code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
		    static_cast<unsigned int>(nr), 0, 1));
		code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO |
		    EPERM));
	}
	code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	const sock_fprog program{static_cast<unsigned short>(code.size()),
	    code.data()};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    SECCOMP_FILTER_FLAG_TSYNC, &program) != 0)
		_exit(9);
}

void
start_threads()
{
	start(sleep_in_read, "sleeper");
	start(spin, "runner");
	start(sleep_blocked, "deaf sleeper");
	start(spin_blocked, "deaf runner");
}

void
crash(const std::string &mode)
{
	if (mode == "null")
		read_through(nullptr);
	else if (mode == "overflow")
		recurse(0);
	else if (mode == "overflow-thread") {
		start(overflow, "deep");
		pause();
	} else if (mode == "heap")
		broken_heap();
	else if (mode == "abort")
		std::abort();
	else if (mode == "throw")
		throw 1;
	else if (mode == "loader")
		dlopen(plugin.c_str(), RTLD_NOW);
	else if (mode == "threads") {
		start_threads();
		read_through(nullptr);
	} else if (mode == "untraced") {
		start_threads();
		forbid({SYS_ptrace});
		read_through(nullptr);
	} else if (mode == "alone") {
		start_threads();
		forbid({SYS_clone, SYS_clone3});
		read_through(nullptr);
	} else if (mode == "names")
		break_names();
	else if (mode == "recover") {
		crash_and_recover();
		crash_and_recover();
	} else if (mode == "child") {
		if (const pid_t child = fork(); child == 0)
			read_through(nullptr);
		else {
			int status;
			waitpid(child, &status, 0);
			say(WIFSIGNALED(status) && WTERMSIG(status) ==
			    SIGSEGV ? "child: SIGSEGV\n" : "child: ?\n");
		}
	} else if (mode == "both") {
		start(crash_too, "second");
		ready = 100;
		read_through(nullptr);
	} else if (mode == "removed") {
		stack9_crash_remove();
		read_through(nullptr);
	} else if (mode == "jump") {
		void (*volatile nowhere)() = nullptr;
		nowhere();
	} else if (mode == "divide") {
		volatile int zero = 0;
		volatile int result = 1 / zero;
		static_cast<void>(result);
		raise(SIGFPE);	// where the CPU gives 0
	} else if (mode == "trap")
		__builtin_trap();
	else if (mode == "bus") {
		FILE *const empty = tmpfile();
		read_through(static_cast<int *>(mmap(nullptr, 4096, PROT_READ,
		    MAP_SHARED, fileno(empty), 0)));
	} else if (mode == "raise")
		kill(getpid(), SIGBUS);
	else if (mode == "ignored") {
		kill(getpid(), SIGSYS);
		say("went on\n");
	} else if (mode == "wait")
		for (;;)
			pause();
}

} // namespace

int
main(int argc, char **argv)
{
	if (argc < 2 || pipe(never) != 0)
		return 9;
	const std::string mode = argv[1];
	plugin = argc > 3 ? argv[3] : "";
	if (mode == "recover")
		install_previous(argc > 4 ? SA_ONSTACK : 0);
	if (mode == "ignored")
		signal(SIGSYS, SIG_IGN);
	const unsigned int flags = argc > 2 ?
	    static_cast<unsigned int>(std::atoi(argv[2])) : 0;
	if (stack9_crash_install(STDOUT_FILENO, flags) != 0)
		return 9;
	say("installed\n");
	crash(mode);
	return 0;
}
