// Declares a process with a thread in each of many blocking calls.  It counts
// the calls that return although nothing has happened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>
#include <unistd.h>

struct blocking_call {
	const char	*name;
	const char	*manual;	// its word in stackprint(1)
	const char	*innermost;	// function of libc that makes it; NULL:
					// it has no name of its own there
	void		(*sit)();	// never returns, unless it cannot
};
std::vector<blocking_call> calls_of_files();	// whatever is a descriptor
std::vector<blocking_call> calls_of_sockets();
std::vector<blocking_call> calls_of_others();

// The victim writes this, in memory that it shares.
struct seat {
	std::atomic<pid_t>		tid;		// 0: not there yet
	std::atomic<int>		cannot;		// errno; 0: can
	std::atomic<std::uint32_t>	returned;	// so often, and with
	std::atomic<int>		error;		// this at last
};

// Killed when it goes.  Every thread blocks once it is made.
class blocked {
public:
	struct occupant {
		blocking_call	 call;
		pid_t		 tid;
		const seat	*place;

		bool returned() const { return place->returned != 0; }
	};

	blocked();
	blocked(const blocked &) = delete;
	~blocked();

	pid_t pid() const { return pid_; }
	// Those that this kernel has.
	const std::vector<occupant> &all() const { return all_; }
	// Waits until all of them block again.
	void settle() const;
	// The calls that have returned since it was made, and with what.
	std::string returned() const;

private:
	pid_t			 pid_ = -1;
	void			*shared_;
	std::vector<occupant>	 all_;
};

// For blocking_call::sit, in the victim: the call over and over again; or why
// there is none.  own_ipc(): SysV objects of its own that go with it.
seat &own_seat();
bool own_ipc();
void cannot_sit();
template <class Call> [[noreturn, gnu::noinline]] void
sit_in(Call call)
{
	own_seat().tid = gettid();
	for (;;) {
		call();
		own_seat().error = errno;
		own_seat().returned++;
	}
}
