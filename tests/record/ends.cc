// Tests recorders that are killed, and disks that are full.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"
#include "made.h"
#include "mounts.h"
#include "require.h"
#include "tools/record/ring.h"
#include "tools/record/writer.h"

using boost::unit_test::description;
using lib::in_child;

namespace {

// Writes segments of 50 ticks until it is killed, and a byte into the pipe for
// each tick that is stored.
[[noreturn]] void
write_for_ever(const std::string &dir, int pipe)
{
	recording::ring ring;
	if (ring.open(dir) != 0)
		_exit(1);
	recording::writer w(ring, {0, 0}, {});
	for (;;) {
		w.begin(made::info());
		for (unsigned int n = 0; n < 50; n++)
			if (w.put(made::tick(n)) != 0 ||
			    write(pipe, "x", 1) != 1)
				_exit(2);
	}
}

// Kills a writer when it has reported so many ticks, and some time later.
// Returns how many it reported.
std::size_t
killed_writer(const std::string &dir, std::size_t ticks, useconds_t later)
{
	int p[2];
	BOOST_REQUIRE(pipe(p) == 0);
	const pid_t child = fork();
	if (child == 0)
		write_for_ever(dir, p[1]);
	close(p[1]);
	std::size_t told = 0;
	char bytes[64];
	while (told < ticks) {
		const ssize_t n = read(p[0], bytes, std::min(sizeof bytes,
		    ticks - told));
		BOOST_REQUIRE(n > 0);
		told += static_cast<std::size_t>(n);
	}
	usleep(later);
	kill(child, SIGKILL);
	waitpid(child, nullptr, 0);
	for (ssize_t n; (n = read(p[0], bytes, sizeof bytes)) > 0;)
		told += static_cast<std::size_t>(n);
	close(p[0]);
	return told;
}

// Puts ticks until one is refused with that errno, and checks that the ones
// before can be read, and that nothing is after them: files may be joined.
int
fill(const std::string &dir, int refused)
{
	recording::ring ring;
	if (ring.open(dir) != 0)
		return 10;
	recording::writer w(ring, {0, 0}, {});
	unsigned int stored = 0;
	w.begin(made::info());
	for (int error = 0; error == 0; stored += error == 0)
		if ((error = w.put(made::tick(stored))) != 0 &&
		    error != refused)
			return 11;
	std::vector<std::string> names;
	recording::segments_in(dir, names);
	if (names.size() != 1 || w.goes_on(1001))
		return 12;
	const made::reading r = made::read(dir + "/" + names[0]);
	if (r.bytes != std::filesystem::file_size(dir + "/" + names[0]))
		return 14;
	return !r.complaints.empty() || !r.what.all_are_right ||
	    r.what.ticks != stored || stored < 10 ? 13 : 0;
}

} // namespace

BOOST_AUTO_TEST_CASE(killed_at_many_moments, *description(
    "RECORDS: A tick that was stored survives the end of the recorder."))
{
	for (unsigned int i = 0; i < 200; i++) {
		const made::directory dir;
		const std::size_t told = killed_writer(dir.path(), 1 + i * 7 %
		    120, i * 13 % 300);
		std::size_t ticks = 0;
		for (const std::string &name : dir.segments()) {
			const made::reading r = made::read(dir.path() + "/" +
			    name);
			BOOST_REQUIRE(r.error == 0);
			BOOST_REQUIRE(r.complaints.empty());
			BOOST_REQUIRE(r.what.all_are_right);
			ticks += r.ticks;
		}
		BOOST_REQUIRE(ticks >= told);
		BOOST_REQUIRE(ticks <= told + 1);
	}
}

BOOST_AUTO_TEST_CASE(a_file_may_not_grow, *description(
    "RLIMIT_FSIZE ends a segment, and what it has is whole"))
{
	const made::directory dir;
	BOOST_TEST(in_child([&] {
		const rlimit few = {5000, 5000};
		signal(SIGXFSZ, SIG_IGN);
		return setrlimit(RLIMIT_FSIZE, &few) != 0 ? 9 :
		    fill(dir.path(), EFBIG);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(the_disk_is_full, *needs("mounts") * description(
    "RECORDS: On a full disk the ticks are lost that find no room, and no "
    "others."))
{
	const made::directory dir;
	BOOST_TEST(in_child([&] {
		if (!own_mounts() || mount("tmpfs", dir.path().c_str(),
		    "tmpfs", 0, "size=16k") != 0)
			return 9;
		return fill(dir.path(), ENOSPC);
	}) == 0);
}

BOOST_AUTO_TEST_CASE(a_full_disk_gets_space, *needs("mounts") * description(
    "the oldest segment makes room for the next one"))
{
	const made::directory dir;
	BOOST_TEST(in_child([&] {
		if (!own_mounts() || mount("tmpfs", dir.path().c_str(),
		    "tmpfs", 0, "size=64k") != 0)
			return 9;
		recording::ring ring;
		if (ring.open(dir.path()) != 0)
			return 10;
		recording::writer w(ring, {0, 0}, {});
		unsigned int lost = 0, stored = 0, n = 50;
		for (unsigned int i = 0; i < 2000; i++) {
			if (n >= 50 || !w.goes_on(1000 + n)) {
				w.begin(made::info());
				n = 0;
			}
			if (w.put(made::tick(n++)) == 0)
				stored++;
			else
				lost++, n = 50;
		}
		return stored > 1500 && lost > 0 ? 0 : 14;
	}) == 0);
}
