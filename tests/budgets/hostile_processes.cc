// Runs the files of a machine that is full of hostile ones, each where a
// process of its own has it mapped, and code and stacks that are of no file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "hostile_machine.h"

#ifdef __x86_64__

#include <alloca.h>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mounts.h"

namespace {

constexpr int maps = 8;		// perf maps

[[noreturn]] void
run_code(void *there)
{
	reinterpret_cast<void (*)()>(there)();
	_exit(1);
}

// Runs the code of a file, where it is mapped.
void
run_file(const std::string &name)
{
	std::ifstream in(name, std::ios::binary);
	std::string begin(64 * KiB, '\0');
	in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
	const std::size_t where = begin.find(waiting_code);
	const int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
	const std::size_t page = where & ~std::size_t{4095};
	char *const p = static_cast<char *>(mmap(nullptr, 8192,
	    PROT_READ | PROT_EXEC, MAP_PRIVATE, fd,
	    static_cast<off_t>(page)));
	if (where == begin.npos || p == MAP_FAILED)
		_exit(1);
	run_code(p + (where - page));
}

// A /tmp of the process's own.
void
mount_tmp()
{
	if (!own_mounts() || mount("none", "/tmp", "tmpfs", 0, nullptr) != 0)
		_exit(1);
}

// Maps a file again and again whose path has 250 bytes or, if it is hostile,
// 250 KB.
void
run_mapped(bool hostile)
{
	mount_tmp();
	if (chdir("/tmp") != 0)
		_exit(1);
	const std::string name(250, 'd');
	for (int i = 0; i < (hostile ? 1000 : 1); i++)
		if (mkdir(name.c_str(), 0700) != 0 || chdir(name.c_str()) != 0)
			_exit(1);
	const int fd = open("file", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	for (int i = 0; i < 1000; i++)
		if (mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, fd, 0) ==
		    MAP_FAILED)
			_exit(1);
	for (;;)
		pause();
}

// Runs code of no file.  Its map is in a /tmp of the process's own.
void
run_made(bool hostile)
{
	mount_tmp();
	if (hostile) {
		const std::string map = "/tmp/perf-" +
		    std::to_string(getpid()) + ".map";
		std::ofstream(map) << "1000 10 x\n";
		if (truncate(map.c_str(), 256 * MiB) != 0)
			_exit(1);
	}
	void *const p = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	std::memcpy(p, waiting_code.data(), waiting_code.size());
	run_code(p);
}

[[gnu::noinline]] void
go_down(int left)
{
	volatile char *const here =
	    static_cast<volatile char *>(alloca(256 * KiB));
	here[0] = 1;
	left > 0 ? go_down(left - 1) : static_cast<void>(pause());
	here[1] = 1;
}

void
run_deep(bool hostile)
{
	pthread_attr_t how;
	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, 300 * MiB);
	pthread_t t;
	const auto body = [](void *deep) -> void * {
		go_down(deep != nullptr ? 1000 : 1);
		return nullptr;
	};
	pthread_create(&t, &how, body, hostile ? &how : nullptr);
	pause();
}

// Debug information in a .dwo file.
void
run_split(const std::string &program)
{
	execl(program.c_str(), program.c_str(), nullptr);
	_exit(1);
}

// Waits until so many threads of the process wait for a signal.
bool
are_waiting(pid_t pid, std::size_t threads)
{
	const std::filesystem::path tasks =
	    "/proc/" + std::to_string(pid) + "/task";
	for (int tries = 0; tries < 20000; tries++) {
		std::size_t waiting = 0;
		for (const auto &t :
		    std::filesystem::directory_iterator(tasks)) {
			std::ifstream in(t.path() / "syscall");
			int call = -1;
			waiting += in >> call && call == 34;
		}
		if (waiting == threads)
			return true;
		usleep(1000);
	}
	return false;
}

} // namespace

pid_t
start(const std::function<void()> &body)
{
	const pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		body();
		_exit(1);
	}
	return pid;
}

bool
start_machine(bool hostile, std::size_t files)
{
	std::vector<pid_t> all;
	for (std::size_t i = 0; i < files; i++)
		all.push_back(start([=] {
			run_file((hostile ? "hostile" : "honest") +
			    std::to_string(i));
		}));
	for (int i = 0; i < maps; i++)
		all.push_back(start([=] { run_made(hostile); }));
	all.push_back(start([=] { run_split(hostile ? "./split" :
	    "./whole"); }));
	all.push_back(start([=] { run_mapped(hostile); }));
	const pid_t deep = start([=] { run_deep(hostile); });
	for (const pid_t pid : all)
		if (!are_waiting(pid, 1))
			return false;
	return are_waiting(deep, 2);
}

#endif // __x86_64__
