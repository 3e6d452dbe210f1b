// Tests a kernel stack of more frames than a struct stack has room for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <csignal>

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/proc.h>
#include <sys/socket.h>
#include <sys/stack.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "require.h"
#include "kernel_capture.h"

BOOST_AUTO_TEST_SUITE(deep)

namespace {

// A page of a file in memory that nobody ever provides.  MAP_FAILED: there is
// no userfaultfd(2).
void *
missing_page(std::size_t size)
{
	const int file = memfd_create("missing", 0);
	const auto faults = static_cast<int>(syscall(SYS_userfaultfd,
	    O_CLOEXEC));
	if (file < 0 || faults < 0 || ftruncate(file,
	    static_cast<off_t>(size)) != 0)
		return MAP_FAILED;
	void *const page = mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0);
	uffdio_api api{UFFD_API, 0, 0};
	uffdio_register range{{reinterpret_cast<std::uintptr_t>(page), size},
	    UFFDIO_REGISTER_MODE_MISSING, 0};
	return page == MAP_FAILED || ioctl(faults, UFFDIO_API, &api) != 0 ||
	    ioctl(faults, UFFDIO_REGISTER, &range) != 0 ? MAP_FAILED : page;
}

// Waits in a fault of the kernel's own, as it copies for writev(2).
class faulting {
public:
	faulting()
	    : pid_(fork())
	{
		if (pid_ != 0)
			return;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const auto size = static_cast<std::size_t>(
		    sysconf(_SC_PAGESIZE));
		const iovec missing{missing_page(size), size};
		int ends[2];
		if (missing.iov_base != MAP_FAILED &&
		    socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0)
			static_cast<void>(writev(ends[0], &missing, 1) < 0);
		_exit(77);
	}
	faulting(const faulting &) = delete;
	~faulting()
	{
		if (pid_ < 0)
			return;
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}

	pid_t pid() const { return pid_; }

	// False: it has ended, because it cannot.
	bool
	waits()
	{
		const auto is_there = [&] {
			const std::vector<std::string> all = proc_stack(pid_);
			return std::any_of(all.begin(), all.end(), [](auto &f) {
				return f.starts_with("handle_userfault+");
			});
		};
		while (!is_there()) {
			if (waitpid(pid_, nullptr, WNOHANG) == pid_) {
				pid_ = -1;
				return false;
			}
			sched_yield();
		}
		wait_for_state(pid_, 'S');
		return true;
	}

private:
	pid_t	pid_;
};

} // namespace

BOOST_AUTO_TEST_CASE(stack_save_td_gives_the_innermost_18, *needs("root")
    * needs("bpf") * boost::unit_test::description(
    "for any other thread they give its kernel stack"))
{
	faulting f;
	if (!f.waits()) {
		BOOST_TEST_MESSAGE("no userfaultfd(2) here");
		return;
	}
	const std::vector<std::string> right = proc_stack(f.pid());
	if (right.size() <= STACK_MAX)
		BOOST_TEST_MESSAGE("no more than " << right.size() <<
		    " frames in this kernel");
	struct thread *td = tdfind(f.pid(), f.pid());
	BOOST_REQUIRE(td != nullptr);
	for (const std::string &r : routes_of("kernel stack")) {
		if (r == "procfs")	// it knows no addresses
			continue;
		const forced only(r);
		capture c;
		BOOST_REQUIRE_EQUAL(c.save(f.pid()), 0);
		BOOST_TEST(named(c.rec) == right,
		    boost::test_tools::per_element());
		struct stack st;
		BOOST_REQUIRE_EQUAL(stack_save_td(&st, td), 0);
		BOOST_TEST(st.depth == static_cast<int>(std::min<std::size_t>(
		    right.size(), STACK_MAX)));
		BOOST_TEST(std::equal(st.pcs, st.pcs + st.depth, c.pcs));
	}
	PROC_UNLOCK(td->td_proc);
}

BOOST_AUTO_TEST_SUITE_END()
