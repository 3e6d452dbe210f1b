// Tests stackprint --limits on the real library, with a stack of 100 MB.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <filesystem>

#include <alloca.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <require.h>

#include "child.h"
#include "worker.h"

using boost::unit_test::description;

namespace {

constexpr std::size_t deep = 100 << 20, frame = 1 << 18;
int the_input;

[[gnu::noinline]] void
go_down(std::size_t left)
{
	volatile char *const here =
	    static_cast<volatile char *>(alloca(frame));
	here[0] = 1;
	if (left > frame) {
		go_down(left - frame);
	} else {
		char c;
		(void)!read(the_input, &c, 1);
	}
	here[1] = 1;	// so that the call above is not a jump
}

void *
thread(void *)
{
	go_down(deep);
	return nullptr;
}

// The first thread is the one that waits for the deep one.
void
dig(int input)
{
	the_input = input;
	pthread_attr_t how;
	pthread_attr_init(&how);
	pthread_attr_setstacksize(&how, deep + deep / 4);
	pthread_t t;
	if (pthread_create(&t, &how, thread, nullptr) == 0)
		pthread_join(t, nullptr);
}

// Waits until the deep one is at the bottom.  It is there once the first one
// waits for it.
void
wait_until_dug(const worker &w)
{
	BOOST_REQUIRE(wait_for_state(w.pid, 'S', SYS_futex));
	pid_t tid = w.pid;
	for (const auto &task : std::filesystem::directory_iterator("/proc/" +
	    w.name() + "/task"))
		if (const std::string name = task.path().filename();
		    name != w.name())
			tid = std::stoi(name);
	BOOST_REQUIRE(tid != w.pid);
	BOOST_REQUIRE(wait_for_state(tid, 'S', SYS_read));
}

} // namespace

BOOST_AUTO_TEST_SUITE(limits)

BOOST_AUTO_TEST_CASE(a_huge_stack_is_copied_in_part, *needs("root")
    * description("--limits: All that is beyond a limit is left out, and the "
    "last line says so."))
{
	const worker w(dig);
	wait_until_dug(w);
	const said s = run({STACKPRINT, "-u", "-p", w.name()});
	BOOST_TEST(s.status == 1);
	BOOST_TEST(has(s.out, ": more of its stack was in use than is copied"),
	    s.out);
	BOOST_TEST(has(s.out, "; left out: stacks of which only a part was "
	    "copied (1); --limits reads more\n"), s.out);
	const said all = run({STACKPRINT, "--limits", "8", "-u", "-p",
	    w.name()});
	BOOST_TEST(times(all.out, "go_down(unsigned long)+") == deep / frame);
	BOOST_TEST(has(all.out, "2 threads: 2 captured"));
	BOOST_TEST(!has(all.out, "left out"));
}

BOOST_AUTO_TEST_SUITE_END()
