// Tests stackprint(1), OUTPUT: what a user stack looks like, to the character,
// and what the two sides have to do with each other.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(user_side)

namespace {

std::string
out(pid_t t, std::vector<std::string> args = {}, const std::string &words = "")
{
	args.push_back(std::to_string(t));
	return stackprint(args, words).out;
}

const char *const kernel_part =
    "  kernel  schedule+0x10\n"
    "          ep_poll+0x31e\n"
    "          nft_do_chain+0xa0  [nf_tables]\n"
    "          complete\n";
const char *const user_part =
    "  user    epoll_wait+0x5e                 libc.so.6\n"
    "          ngx::process::events(int)+0x4d  nginx (deleted)\n"
    "          ngx_worker_process_cycle+0x8b   nginx (deleted)\n"
    "          main+0x9c5                      nginx (deleted)\n"
    "          complete\n";

} // namespace

BOOST_AUTO_TEST_CASE(both_stacks,
    *description("OUTPUT: the kernel stack above the user stack, each with a "
    "word on completeness"))
{
	BOOST_TEST(out(fake::whole) ==
	    "nginx  pid 5000000  tid 5000001  sleeping in ep_poll, cpu 1\n" +
	    std::string(kernel_part) + user_part +
	    "1 thread: 1 captured, 0 partial, 0 failed, 0 refused, 0 gone\n");
}

BOOST_AUTO_TEST_CASE(one_side_alone,
    *description("-k: Print kernel stacks only. Print user stacks only."))
{
	BOOST_TEST(out(fake::whole, {"-u"}) ==
	    "nginx  pid 5000000  tid 5000001  sleeping, cpu 1\n" +
	    std::string(user_part) + "1 thread: 1 captured, 0 partial, "
	    "0 kernel threads, 0 failed, 0 refused, 0 gone\n");
	const std::string kernel = out(fake::whole, {"-k"});
	BOOST_TEST(has(kernel, kernel_part));
	BOOST_TEST(!has(kernel, "  user"));
	for (const char *side : {"-k", "-u", "-ku"}) {
		const said s = stackprint({side, "-p", "5000000"});
		BOOST_TEST(has(s.out, "  kernel  ") == (side[1] == 'k'));
		BOOST_TEST(has(s.out, "  user    ") ==
		    (std::string(side) != "-k"));
	}
}

BOOST_AUTO_TEST_CASE(a_pass_gives_what_one_by_one_gives,
    *description("-p: in one pass; each thread has its own two stacks"))
{
	std::vector<std::string> tids;
	for (pid_t t = fake::whole; t < fake::end; t++)
		tids.push_back(std::to_string(t));
	BOOST_TEST(stackprint(tids).out == stackprint({"-p", "5000000"}).out);
}

BOOST_AUTO_TEST_CASE(in_user_mode_there_is_a_user_stack,
    *description("OUTPUT: a thread in user mode has no kernel stack and is "
    "captured with its user stack"))
{
	BOOST_TEST(has(out(fake::user_mode),
	    "  kernel  none: running in user mode\n" + std::string(user_part) +
	    "1 thread: 1 captured"));
}

BOOST_AUTO_TEST_CASE(kernel_threads_have_no_user_section,
    *description("OUTPUT: Nothing is said of a kernel thread's user stack."))
{
	BOOST_TEST(out(fake::kthread) == "kworker/0:1  pid 5000000  "
	    "tid 5000014  idle in ep_poll, cpu 1\n" + std::string(kernel_part) +
	    "1 thread: 1 captured, 0 partial, 0 failed, 0 refused, 0 gone\n");
	BOOST_TEST(has(out(fake::kthread, {"-u"}), "  user    none: a kernel "
	    "thread: it has no user stack\n"));
	const said all = stackprint({"-u", "-p", "5000000"});
	BOOST_TEST(!has(all.out, "kworker"));
	BOOST_TEST(has(all.out, " 1 kernel threads, "));
}

BOOST_AUTO_TEST_CASE(source_lines,
    *description("-l: Print the source file and line of user frames. The line "
    "is a line of the function that the frame names."))
{
	BOOST_TEST(has(out(fake::whole, {"-l"}),
	    "  user    epoll_wait+0x5e                 libc.so.6\n"
	    "          ngx::process::events(int)+0x4d  nginx (deleted)  "
	    "events.cc:800\n"
	    "          ngx_worker_process_cycle+0x8b   nginx (deleted)\n"
	    "          main+0x9c5                      nginx (deleted)  "
	    "nginx.c:387\n"
	    "          complete\n"));
}

BOOST_AUTO_TEST_CASE(inlined_calls,
    *description("-I: Print inlined calls as frames of their own, marked "
    "(inlined), above the function that they are in."))
{
	BOOST_TEST(has(out(fake::whole, {"-I"}),
	    "          ngx::step() (inlined)           nginx (deleted)\n"
	    "          ngx::process::events(int)+0x4d  nginx (deleted)\n"));
	BOOST_TEST(has(out(fake::whole, {"-Il"}),
	    "          ngx::step() (inlined)           "
	    "nginx (deleted)  step.h:12\n"
	    "          ngx::process::events(int)+0x4d  nginx (deleted)  "
	    "events.cc:800\n"));
}

BOOST_AUTO_TEST_CASE(debuginfod_is_asked_on_request,
    *description("--debuginfod: Nothing leaves the machine unless this option "
    "is given."))
{
	BOOST_TEST(has(out(fake::whole, {"-l", "--debuginfod"}),
	    "cycle.c:721\n"));
	BOOST_TEST(!has(out(fake::whole, {"-l"}), "cycle.c"));
}

BOOST_AUTO_TEST_CASE(names_for_people_or_as_they_are,
    *description("-R: Print the names of the symbol table."))
{
	const std::string raw = out(fake::whole, {"-R", "-I"});
	BOOST_TEST(has(raw, " _ZN3ngx7process6eventsEi+0x4d  "
	    "nginx (deleted)\n"));
	BOOST_TEST(has(raw, " _ZN3ngx4stepEv (inlined)"));
}

BOOST_AUTO_TEST_CASE(v_shows_addresses_paths_and_build_ids,
    *description("-v: Print the raw address before each name. The modules of a "
    "user stack are listed below it, once a process: the address where a "
    "module begins, its path, and its build-id if it has one."))
{
	const std::string ab(40, 'b'), modules =
	    "  modules 0x00007ffff7a00000  /usr/lib/libc.so.6  build-id "
	    "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd\n"
	    "          0x0000555555554000  /usr/sbin/nginx (deleted)  build-id "
	    "abababababababababababababababababababab\n";
	const std::string all = out(fake::whole, {"-vIl"});
	BOOST_TEST(has(all,
	    "  user    0x00007ffff7a0805e  epoll_wait+0x5e                 "
	    "libc.so.6\n"
	    "                              ngx::step() (inlined)           "
	    "nginx (deleted)  /src/step.h:12\n"
	    "          0x000055555555704d  ngx::process::events(int)+0x4d  "
	    "nginx (deleted)  /src/events.cc:800\n"));
	BOOST_TEST(has(all, "          complete\n" + modules + "1 thread"));
	const said many = stackprint({"-v", "-p", "5000100"});
	BOOST_TEST(times(many.out, "build-id cd") == 1u);
}

BOOST_AUTO_TEST_CASE(what_has_no_name,
    *description("OUTPUT: An address that has no name is ?? and the address. "
    "In user space the file and the distance in it follow."))
{
	BOOST_TEST(has(out(fake::nameless),
	    "  user    epoll_wait+0x5e         libc.so.6\n"
	    "          ??  0x000055555555d123  nginx (deleted)+0x9123\n"
	    "          ??  0x00007fff00000040\n"));
	BOOST_TEST(has(out(fake::nameless, {"-v"}),
	    "          0x000055555555d123  ??               "
	    "nginx (deleted)+0x9123\n"
	    "          0x00007fff00000040  ??\n"));
}

BOOST_AUTO_TEST_CASE(n_cuts_each_side,
    *description("--frames: Print at most n frames of each stack."))
{
	const std::string cut = out(fake::deep, {"--frames", "1"});
	BOOST_TEST(times(cut, "          truncated at 1, 39 more\n") == 2u);
	const said all = stackprint({"--frames", "1", "-p", "5000000"});
	BOOST_TEST(has(all.out, "          truncated at 1, 3 more\n"));
	BOOST_TEST(has(all.out, "          truncated at 1, 10 more\n"));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_reported,
    *description("OUTPUT: the last line of a user stack: complete, truncated, "
    "stopped and why"))
{
	BOOST_TEST(has(out(fake::truncated), "truncated at 4, 7 more\n1 thr"));
	BOOST_TEST(has(out(fake::torn_short), "          stopped: no unwind "
	    "information in lib\\033odd.so\n"));
	const char *registers = "          stopped: needs registers that are "
	    "not known here";
	BOOST_TEST(has(out(fake::registers), registers +
	    std::string("; --stop would find them\n")));
	BOOST_TEST(has(out(fake::registers, {"--stop"}), registers +
	    std::string("\n")));
	BOOST_TEST(has(out(fake::by_pointers),
	    "          complete, by frame pointers in part\n"));
}

BOOST_AUTO_TEST_CASE(who_was_stopped,
    *description("OUTPUT: stopped for the copy: where nothing but ptrace(2) "
    "was allowed and --stop not given"))
{
	BOOST_TEST(has(out(fake::by_ptrace),
	    "          complete, stopped for the copy\n"));
	BOOST_TEST(!has(out(fake::by_ptrace, {"--stop"}), "stopped for"));
	BOOST_TEST(stackprint({std::to_string(fake::by_ptrace)}).status == 0);
}

BOOST_AUTO_TEST_CASE(why_there_is_none,
    *description("OUTPUT: none and why; who traces it, by pid and name"))
{
	BOOST_TEST(has(out(fake::user_refused), kernel_part +
	    std::string("  user    none: ptrace(2) was refused\n")));
	BOOST_TEST(has(out(fake::dying),
	    "  user    none: exiting; its stack is gone\n"));
	const std::string us = "traced by pid " + std::to_string(getpid());
	BOOST_TEST(has(out(fake::traced), "  user    none: " + us +
	    " (test_stackprint)\n"));
}

BOOST_AUTO_TEST_CASE(no_name_acts_on_the_terminal,
    *description("OUTPUT: Bytes other than printable ASCII are written as "
    "\\ooo in octal."))
{
	BOOST_TEST(has(out(fake::hostile), "bad\\377\\033name+0x8  "
	    "nginx (deleted)\n"));
	for (const char c : out(fake::hostile) + out(fake::torn_short))
		BOOST_TEST((c == '\n' || (c >= 0x20 && c < 0x7f)));
}

BOOST_AUTO_TEST_CASE(stop_needs_its_route,
    *description("--stop: by ptrace(2); without a route of that name nothing "
    "is printed"))
{
	BOOST_TEST(stackprint({"--stop", "5000001"}).status == 0);
	const said s = stackprint({"--stop", "5000001"}, "no-ptrace");
	BOOST_TEST(s.status == 2);
	BOOST_TEST(s.out == "");
	BOOST_TEST(has(s.err, "--stop: "));
}

BOOST_AUTO_TEST_CASE(user_stacks_without_kernel_stacks,
    *description("RIGHTS: where kernel stacks are refused, user stacks are "
    "still shown"))
{
	for (const char *p : {"-p", "-u"}) {
		const std::string self = std::to_string(getpid());
		const said s = stackprint({p, self}, "no-kernel");
		BOOST_TEST(has(s.out, "  user    epoll_wait+0x5e"));
	}
	BOOST_TEST(has(out(fake::whole, {}, "no-kernel"),
	    "  kernel  none: bpf(2) was refused\n" + std::string(user_part) +
	    "1 thread: 0 captured, 1 partial"));
}

BOOST_AUTO_TEST_SUITE_END()
