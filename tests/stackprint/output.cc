// Tests stackprint(1), OUTPUT: what a kernel stack looks like, to the
// character, and what is the same for either side.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include "child.h"
#include "fake.h"

using boost::unit_test::description;

namespace {

std::string
tid(pid_t t)
{
	return std::to_string(t);
}

std::string
out(pid_t t, const std::vector<std::string> &more = {},
    const std::string &words = "")
{
	std::vector<std::string> args = more;
	args.push_back(tid(t));
	return stackprint(args, words).out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(output)

BOOST_AUTO_TEST_CASE(as_procstat,
    *description("--procstat: Print kernel stacks in the columns that procstat "
    "-kk of FreeBSD 12 and later has"))
{
	const std::string head = "  PID    TID COMM                TDNAME     "
	    "         KSTACK                       \n";
	BOOST_TEST(out(fake::whole, {"--procstat"}) == head +
	    "5000000 5000001 nginx               -                   "
	    "schedule+0x10 ep_poll+0x31e nft_do_chain+0xa0 \n");
	BOOST_TEST(out(fake::user_mode, {"--procstat"}) == head +
	    "5000000 5000008 spin                -                   "
	    "<running>                    \n");
	for (const char *other : {"--json", "--group", "-u", "--async"})
		BOOST_TEST(stackprint({"--procstat", other, "1"}).status == 64,
		    other);
	BOOST_TEST(stackprint({"--group", "--no-group", "1"}).status == 64);
}

BOOST_AUTO_TEST_CASE(a_whole_stack,
    *description("OUTPUT: a header, a line for each frame, innermost first, "
    "and a word on completeness; then one line of counts"))
{
	BOOST_TEST(out(fake::whole, {"-k"}) ==
	    "nginx  pid 5000000  tid 5000001  sleeping in ep_poll, cpu 1\n"
	    "  kernel  schedule+0x10\n"
	    "          ep_poll+0x31e\n"
	    "          nft_do_chain+0xa0  [nf_tables]\n"
	    "          complete\n"
	    "1 thread: 1 captured, 0 partial, 0 in user mode, 0 failed, "
	    "0 refused, 0 gone\n");
}

BOOST_AUTO_TEST_CASE(a_return_address_is_looked_up_one_byte_before,
    *description("OUTPUT: A return address belongs to the function that "
    "called, even where the call is its last instruction."))
{
	BOOST_TEST(has(out(fake::at_end), "  kernel  do_exit+0x100\n"));
}

BOOST_AUTO_TEST_CASE(an_interrupted_pc_is_looked_up_as_it_is,
    *description("OUTPUT: The address where a running thread was met is looked "
    "up as it is."))
{
	BOOST_TEST(has(out(fake::interrupted),
	    "  kernel  next_function+0x0\n"));
}

BOOST_AUTO_TEST_CASE(an_address_without_a_name_is_shown,
    *description("OUTPUT: an address that no symbol covers is ?? and the "
    "address"))
{
	BOOST_TEST(has(out(fake::nameless),
	    "  kernel  ??  0xffffffff90000000\n"));
	BOOST_TEST(has(out(fake::nameless, {"-v"}),
	    "  kernel  0xffffffff90000000  ??\n"));
}

BOOST_AUTO_TEST_CASE(v_shows_addresses,
    *description("-v: Print the raw address before each name."))
{
	BOOST_TEST(has(out(fake::whole, {"-v"}),
	    "  kernel  0xffffffff81000010  schedule+0x10\n"
	    "          0xffffffff8100131e  ep_poll+0x31e\n"
	    "          0xffffffffc00000a0  nft_do_chain+0xa0  [nf_tables]\n"));
}

BOOST_AUTO_TEST_CASE(names_alone_are_printed_as_they_came,
    *description("OUTPUT: A route that has names and no addresses gives the "
    "names as the kernel wrote them."))
{
	const char *lines = "text  pid 5000000  tid 5000004  sleeping in "
	    "pipe_read, cpu 1\n"
	    "  kernel  schedule+0x10/0x90\n"
	    "          pipe_read+0x2f/0x1a0 [pipes]\n"
	    "          complete\n";
	BOOST_TEST(has(out(fake::text), lines));
	BOOST_TEST(has(out(fake::text, {"-v"}), lines));
}

BOOST_AUTO_TEST_CASE(n_cuts_and_says_so,
    *description("--frames: at most n frames; a stack that is cut is "
    "truncated and says at what depth"))
{
	BOOST_TEST(has(out(fake::deep, {"--frames", "2"}),
	    "  kernel  ep_poll+0x31e\n"
	    "          ep_poll+0x31e\n"
	    "          truncated at 2, 38 more\n"));
	BOOST_TEST(has(out(fake::deep, {"--frames", "40"}), "complete"));
	const said all =
	    stackprint({"--frames", "1", "-p", tid(fake::process)});
	BOOST_TEST(has(all.out, "  kernel  schedule+0x10\n"
	    "          truncated at 1, 2 more\n"));
	BOOST_TEST(has(all.out, "truncated at 1, 4 more"));
}

BOOST_AUTO_TEST_CASE(what_is_missing_is_reported,
    *description("OUTPUT: complete, truncated at a depth, or why the rest is "
    "missing"))
{
	BOOST_TEST(has(out(fake::truncated), "truncated at 3, 2 more\n"));
	BOOST_TEST(has(out(fake::torn_short),
	    "          stopped: no unwind information\n"));
}

BOOST_AUTO_TEST_CASE(a_thread_without_a_stack_says_why_in_one_line,
    *description("OUTPUT: A thread that gives no stack says why in one line."))
{
	BOOST_TEST(has(out(fake::user_mode, {"-k"}),
	    "spin  pid 5000000  tid 5000008  running, cpu 1\n"
	    "  kernel  none: running in user mode\n1 thread"));
	BOOST_TEST(has(out(fake::torn, {"-k"}), "  kernel  none: ran each "
	    "time while its stack was being read\n1 thread"));
	BOOST_TEST(has(out(fake::refused, {"-k"}),
	    "  kernel  none: bpf(2) was refused\n1 thread"));
	BOOST_TEST(has(out(fake::impossible, {"-k"}),
	    "  kernel  none: this kernel has no BTF\n1 thread"));
}

BOOST_AUTO_TEST_CASE(states_are_words,
    *description("OUTPUT: the state, in a word"))
{
	const std::string all = stackprint({"-a"}).out;
	for (const char *state : {"  sleeping in ep_poll,", "  disk sleep in "
		 "do_exit,", "  running,", "  idle,", "  stopped,",
		 "  parked,", "  traced,"})
		BOOST_TEST(has(all, state), state);
}

BOOST_AUTO_TEST_CASE(no_name_acts_on_the_terminal,
    *description("OUTPUT: Bytes other than printable ASCII are written as "
    "\\ooo in octal, and a backslash is doubled."))
{
	const std::string all = out(fake::hostile);
	BOOST_TEST(has(all, "a\\012\\033]0;b\\303\\233  pid 5000000"));
	BOOST_TEST(has(all, "bad\\033[2J\\\\name\\012+0x8  [m\\001d]\n"));
	for (const char c : all)
		BOOST_TEST((c == '\n' || (c >= 0x20 && c < 0x7f)));
}

BOOST_AUTO_TEST_CASE(p_prints_all_threads,
    *description("-p: Print all threads of process pid."))
{
	const said all = stackprint({"-p", tid(fake::process)});
	for (pid_t t = fake::whole; t < fake::end; t++)
		BOOST_TEST(has(all.out + all.err, "tid " + tid(t)), t);
}

BOOST_AUTO_TEST_CASE(several_threads_in_their_order,
    *description("SYNOPSIS: tid ..."))
{
	const said s = stackprint({tid(fake::interrupted), tid(fake::whole)});
	BOOST_TEST(s.out.find("irq") < s.out.find("nginx"));
	BOOST_TEST(s.status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
