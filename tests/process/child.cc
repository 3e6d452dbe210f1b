// Starts programs for tests, and waits until they are where they should be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "child.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "lib/text.h"
#include "os/stat_line.h"

child::child(std::vector<std::string> args, std::function<bool()> before)
{
	const lib::pipe_ends in = lib::make_pipe(), out = lib::make_pipe();
	pid_ = fork();
	if (pid_ == 0)
		lib::become(args, in.r, out.w, -1, before);
	close(in.r);
	close(out.w);
	in_ = in.w;
	out_ = out.r;
}

child::~child()
{
	kill_and_reap();
	close(in_);
	close(out_);
}

void
child::kill_and_reap()
{
	lib::kill_and_reap(pid_);
}

stack9_thread
child::thread_of(pid_t tid) const
{
	stack9::thread_stat stat{};
	stack9::parse_stat(lib::contents("/proc/" + std::to_string(tid) +
	    "/stat"), stat);
	return {tid, pid_, stat.start};
}

pid_t
child::other_tid() const
{
	namespace fs = std::filesystem;
	for (const auto &e : fs::directory_iterator("/proc/" +
	    std::to_string(pid_) + "/task"))
		if (const pid_t tid = std::stoi(e.path().filename());
		    tid != pid_)
			return tid;
	return 0;
}

bool
child::said(const std::string &line)
{
	std::string got;
	char byte;
	while (got != line + "\n") {
		if (read(out_, &byte, 1) != 1)
			return false;
		got += byte;
		if (byte == '\n' && got != line + "\n")
			got.clear();
	}
	return true;
}

bool
child::says(const std::string &line)
{
	return said(line) && waits(pid_);
}

// In read(2) (system call 0, or 63 on aarch64) of descriptor 0.
bool
child::waits(pid_t tid) const
{
	const std::string path = "/proc/" + std::to_string(tid) + "/syscall";
	for (;; sched_yield()) {
		const std::string now = lib::contents(path);
		if (now.starts_with("0 0x0 ") || now.starts_with("63 0x0 "))
			return true;
		if (now.empty() && !std::filesystem::exists(path))
			return false;
	}
}

void
child::give_byte()
{
	const char byte = 0;
	if (write(in_, &byte, 1) != 1)
		abort();
}

std::string
program(const std::string &name)
{
	return std::string(STACK9_PROCESS_PROGRAMS) + "/" + name;
}
