// Forks a child with a page that both share.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "user_child.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "victim.h"

child::child(const std::function<void(board &)> &body)
{
	void *const page = mmap(nullptr, sizeof(board), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		abort();
	board_ = new (page) board{};
	std::fflush(nullptr);
	pid_ = fork();
	if (pid_ != 0)
		return;
	lib::as_child();
	body(*board_);
	_exit(0);
}

child::~child()
{
	lib::kill_and_reap(pid_);
	munmap(board_, sizeof *board_);
}

std::uint64_t
child::told(std::size_t i) const
{
	for (;;) {
		if (const std::uint64_t w = board_->word[i].load(); w != 0)
			return w;
		if (state_of(pid_) == 'Z')
			abort();	// it never will
		sched_yield();
	}
}

int
child::end()
{
	int status = 0;
	waitpid(pid_, &status, 0);
	pid_ = -1;
	return lib::exit_of(status);
}
