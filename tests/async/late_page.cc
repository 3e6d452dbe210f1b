// Takes a page away: a thread that touches it waits until it is brought back.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "late_page.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<int> served{-1};	// userfaultfd
std::atomic<void *> gone{nullptr};

int
open_fault_fd()
{
	const int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
	uffdio_api api{UFFD_API, 0, 0};
	return fd >= 0 && ioctl(fd, UFFDIO_API, &api) == 0 ? fd : -1;
}

} // namespace

std::string
late_page::missing()
{
	const int fd = open_fault_fd();
	if (fd < 0)
		return std::string("userfaultfd(2): ") + std::strerror(errno);
	close(fd);
	return "";
}

void
late_page::take_away(void *page)
{
	served = open_fault_fd();
	gone = page;
	uffdio_register all{};
	all.range = {reinterpret_cast<std::uint64_t>(page), size};
	all.mode = UFFDIO_REGISTER_MODE_MISSING;
	if (madvise(page, size, MADV_DONTNEED) != 0 ||
	    ioctl(served, UFFDIO_REGISTER, &all) != 0)
		abort();
}

void
late_page::bring(puppets::strings &)
{
	alignas(size) static char page[size];
	std::memcpy(page, text, sizeof text);
	uffdio_copy copy{};
	copy.dst = reinterpret_cast<std::uint64_t>(gone.load());
	copy.src = reinterpret_cast<std::uint64_t>(page);
	copy.len = size;
	if (ioctl(served, UFFDIO_COPY, &copy) != 0)
		abort();
	close(served);
}

bool
late_page::is_waited_for(pid_t tid)
{
	const auto stack = proc_stack(tid);
	return std::any_of(stack.begin(), stack.end(),
	    [](const std::string &line) {
		    return line.starts_with("handle_userfault");
	    });
}
