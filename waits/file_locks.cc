// Finds who has the lock of a file that a thread waits for, by /proc/locks.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "world.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>

#include "descriptors.h"

namespace stack9::waits {
namespace {

struct lock_line {
	unsigned long long	id, inode;
	bool			waits, is_flock;
	int			pid;
	unsigned int		major, minor;
};

bool
parse(const char *line, lock_line &l)
{
	char kind[16];
	int at = 0;
	if (std::sscanf(line, "%llu: %n", &l.id, &at) != 1 || at == 0)
		return false;
	line += at;
	l.waits = std::strncmp(line, "->", 2) == 0;
	if (l.waits)
		line += 2;
	if (std::sscanf(line, "%15s %*s %*s %d %x:%x:%llu", kind, &l.pid,
	    &l.major, &l.minor, &l.inode) != 5)
		return false;
	l.is_flock = std::strcmp(kind, "FLOCK") == 0;
	return true;
}

// Whether a descriptor of the process has a lock on this file.
bool
has_lock(pid_t pid, const struct stat &file, bool is_flock)
{
	char path[48], line[256];
	for (int fd = 0; fd < 1024; fd++) {
		struct stat theirs{};
		if (!descriptor_file(pid, fd, theirs) ||
		    theirs.st_dev != file.st_dev ||
		    theirs.st_ino != file.st_ino)
			continue;
		std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", pid, fd);
		FILE *const f = std::fopen(path, "re");
		bool found = false;
		while (f != nullptr && std::fgets(line, sizeof line, f))
			found |= std::strncmp(line, "lock:", 5) == 0 &&
			    (std::strstr(line, "FLOCK") != nullptr) ==
			    is_flock;
		if (f != nullptr)
			std::fclose(f);
		if (found)
			return true;
	}
	return false;
}

// The id of the lock that the process waits for and the holder that the kernel
// lists under that id.
pid_t
holder_of(pid_t waiter_pid, const struct stat &file, bool is_flock)
{
	char *text = nullptr;
	std::size_t size = 0;
	lock_line l{};
	pid_t last_holder = 0, found = 0;
	unsigned long long holder_id = 0;
	FILE *const locks = std::fopen("/proc/locks", "re");
	while (locks != nullptr && found == 0 &&
	    getline(&text, &size, locks) > 0) {
		if (!parse(text, l))
			continue;
		if (!l.waits) {
			last_holder = l.pid;
			holder_id = l.id;
		} else if (l.pid == waiter_pid && l.id == holder_id &&
		    l.is_flock == is_flock && l.inode == file.st_ino &&
		    l.major == major(file.st_dev) &&
		    l.minor == minor(file.st_dev)) {
			found = last_holder;
		}
	}
	std::free(text);
	if (locks != nullptr)
		std::fclose(locks);
	return found;
}

} // namespace

void
find_file_lock(waiter &w, world &x)
{
	const bool is_flock = w.facts->call == SYS_flock;
	struct stat file{};
	w.fd = static_cast<int>(w.arg(0));
	w.object = descriptor_name(w.tid(), w.fd);
	w.is(is_flock ? STACK9_WAIT_FLOCK : STACK9_WAIT_FILE_LOCK);
	if (!descriptor_file(w.tid(), w.fd, file)) {
		w.reason = "its descriptors cannot be read";
		return;
	}
	const pid_t pid = holder_of(w.pid(), file, is_flock);
	stack9_thread td{};
	if (pid <= 0)
		w.reason = "/proc/locks names no holder";
	else if (!x.people.find_living(pid, td))
		w.reason = "the process that took the lock is dead, and "
		    "another one has it";
	else if (!has_lock(pid, file, is_flock))
		w.reason = "the process that took the lock does not show that "
		    "it still has it";
	else
		w.add(td, STACK9_ROLE_OWNER, STACK9_HOLDER_PROCESS);
}

} // namespace stack9::waits
