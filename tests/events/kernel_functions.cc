// Tests EVENTS of stackcount(1) against the kernel of this machine: functions,
// and the time that it takes to find them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/linux-events/probes/kernel_functions.h"

#include "machine.h"
#include "require.h"

using namespace std::chrono_literals;
using boost::unit_test::precondition;
using stack9::events::kernel_functions_can_be_traced;
using stack9::events::probe_kind;
using stack9::events::why_no_kernel_functions;

namespace {

// The quickest run: it is not slowed by the machine's other work.  Ends
// with the first one that takes less than the limit, or after five seconds.
[[maybe_unused]] std::chrono::microseconds
time_of(const char *event, std::chrono::milliseconds limit)
{
	using clock = std::chrono::steady_clock;
	const auto end = clock::now() + std::chrono::seconds(5);
	auto best = clock::duration::max();
	while (best >= limit && clock::now() < end) {
		const auto begin = clock::now();
		const found f(event);
		best = std::min(best, clock::now() - begin);
		BOOST_TEST_REQUIRE(f.error == 0, f);
	}
	return std::chrono::duration_cast<std::chrono::microseconds>(best);
}

} // namespace

BOOST_AUTO_TEST_SUITE(kernel)

BOOST_AUTO_TEST_CASE(a_function_of_the_kernel_may_have_an_offset)
{
	for (const char *text : {"vfs_read+0x10", "k:vfs_read+16",
	    "kprobe:vfs_read+0x10", "f:vfs_read+0x10", "p::vfs_read+0x10",
	    "fentry:vfs_read+16"}) {
		const found f(text);
		BOOST_TEST_REQUIRE(f.probes.size() == 1U, f);
		const auto &p = f.probes[0];
		BOOST_TEST((p.kind == probe_kind::kernel));
		BOOST_TEST(p.name == "vfs_read");
		BOOST_TEST(p.offset == 16U);
		BOOST_TEST(p.label == "k:vfs_read+0x10");
		BOOST_TEST(f.labels_are_names(), f);
	}
}

BOOST_AUTO_TEST_CASE(an_unknown_function_is_enoent_with_the_nearest_names)
{
	const found f("vfs_raed");
	BOOST_TEST(f.error == ENOENT, f);
	// Only what can be traced here is worth a name.
	BOOST_TEST(f.says("k:vfs_read") == kernel_functions_can_be_traced(),
	    f);
	BOOST_TEST(f.says("k:") == kernel_functions_can_be_traced(), f);
	BOOST_TEST(found("openat").says("syscall:openat"));
}

BOOST_AUTO_TEST_CASE(patterns_find_functions_of_the_kernel)
{
	const found f("k:vfs_rea?");
	BOOST_TEST(names(f).contains("vfs_read"), f);
	const found more("k:vfs_(read|write)", true);
	BOOST_TEST(more.labels() == (labels{"k:vfs_read", "k:vfs_write"}),
	    more);
	BOOST_TEST(found("k:no_such_function_*").error == ENOENT);
	for (const std::string &name : names(found("k:*_read")))
		BOOST_TEST(!name.starts_with("__pfx_"), name);
}

BOOST_AUTO_TEST_CASE(what_forbids_functions_of_the_kernel_is_named,
    *needs("bpf") *precondition(has_no_kprobes))
{
	const std::string why = why_no_kernel_functions("vfs_read");
	if (why.empty())	// fentry can trace them
		return;
	BOOST_TEST(why.find("CONFIG_KPROBE") != why.npos, why);
	BOOST_TEST(why.find("fentry") != why.npos, why);
	BOOST_TEST(why.find("syscall:read") != why.npos, why);
	BOOST_TEST(why.size() < 512U, why);
	const std::string bio = why_no_kernel_functions("submit_bio");
	BOOST_TEST(bio.find("t:block:block_bio_queue") != bio.npos, bio);
}

BOOST_AUTO_TEST_CASE(a_function_that_does_not_exist_is_said_not_to)
{
	const std::string why = why_no_kernel_functions("no_such_function_9");
	BOOST_TEST(why.find("has no function no_such_function_9") != why.npos,
	    why);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
BOOST_AUTO_TEST_CASE(one_event_is_found_in_two_milliseconds,
    *precondition(has_btf))
{
	for (const char *event : {"t:sched:sched_switch", "syscall:openat",
	    "page-faults", "offcpu", "k:vfs_read"})
		BOOST_TEST(time_of(event, 2ms).count() < 2000, event);
}

BOOST_AUTO_TEST_CASE(one_function_of_libc_is_found_in_three_milliseconds)
{
	BOOST_TEST(time_of("u:libc:malloc", 3ms).count() < 3000);
}
#endif

BOOST_AUTO_TEST_SUITE_END()
