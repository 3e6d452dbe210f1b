// Reads /proc/locks once, and its lines in fdinfo.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_lock_table.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::waits {
namespace {

// The kernel lists the locks of an open file description, and those that the
// process has taken through it, with the descriptor.
bool
has_lock(const open_file &f, const file_lock &lock)
{
	char path[48], *line = nullptr;
	std::size_t size = 0;
	bool found = false;
	std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", f.pid, f.fd);
	FILE *const info = std::fopen(path, "re");
	while (info != nullptr && !found && getline(&line, &size, info) > 0) {
		file_lock l{};
		const char *const number = std::strncmp(line, "lock:", 5) ==
		    0 ? std::strchr(line + 5, ':') : nullptr;
		found = number != nullptr && parse_file_lock(number + 1, l) &&
		    l == lock;
	}
	std::free(line);
	if (info != nullptr)
		std::fclose(info);
	return found;
}

// The process that took the lock most often has it still.
const open_file *
find_holder(const file_lock &lock, std::span<const open_file> files)
{
	for (const bool named : {true, false})
		for (const open_file &f : files)
			if ((f.pid == lock.pid) == named && has_lock(f, lock))
				return &f;
	return nullptr;
}

// One who has the descriptors, or the open file, of a holder has the lock, too.
// To compare takes a tenth of the time of reading fdinfo.
bool
has_same_lock(const open_file &holder, const open_file &f,
    const file_lock &lock)
{
	const bool is_posix = lock.kind == lock_kind::posix;
	if (&holder == &f)
		return true;
	const long compared = syscall(SYS_kcmp, holder.pid, f.pid,
	    is_posix ? KCMP_FILES : KCMP_FILE, holder.fd, f.fd);
	return compared < 0 ? has_lock(f, lock) : compared == 0;
}

} // namespace

// "FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF"
bool
parse_file_lock(std::string_view line, file_lock &to)
{
	char kind[16], mode[16], end[24];
	const std::string text(line);
	file_lock l{};
	if (std::sscanf(text.c_str(), "%15s %*s %15s %d %x:%x:%llu %llu %23s",
	    kind, mode, &l.pid, &l.major, &l.minor, &l.inode, &l.start,
	    end) != 8)
		return false;
	l.kind = std::strcmp(kind, "FLOCK") == 0 ? lock_kind::flock :
	    std::strcmp(kind, "POSIX") == 0 ? lock_kind::posix :
	    std::strcmp(kind, "OFDLCK") == 0 ? lock_kind::description :
	    lock_kind::other;
	l.writes = std::strcmp(mode, "WRITE") == 0;
	l.end = std::strcmp(end, "EOF") == 0 ? ~0ull :
	    std::strtoull(end, nullptr, 10);
	to = l;
	return true;
}

// A waiting request is listed after the lock that it waits for.  It may have to
// wait for another waiting request.
void
file_lock_table::read_all()
{
	char *text = nullptr;
	std::size_t size = 0;
	file_lock l{}, held{};
	bool has_held = false;
	is_read_ = true;
	FILE *const locks = std::fopen("/proc/locks", "re");
	while (locks != nullptr && getline(&text, &size, locks) > 0) {
		const char *at = std::strchr(text, ':');
		if (at == nullptr)
			continue;
		at += 1 + std::strspn(at + 1, " ");
		const bool waits = std::strncmp(at, "->", 2) == 0;
		if (!parse_file_lock(at + (waits ? 2 : 0), l))
			continue;
		if (!waits) {
			held = l;
			has_held = true;
		} else if (has_held) {
			wishes_.push_back({l, held});
		}
	}
	std::free(text);
	if (locks != nullptr)
		std::fclose(locks);
}

const std::vector<pid_t> &
file_lock_table::holders(const file_lock &lock,
    std::span<const open_file> files)
{
	const auto [it, is_new] = holders_.try_emplace(lock);
	std::vector<pid_t> &all = it->second;
	if (!is_new)
		return all;
	const open_file *const first = find_holder(lock, files);
	for (const open_file &f : files)
		if (first != nullptr && (all.empty() || all.back() != f.pid) &&
		    has_same_lock(*first, f, lock))
			all.push_back(f.pid);
	return all;
}

} // namespace stack9::waits
