// Makes of root a user that nobody else is: chooses an id at random, and asks
// the kernel whether another process has it.
//
// Rejected: user 65534, whom many services and containers share.  Rejected: to
// look at all of /proc.  That takes longer than a capture, and /proc may hide
// processes.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cerrno>
#include <cstdint>
#include <ctime>

#include <grp.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <unistd.h>

namespace stack9 {
namespace own_user {

struct range {
	std::uint32_t	from, size;
};

// systemd's list of ids leaves both to nobody: people, services and containers
// have others.  Where only 65,536 ids are mapped there is the second one alone.
inline constexpr range ranges[] = {{0x70000000, 0x0fd00000}, {60514, 670}};
inline constexpr int tries = 4;

inline id_t
any_of(const range &r) noexcept
{
	std::uint32_t random;
	if (getrandom(&random, sizeof random, GRND_NONBLOCK) !=
	    static_cast<ssize_t>(sizeof random)) {
		timespec now;
		clock_gettime(CLOCK_MONOTONIC, &now);
		random = static_cast<std::uint32_t>(now.tv_nsec) * 2654435761u +
		    static_cast<std::uint32_t>(getpid());
	}
	return r.from + random % r.size;
}

inline bool
limit_processes(rlim_t now, rlim_t most) noexcept
{
	const rlimit r{now, most};
	return setrlimit(RLIMIT_NPROC, &r) == 0;
}

// The kernel counts the processes of a user.  A process that becomes one who
// has more than it may have cannot execute anything.  Linux before 5.16 marks
// such a process if the others are as many as the limit, later ones if they are
// more; what is compared at execve(2) includes this process, in all of them.
inline bool
is_alone() noexcept
{
	char *const nothing[] = {nullptr};
	execve("/", nothing, nothing);	// a directory
	return errno != EAGAIN;
}

// The id 0 is kept until it is known that it is not needed.
inline bool
is_free(id_t id, rlim_t most) noexcept
{
	const bool is = limit_processes(0, most) &&
	    setresuid(id, id, 0) == 0 && limit_processes(1, most) &&
	    is_alone();
	(void)!setresuid(0, 0, 0);
	return is;
}

} // namespace own_user

// Root becomes the user with this id.  False: some process has it, or it is not
// mapped, and this process is root still.
inline bool
become_user_if_free(id_t id) noexcept
{
	rlimit before;
	if (getrlimit(RLIMIT_NPROC, &before) != 0)
		return false;
	const bool is = own_user::is_free(id, before.rlim_max);
	setrlimit(RLIMIT_NPROC, &before);
	return is && setresgid(id, id, id) == 0 && setresuid(id, id, id) == 0;
}

// Processes of the same user could kill, stop and trace this one.  False: the
// process may not become such a user, as in a container that maps few ids, and
// is root still.
inline bool
become_user_of_its_own() noexcept
{
	if (setgroups(0, nullptr) != 0)
		return false;
	for (const own_user::range &r : own_user::ranges)
		for (int i = 0; i < own_user::tries; i++)
			if (become_user_if_free(own_user::any_of(r)))
				return true;
	return false;
}

} // namespace stack9
