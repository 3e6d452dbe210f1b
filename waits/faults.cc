// Finds for which kind of page a thread waits, and who answers the faults of a
// userfaultfd(2).
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include <sys/eventfd.h>

#include "os/proc_task.h"
#include "os/unique_fd.h"
#include "context.h"

namespace stack9::waits {
namespace {

// True if faults of this userfaultfd wait.
bool
has_faults(const open_file &f)
{
	char path[64], buffer[1024];
	proc_file info;
	std::string_view text;
	std::snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", f.pid, f.fd);
	return info.open(AT_FDCWD, path) == 0 && info.read(buffer, text) == 0 &&
	    number_behind(text, "\ntotal:") != 0;
}

// The kernel does not say which of them the fault belongs to.  If only one has
// faults that wait, it is that one.
const char *
find_handlers(context &x, std::vector<pid_t> &to)
{
	file_id anonymous{};
	std::uint64_t inode = 0;
	const unique_fd fd(eventfd(0, EFD_CLOEXEC));
	char path[48];
	std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd.get());
	if (!fd || !read_file_id(AT_FDCWD, path, anonymous))
		return "userfaultfds cannot be listed";
	for (const open_file &f : x.files.of_device(anonymous.device)) {
		if (descriptor_name(f.pid, f.fd) !=
		    "anon_inode:[userfaultfd]" || !has_faults(f))
			continue;
		// Before Linux 5.12 all have one inode.
		if ((inode != 0 && inode != f.inode) ||
		    f.inode == anonymous.inode) {
			to.clear();
			return "several userfaultfds have faults that wait";
		}
		inode = f.inode;
		if (to.empty() || to.back() != f.pid)
			to.push_back(f.pid);
	}
	return "";
}

} // namespace

bool
find_page(blocked &w, context &x)
{
	constexpr std::uint32_t few = 6;
	if (!w.has_kernel_stack)
		return false;
	// A sleep that signals end is never for a page of a file or of swap.
	switch (x.kernel.of(*w.sample->kernel, w.facts->state == 'D' ||
	    w.facts->call < 0 ? w.sample->kernel->depth : few)) {
	default:
		return false;
	case kernel_function::swapped_page:
		w.is(STACK9_WAIT_SWAP);
		return true;
	case kernel_function::file_page:
		w.is(STACK9_WAIT_FILE_PAGE);
		return true;
	case kernel_function::userfault:
		break;
	}
	std::vector<pid_t> handlers;
	w.is(STACK9_WAIT_USERFAULTFD);
	const char *const why = find_handlers(x, handlers);
	if (*why != '\0')
		w.reason = why;
	else if (x.files.is_partial())
		w.reason = "the descriptors of some processes cannot be read "
		    "without privilege";
	else
		add_processes(w, x, handlers, STACK9_ROLE_PEER,
		    "no process has its userfaultfd open");
	return true;
}

} // namespace stack9::waits
