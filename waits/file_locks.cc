// Finds who has the lock of a file that a thread waits for.  /proc/locks names
// the lock that is in the way, but as its holder only the process that took it,
// which may be dead, or none.  The holders are the processes that have a
// descriptor with that lock.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "context.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::waits {
namespace {

// The lock that the thread asks for, as /proc/locks lists it.
struct request {
	file_lock	lock;
	bool		has_range;

	bool
	is(const file_lock &l) const
	{
		return l.kind == lock.kind && l.inode == lock.inode &&
		    l.pid == lock.pid && l.writes == lock.writes &&
		    (!has_range || (l.start == lock.start &&
		    l.end == lock.end));
	}
};

// A range from the file's position or end is not known here, and may be that of
// any wish of the process.
bool
read_request(const blocked &w, context &x, const file_id &file, request &to)
{
	struct flock f{};
	request r{};
	r.lock.inode = file.inode;
	r.lock.pid = w.pid();
	if (w.facts->call == SYS_flock) {
		r.lock.kind = lock_kind::flock;
		r.lock.writes = (w.arg(1) & LOCK_EX) != 0;
		to = r;
		return true;
	}
	if (!x.words.read(w.pid(), w.arg(2), f))
		return false;
	r.lock.kind = lock_kind::posix;
	if (w.arg(1) == F_OFD_SETLKW) {
		r.lock.kind = lock_kind::description;
		r.lock.pid = -1;
	}
	r.lock.writes = f.l_type == F_WRLCK;
	r.has_range = f.l_whence == SEEK_SET && f.l_len >= 0;
	r.lock.start = static_cast<unsigned long long>(f.l_start);
	r.lock.end = f.l_len == 0 ? ~0ull : r.lock.start +
	    static_cast<unsigned long long>(f.l_len) - 1;
	to = r;
	return true;
}

} // namespace

void
find_file_lock(blocked &w, context &x)
{
	request wanted{};
	w.is(w.facts->call == SYS_flock ? STACK9_WAIT_FLOCK :
	    STACK9_WAIT_FILE_LOCK);
	w.fd = static_cast<int>(w.arg(0));
	const descriptor &d = x.descriptors.of(w.pid(), w.tid(), w.fd);
	const file_id file = d.file;
	w.object = d.name;
	if (!d.known) {
		w.reason = "its descriptors cannot be read";
		return;
	}
	if (!read_request(w, x, file, wanted)) {
		w.reason = "its memory cannot be read";
		return;
	}
	bool several;
	const file_lock *const held = x.locks.in_the_way_of(
	    [&](const file_lock &l) { return wanted.is(l); }, several);
	if (held == nullptr) {
		w.reason = several ? "which of several locks is in its way is "
		    "not known" : "/proc/locks names no lock that is in its "
		    "way";
		return;
	}
	add_processes(w, x, x.locks.holders(*held, x.files.of(file.device,
	    file.inode)), STACK9_ROLE_OWNER, "no process shows that it has "
	    "the lock");
}

} // namespace stack9::waits
