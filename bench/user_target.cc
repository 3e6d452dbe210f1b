// Starts and ends a user_victim.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_target.h"

#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "victim.h"

std::string
beside(const char *program)
{
	return std::filesystem::read_symlink("/proc/self/exe").parent_path() /
	    program;
}

user_target::user_target(unsigned threads, unsigned depth)
{
	fd_ = memfd_create("clock", 0);	// for those that are started
	if (fd_ < 0 || ftruncate(fd_, sizeof(clock_page)) != 0)
		return;
	page_ = map_clock_page(fd_);
	if (page_ == nullptr || !start(threads, depth))
		return;
	while (page_->ready.load() != threads || page_->clock_tid.load() == 0)
		if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
			pid_ = -1;
			return;
		} else
			sched_yield();
	for (const pid_t tid : sleepers())
		wait_for_state(tid, 'S');
}

bool
user_target::start(unsigned threads, unsigned depth)
{
	const std::string program = beside("user_victim");
	std::string words[] = {program, std::to_string(threads),
	    std::to_string(depth), std::to_string(fd_)};
	char *argv[] = {words[0].data(), words[1].data(), words[2].data(),
	    words[3].data(), nullptr};
	return posix_spawn(&pid_, program.c_str(), nullptr, nullptr, argv,
	    environ) == 0;
}

std::vector<pid_t>
user_target::sleepers() const
{
	std::vector<pid_t> tids;
	for (const auto &task : std::filesystem::directory_iterator(
	    fmt::format("/proc/{}/task", pid_))) {
		const pid_t tid = std::stoi(task.path().filename());
		if (tid != pid_)
			tids.push_back(tid);
	}
	return tids;
}

user_target::~user_target()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, __WALL);
	}
	if (page_ != nullptr)
		munmap(page_, sizeof *page_);
	close(fd_);
}
