// stack9(3), Files of other processes: stack9_read_apart() changes who reads
// them, and nothing else.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <require.h>
#include <stack9.h>

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
	BOOST_TEST_REQUIRE(stack9_read_apart(0) == 0);
	BOOST_TEST(stack9_read_apart(0) == 0);
	const auto after = api::save(other.thread(), STACK9_USER);
	BOOST_TEST(addresses(*after->user) == addresses(*before->user),
	    boost::test_tools::per_element());
	BOOST_TEST(after->user->why == before->user->why);
	BOOST_TEST(after->user->flags == before->user->flags);
	BOOST_TEST(frames_of(*after->user) == frames,
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
