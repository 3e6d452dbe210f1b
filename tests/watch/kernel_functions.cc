// Watches functions of the kernel by name, if it has kprobes: those of ext4, on
// a file system of the test's own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

#include "child.h"
#include "user.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_kernel)

namespace {

using boost::unit_test::description;

const char *
disk()
{
	return std::getenv("STACK9_EXT4");
}

std::string
no_disk()
{
	return disk() == nullptr ? "STACK9_EXT4 names no ext4" : "";
}

// Makes writes that reach the disk.
void
write_and_sync(int times)
{
	const std::string path = std::string(disk()) + "/file";
	for (int i = 0; i < times; i++) {
		const int fd = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
		const std::string text(8192, 'x');
		if (fd < 0 || write(fd, text.data(), text.size()) < 0 ||
		    fsync(fd) != 0)
			BOOST_FAIL("no file on " << disk());
		close(fd);
	}
}

bool
first_is(const kept_side &side, const std::string &function)
{
	const auto names = side.names();
	return !names.empty() && names[0] == function;
}

} // namespace

BOOST_AUTO_TEST_CASE(who_writes_to_a_disk, *needs("bpf") * unless(no_disk)
    * description("NAME: a function of the kernel"))
{
	constexpr int times = 20;
	watching w("submit_bio", {}, counted(STACK9_KERNEL));
	write_and_sync(times);
	w.end();
	BOOST_TEST(w.tally().events >= static_cast<std::uint64_t>(times));
	BOOST_TEST(events_in(w.samples) == w.tally().kept);
	BOOST_TEST(events_in(w.samples, "ext4_sync_file") > 0u);
	for (const kept_sample &s : w.samples)
		BOOST_TEST(first_is(s.kernel, "submit_bio"),
		    joined(s.kernel.names()));
}

BOOST_AUTO_TEST_CASE(exactly_so_often, *needs("bpf") * unless(no_disk)
    * description("k:NAME: a function of the kernel; limit; pid"))
{
	constexpr std::uint64_t times = 25;
	watching w("k:ext4_sync_file", only(getpid()), streamed(STACK9_BOTH));
	write_and_sync(times);
	w.end();
	BOOST_TEST(w.samples.size() == times);
	for (const kept_sample &s : w.samples) {
		BOOST_TEST(first_is(s.kernel, "ext4_sync_file"));
		BOOST_TEST(s.thread.pid == getpid());
		BOOST_TEST(s.user.pcs.size() > 0u);
	}
}

BOOST_AUTO_TEST_CASE(several_functions, *needs("bpf")
    * copied() * unless(no_disk)
    * description("STACK9_WATCH_REGEX: else patterns with * and ?"))
{
	watching w("k:ext4_sync_f*", only(getpid()), streamed(STACK9_KERNEL));
	write_and_sync(5);
	w.end();
	BOOST_TEST(w.tally().probes >= 2u);	// _file, _fs
	BOOST_TEST(std::count_if(w.samples.begin(), w.samples.end(),
	    [](const kept_sample &s) {
		    return s.event.ends_with("ext4_sync_file");
	    }) == 5);
}

BOOST_AUTO_TEST_CASE(none_of_that_name, *needs("bpf") * unless(no_disk)
    * description("ENOENT: no such event"))
{
	const refusal r = refused("no_such_function_of_the_kernel");
	BOOST_TEST(r.error == ENOENT, r.error << ": " << r.reason);
}

BOOST_AUTO_TEST_CASE(as_brendan_gregg_counted, *needs("bpf") * unless(no_disk)
    * description("stackcount submit_bio: stacks, then how often, the most "
    "frequent last"))
{
	const std::string file = std::string(disk()) + "/by_program";
	const said s = run({STACKCOUNT, "submit_bio", "--", "/bin/sh", "-c",
	    "for i in 1 2 3; do echo $i > " + file + "; sync; done"});
	BOOST_TEST(s.status == 0, s.err);
	BOOST_TEST(has(s.out, "submit_bio\n"), s.out);
	BOOST_TEST(has(s.out, "ext4_"), s.out);
}

BOOST_AUTO_TEST_CASE(as_brendan_gregg_snooped, *needs("bpf") * unless(no_disk)
    * description("stacksnoop -v ext4_sync_fs: a stack as each event happens, "
    "with addresses"))
{
	const said s = run({STACKSNOOP, "-v", "-c", "1", "ext4_sync_fs", "--",
	    "/bin/sync"});
	BOOST_TEST(s.status == 0, s.err);
	BOOST_TEST(has(s.out, "ext4_sync_fs"), s.out);
	BOOST_TEST(has(s.out, "sync"), s.out);
	BOOST_TEST(has(s.out, "ffffffff"), s.out);
}

BOOST_AUTO_TEST_SUITE_END()
