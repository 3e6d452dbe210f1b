// Compares the waits that stack9_waits() finds with those that programs know:
// locks of files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <string>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "check.h"
#include "require.h"

namespace {

void
lock_range(int fd, int command, off_t from, off_t length)
{
	struct flock l{};
	l.l_type = F_WRLCK;
	l.l_start = from;
	l.l_len = length;
	fcntl(fd, command, &l);
}

// Processes that have the lock: by POSIX, by open file descriptions, and one
// that has inherited a descriptor of a process that is dead.
BOOST_AUTO_TEST_CASE(locks_of_files, *needs("bpf"))
{
	scene of([](stage &s) {
		static char file[] = "/tmp/stack9-waits-XXXXXX";
		static int fds[3];
		fds[0] = mkstemp(file);
		fds[1] = open(file, O_RDWR);
		fds[2] = open(file, O_RDWR);
		begin_process(s, 0, [] {
			lock_range(open(file, O_RDWR), F_SETLK, 0, 100);
		});
		begin_process(s, 1, [] {
			lock_range(open(file, O_RDWR), F_OFD_SETLK, 200, 100);
		});
		if (fork() == 0) {
			const int fd = open(file, O_RDWR);
			flock(fd, LOCK_EX);
			begin_process(s, 2,
			    [] { prctl(PR_SET_PDEATHSIG, 0); });
			_exit(0);
		}
		wait_for_actors(s, 3);
		act(s, 3, STACK9_WAIT_FILE_LOCK, 0,
		    [] { lock_range(fds[0], F_SETLKW, 50, 10); }, true);
		act(s, 4, STACK9_WAIT_FILE_LOCK, 1,
		    [] { lock_range(fds[1], F_OFD_SETLKW, 250, 0); }, true);
		act(s, 5, STACK9_WAIT_FLOCK, 2,
		    [] { flock(fds[2], LOCK_SH); }, true);
		act(s, 6, STACK9_WAIT_FILE_LOCK, 0,
		    [] { lock_range(fds[0], F_SETLKW, 40, 30); }, true);
		unlink(file);
	});
	for (const auto &[tid, f] : check_scene(of))
		if (f.kind == STACK9_WAIT_FILE_LOCK)
			BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) != 0);
}

// A process waits for the locks of two files, each of which another one has.
BOOST_AUTO_TEST_CASE(locks_of_two_files, *needs("bpf"))
{
	scene of([](stage &s) {
		static char files[2][32] = {"/tmp/stack9-waits-XXXXXX",
		    "/tmp/stack9-waits-XXXXXX"};
		static int fds[2];
		for (int i = 0; i < 2; i++) {
			fds[i] = mkstemp(files[i]);
			begin_process(s, i, [=] {
				flock(open(files[i], O_RDWR), LOCK_EX);
			});
			unlink(files[i]);
		}
		act(s, 2, STACK9_WAIT_FLOCK, 0,
		    [] { flock(fds[0], LOCK_EX); }, true);
		act(s, 3, STACK9_WAIT_FLOCK, 1,
		    [] { flock(fds[1], LOCK_EX); }, true);
	});
	check_scene(of);
}

// One is another process's, and that has threads.
BOOST_AUTO_TEST_CASE(a_holder_of_threads, *needs("bpf") * boost::unit_test::
    description("STACK9_WAIT_ALL_HOLDERS: nobody else can end the wait"))
{
	scene of([](stage &s) {
		static char file[] = "/tmp/stack9-waits-XXXXXX";
		static int fds[2];
		fds[0] = mkstemp(file);
		fds[1] = open(file, O_RDWR);
		begin_process(s, 0, [] {
			flock(open(file, O_RDWR), LOCK_EX);
			std::thread([] { pause(); }).detach();
		});
		act(s, 1, STACK9_WAIT_FLOCK, 0, [] { flock(fds[1], LOCK_EX); },
		    true);
		unlink(file);
	});
	all_found all = check_scene(of);
	const found &f = all[of.get().actors[1].tid];
	BOOST_TEST((f.flags & STACK9_WAIT_ALL_HOLDERS) == 0u);
}

// Two threads wait, each for a range of the file that another process has.  One
// has given its range by the position in the file.  This is not seen.
BOOST_AUTO_TEST_CASE(ranges_from_the_position, *needs("bpf") * boost::
    unit_test::description("BUGS: If threads of the process wait for several "
    "locks of that file, no holder is given, and reason says so."))
{
	const auto wait_from = [](int fd, off_t from) {
		struct flock l{};
		l.l_type = F_WRLCK;
		l.l_whence = SEEK_CUR;
		lseek(fd, from, SEEK_SET);
		l.l_len = 10;
		fcntl(fd, F_SETLKW, &l);
	};
	for (const bool another : {false, true}) {
		scene of([=](stage &s) {
			static char file[] = "/tmp/stack9-waits-XXXXXX";
			static int fds[2];
			fds[0] = mkstemp(file);
			fds[1] = open(file, O_RDWR);
			for (int i = 0; i < 2; i++)
				begin_process(s, i, [=] {
					lock_range(open(file, O_RDWR), F_SETLK,
					    100 * i, 100);
				});
			act(s, 2, STACK9_WAIT_FILE_LOCK, another ? -1 : 1,
			    [=] { wait_from(fds[0], 150); }, true);
			if (another)
				act(s, 3, STACK9_WAIT_FILE_LOCK, 0, [] {
					lock_range(fds[1], F_SETLKW, 50, 10);
				}, true);
			unlink(file);
		});
		all_found all = check_scene(of);
		const found &f = all[of.get().actors[2].tid];
		if (another)
			BOOST_TEST(f.reason == "which of several locks is in "
			    "its way is not known");
	}
}

} // namespace
