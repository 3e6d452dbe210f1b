// Reads the files and names of descriptors, once for all threads that share
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "descriptors_of.h"

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stack9::waits {
namespace {

descriptor
read_descriptor(pid_t tid, int fd)
{
	descriptor d{};
	d.known = descriptor_file(tid, fd, d.file);
	d.name = descriptor_name(tid, fd);
	return d;
}

} // namespace

// Each wait asks for some descriptors of one thread.
bool
descriptors_of::has_files_of(pid_t pid, pid_t tid)
{
	if (tid != asked_)
		shares_ = tid == pid || syscall(SYS_kcmp, pid, tid,
		    KCMP_FILES, 0, 0) == 0;
	asked_ = tid;
	return shares_;
}

const descriptor &
descriptors_of::of(pid_t pid, pid_t tid, int fd)
{
	if (!has_files_of(pid, tid))
		return last_ = read_descriptor(tid, fd);
	const auto [it, is_new] = known_.try_emplace({pid, fd});
	if (is_new)
		it->second = read_descriptor(tid, fd);
	return it->second;
}

} // namespace stack9::waits
