// Makes each call of a kind fail in turn that the library makes for a call of
// its own.  The library returns an errno that says so, or finds another way;
// nothing is left over, and the next call works.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <unistd.h>

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>

#include "../coroutines/go_program.h"
#include "require.h"
#include "trial.h"
#include "victim.h"
#include "whole.h"

using boost::unit_test::description;

namespace {

// STACK9_INJECTED names the only call to be tried.
bool
is_chosen(const call &c)
{
	const char *const only = std::getenv("STACK9_INJECTED");
	return only == nullptr || only == std::string_view(c.name);
}

// For as long as it lives there is a process to be looked at, if Go's compiler
// is here.
class goroutines_there {
public:
	goroutines_there()
	{
		if (access(GOROUTINES, X_OK) == 0)
			go_process = go_.emplace(nullptr).pid();
	}
	~goroutines_there() { go_process = 0; }

private:
	std::optional<go_program> go_;
};

void
fail_each(const injection &what, long first, long later)
{
	const goroutines_there go;
	// All of them, for each n, would take an hour.
	const victim v({doing::read, doing::poll, doing::futex});
	BOOST_REQUIRE(v.tids().size() ==
	    static_cast<std::size_t>(threads_looked_at));
	whole = depths_of(v.pid());
	BOOST_REQUIRE(whole.kernel != 0);
	BOOST_REQUIRE(whole.user != 0);
	const long before = injected_so_far();
	for (const call &c : calls) {
		if (!is_chosen(c))
			continue;
		const std::string wrong = first_calls_fail(c, what, v.pid(),
		    rounds(60, first));
		BOOST_TEST(wrong == "", wrong);
		if (c.once)
			continue;
		const std::string then = later_calls_fail(c, what, v.pid(),
		    rounds(200, later));
		BOOST_TEST(then == "", "later: " << then);
	}
	const long failed = injected_so_far() - before;
	std::printf("%ld calls were made to fail\n", failed);
	BOOST_TEST((failed > 0 || std::getenv("STACK9_INJECTED") != nullptr));
	whole = {};
}

} // namespace

BOOST_AUTO_TEST_CASE(allocations, *needs("root") * needs("bpf")
    * description("ENOMEM, or a stack, for each allocation that fails"))
{
	fail_each({shim::kind::allocation, ENOMEM, {0, ENOMEM}}, 6, 12);
}

// A file that libelf had no memory for was taken for one that is not a program,
// as long as it was open: all of its later stacks ended at once.
BOOST_AUTO_TEST_CASE(each_allocation_for_goroutines, *needs("root") *
    has_go() * description("What could not be read for want of memory is read "
    "by the next call"))
{
	const goroutines_there go;
	for (const call &c : calls) {
		if (c.name != std::string_view("goroutines"))
			continue;
		const std::string wrong = first_calls_fail(c,
		    {shim::kind::allocation, ENOMEM, {0, ENOMEM}}, go_process,
		    LONG_MAX);
		BOOST_TEST(wrong == "", wrong);
	}
}

BOOST_AUTO_TEST_CASE(opens, *needs("root") * needs("bpf")
    * description("EMFILE, or a stack, for each open that fails"))
{
	fail_each({shim::kind::open, EMFILE, {0, EMFILE}}, 4, 8);
}

BOOST_AUTO_TEST_CASE(reads, *needs("root") * needs("bpf")
    * description("EIO, or a stack, for each read that fails"))
{
	fail_each({shim::kind::read, EIO, {0, EIO}}, 4, 8);
}

BOOST_AUTO_TEST_CASE(mappings, *needs("root") * needs("bpf")
    * description("ENOMEM, or a stack, for each mmap that fails"))
{
	fail_each({shim::kind::map, ENOMEM, {0, ENOMEM}}, 4, 8);
}

BOOST_AUTO_TEST_CASE(bpf_calls_without_memory, *needs("root") * needs("bpf")
    * description("ENOMEM, or a stack, for each bpf(2) that fails"))
{
	fail_each({shim::kind::bpf, ENOMEM, {0, ENOMEM}}, 4, 8);
}

// Before Linux 5.11 the kernel says EPERM where RLIMIT_MEMLOCK is too small.
BOOST_AUTO_TEST_CASE(bpf_calls_without_rights, *needs("root") * needs("bpf")
    * description("EPERM, or a stack, for each bpf(2) that fails"))
{
	fail_each({shim::kind::bpf, EPERM, {0, EPERM, ENOMEM}}, 3, 6);
}

BOOST_AUTO_TEST_CASE(perf_events, *needs("root") * needs("bpf")
    * description("EMFILE, or a stack, for each perf_event_open(2)"))
{
	fail_each({shim::kind::perf, EMFILE, {0, EMFILE}}, 3, 6);
}

BOOST_AUTO_TEST_CASE(epolls, *needs("root") * needs("bpf")
    * description("ENOMEM, or a stack, for each epoll call that fails"))
{
	fail_each({shim::kind::epoll, ENOMEM, {0, ENOMEM}}, 3, 6);
}

BOOST_AUTO_TEST_CASE(copies, *needs("root") * needs("bpf")
    * description("EPERM, or a stack, for each process_vm_readv(2)"))
{
	fail_each({shim::kind::copy, EPERM, {0, EPERM}}, 4, 8);
}

BOOST_AUTO_TEST_CASE(traces, *needs("root") * needs("bpf") * needs("ptrace")
    * description("EPERM, or a stack, for each ptrace(2) that fails"))
{
	fail_each({shim::kind::trace, EPERM, {0, EPERM, EAGAIN}}, 6, 12);
}
