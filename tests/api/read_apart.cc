// Tests stack9(3), Files of other processes: stack9_read_apart() changes who
// reads them, and nothing else.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <require.h>
#include <stack9.h>

#include "lib/queued.h"
#include "child.h"

using boost::unit_test::description;

extern "C" void inlined_waits(int fd);

namespace {

std::vector<std::uint64_t>
addresses(const stack9_stack &s)
{
	return {s.pcs, s.pcs + s.depth};
}

std::vector<std::string>
frames_of(const stack9_stack &s)
{
	std::vector<std::string> all;
	stack9_frames(&s, STACK9_FRAMES_LINES, [](void *to,
	    const stack9_frame *f) {
		static_cast<std::vector<std::string> *>(to)->push_back(
		    std::to_string(f->kind) + " " + f->name + " " +
		    f->linkage + " " + f->module + " " +
		    std::to_string(f->offset) + " " +
		    std::to_string(f->vaddr) + " " +
		    std::to_string(f->build_id_size) + " " + f->file + ":" +
		    std::to_string(f->line));
		return 0;
	}, &all);
	return all;
}

// Stacks of all lengths: of one frame, of more than a pass copies at once, and
// of more than fits the memory that both processes share.
[[gnu::noinline]] void
go_down(unsigned int levels, int fd)
{
	volatile char frame[1024];
	frame[0] = 0;
	if (levels > 0)
		go_down(levels - 1, fd);
	else
		api::child_waits(fd);
	frame[0] = frame[0] + 1;
}

void
many_threads(int fd)
{
	constexpr unsigned int levels[] = {0, 3, 7, 30, 100, 1500};
	std::vector<std::thread> all;
	for (int i = 0; i < 100; i++)
		all.emplace_back([=] {
			go_down(levels[i % std::size(levels)], fd);
		});
	go_down(5, fd);
	for (std::thread &each : all)
		each.join();
}

// A capture may interrupt them, and then they enter the system call again, from
// another address than the one they return to.
void
wait_for_reads(const api::child &of)
{
	for (const auto &task : std::filesystem::directory_iterator("/proc/" +
	    std::to_string(of.pid()) + "/task"))
		while (!is_in_call(std::stoi(task.path().filename()),
		    SYS_read))
			sched_yield();
}

// Each thread's frames and how they end, in the order of the pass.
std::vector<std::string>
stacks_of(const api::child &of)
{
	wait_for_reads(of);
	std::vector<std::string> all;
	const stack9_thread td{of.pid(), of.pid(), 0};
	stack9_save_options o{};
	o.size = sizeof o;
	o.frames = 1024;
	BOOST_TEST(stack9_each(&td, STACK9_USER, &o, [](void *to,
	    const stack9_sample *s) {
		std::string text = std::to_string(s->thread.tid) + " " +
		    std::to_string(s->user->error) + " " +
		    std::to_string(s->user->why) + " " +
		    std::to_string(s->user->flags) + " " +
		    std::to_string(s->user->dropped) + " " + s->user->reason;
		for (const std::uint64_t pc : addresses(*s->user))
			text += " " + std::to_string(pc);
		static_cast<std::vector<std::string> *>(to)->push_back(text);
		return 0;
	}, &all) == 0);
	return all;
}

void
wait_for_sleepers(const api::child &of, std::size_t many)
{
	const stack9_thread td{of.pid(), of.pid(), 0};
	for (;;) {
		std::size_t asleep = 0;
		stack9_each(&td, STACK9_USER, nullptr, [](void *to,
		    const stack9_sample *s) {
			*static_cast<std::size_t *>(to) += api::has(
			    api::names_of(s->user), "read");
			return 0;
		}, &asleep);
		if (asleep == many)
			return;
	}
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_apart, *needs("ptrace"))

BOOST_AUTO_TEST_CASE(the_same_stacks_and_names,
    *description("Files of other processes: The stacks and names are the same "
    "as without it"))
{
	const api::child other(inlined_waits);
	other.wait_for_sleep();
	const auto before = api::save(other.thread(), STACK9_USER);
	const auto frames = frames_of(*before->user);
	BOOST_TEST(api::has(api::names_of(before->user, STACK9_FRAMES_LINES),
	    "in_line"));
	const api::child with_threads(many_threads);
	wait_for_sleepers(with_threads, 101);
	const auto stacks = stacks_of(with_threads);
	BOOST_TEST_REQUIRE(stack9_read_apart(0) == 0);
	BOOST_TEST(stack9_read_apart(0) == 0);
	other.wait_for_sleep();
	const auto after = api::save(other.thread(), STACK9_USER);
	BOOST_TEST(addresses(*after->user) == addresses(*before->user),
	    boost::test_tools::per_element());
	BOOST_TEST(after->user->why == before->user->why);
	BOOST_TEST(after->user->flags == before->user->flags);
	BOOST_TEST(frames_of(*after->user) == frames,
	    boost::test_tools::per_element());
	BOOST_TEST(stacks_of(with_threads) == stacks,
	    boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(not_after_fork,
    *description("After fork(2) the new process cannot ask it, and reads no "
    "files."))
{
	BOOST_TEST_REQUIRE(stack9_read_apart(0) == 0);
	const api::child other(api::child_waits);
	other.wait_for_sleep();
	const pid_t pid = fork();
	if (pid == 0) {
		const stack9_thread td = other.thread();
		stack9_sample *s = nullptr;
		const int error = stack9_save(&td, STACK9_USER, nullptr, &s);
		_exit(error == EIO && s != nullptr && s->user->depth == 0 ?
		    0 : 1);
	}
	int status = -1;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
	BOOST_TEST(api::save(other.thread(), STACK9_USER)->user->depth > 2u);
}

BOOST_AUTO_TEST_SUITE_END()
