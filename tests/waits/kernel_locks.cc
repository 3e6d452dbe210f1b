// Compares the waits that stack9_waits() finds with those that programs know:
// locks of the kernel, whose owners wait for pages that nobody brings.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <linux/userfaultfd.h>
#include <net/if.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"

namespace {

namespace data = boost::unit_test::data;

// Without the lock of the position, if it is a file.
void
write_to(int fd, const void *from, std::size_t size)
{
	if (pwrite(fd, from, size, 0) < 0 && errno == ESPIPE)
		write(fd, from, size);
}

// Waits until a thread waits for a page, by the kernel's count of that: it has
// its lock then.
void
wait_for_fault(int uffd)
{
	wait_until([uffd] {
		std::ifstream in("/proc/self/fdinfo/" + std::to_string(uffd));
		std::string word;
		int count = 0;
		while (in >> word && word != "total:")
			;
		return in >> count && count > 0;
	});
}

// A thread waits for a mutex of the C library, its owner for a lock of the
// kernel, and the owner of that one for a page that nobody brings.
BOOST_TEST_DECORATOR(*needs("root"))
BOOST_DATA_TEST_CASE(from_a_mutex_to_a_page, data::make({0, 1}), by_file)
{
	// Two of these at a time would wait for each other's end.
	const int alone = open("/tmp/stack9-userfaultfd.lock",
	    O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	flock(alone, LOCK_EX);
	scene of([by_file = by_file](stage &s) {
		static int fds[2];
		static void *page;
		static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
		char file[] = "/dev/shm/stack9-waits-XXXXXX";
		page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		const auto uffd = static_cast<int>(syscall(SYS_userfaultfd,
		    O_CLOEXEC));
		uffdio_api api{UFFD_API, 0, 0};
		uffdio_register all{{reinterpret_cast<std::uintptr_t>(page),
		    4096}, UFFDIO_REGISTER_MODE_MISSING, 0};
		if (ioctl(uffd, UFFDIO_API, &api) != 0 ||
		    ioctl(uffd, UFFDIO_REGISTER, &all) != 0 ||
		    pipe(fds) != 0)
			_exit(1);
		if (by_file) {
			fds[1] = mkstemp(file);
			unlink(file);
		}
		const int lock = by_file ? STACK9_WAIT_KERNEL_WRITE :
		    STACK9_WAIT_KERNEL_MUTEX;
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_USERFAULTFD, 0,
		    [] { write_to(fds[1], page, 100); }, true);
		wait_for_fault(uffd);
		const bool knows = reports_locks();
		act(s, 2, knows ? lock : -1, knows ? 1 : -1, [] {
			pthread_mutex_lock(&m);
			write_to(fds[1], "x", 1);
		});
		wait_for_disk_sleep(s.actors[2].tid,
		    by_file ? SYS_pwrite64 : SYS_write);
		act(s, 3, STACK9_WAIT_MUTEX, 2,
		    [] { pthread_mutex_lock(&m); });
		act(s, 4, STACK9_WAIT_USERFAULTFD, 0, [] {
			*static_cast<volatile char *>(page) = 1;
		}, true);
	});
	check_scene(of);
	close(alone);
}

// The kernel answers a question about loopback with a lock of all networks
// held, and the answer goes to a page that nobody brings.
void
ask_ethtool(char *answer)
{
	ifreq r{};
	std::snprintf(r.ifr_name, sizeof r.ifr_name, "lo");
	r.ifr_data = answer;
	const std::uint32_t command = ETHTOOL_GLINK;
	std::memcpy(answer, &command, sizeof command);
	ioctl(socket(AF_INET, SOCK_DGRAM, 0), SIOCETHTOOL, &r);
}

// Kernels that are built without CONFIG_KALLSYMS_ALL list functions only.
bool
lists(const std::string &variable)
{
	std::ifstream in("/proc/kallsyms");
	for (std::string line; std::getline(in, line);)
		if (line.ends_with(" " + variable))
			return true;
	return false;
}

// A lock that is a variable of the kernel has its name.
BOOST_AUTO_TEST_CASE(the_name_of_a_kernel_lock, *needs("root"))
{
	const int alone = open("/tmp/stack9-userfaultfd.lock",
	    O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	flock(alone, LOCK_EX);
	scene of([](stage &s) {
		static char *pages, own[16];
		pages = static_cast<char *>(mmap(nullptr, 8192, PROT_READ |
		    PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		const auto uffd = static_cast<int>(syscall(SYS_userfaultfd,
		    O_CLOEXEC));
		uffdio_api api{UFFD_API, 0, 0};
		uffdio_register second{{reinterpret_cast<std::uintptr_t>(pages)
		    + 4096, 4096}, UFFDIO_REGISTER_MODE_MISSING, 0};
		if (ioctl(uffd, UFFDIO_API, &api) != 0 ||
		    ioctl(uffd, UFFDIO_REGISTER, &second) != 0)
			_exit(1);
		note(s, 0, STACK9_WAIT_SIGNAL, -1);
		act(s, 1, STACK9_WAIT_USERFAULTFD, 0,
		    [] { ask_ethtool(pages + 4092); }, true);
		wait_for_fault(uffd);
		act(s, 2, reports_locks() ? STACK9_WAIT_KERNEL_MUTEX : -1,
		    reports_locks() ? 1 : -1, [] { ask_ethtool(own); });
	});
	const all_found all = check_scene(of);
	if (reports_locks())
		BOOST_TEST(all.at(of.get().actors[2].tid).place ==
		    (lists("rtnl_mutex") ? "rtnl_mutex" : ""));
	close(alone);
}

} // namespace
