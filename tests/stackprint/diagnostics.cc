// Tests stackprint(1), DIAGNOSTICS: every refusal names what is missing and
// what would help.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <require.h>

#include "child.h"
#include "fake.h"
#include "lender.h"

using boost::unit_test::description;

namespace {

said
as_nobody(std::vector<std::string> args, const std::string &words)
{
	// Not by its path, whose folders nobody may not be let into.
	args.insert(args.begin(), "/proc/self/fd/9");
	return run(args, {.environment = {"STACK9_FAKE=" + words},
	    .before_exec = [] {
		    const int fd = open(STACKPRINT_FAKE, O_RDONLY);
		    dup2(fd, 9);
		    become_nobody();
	    }});
}

} // namespace

BOOST_AUTO_TEST_SUITE(diagnostics)

BOOST_AUTO_TEST_CASE(no_such_thread,
    *description("DIAGNOSTICS: tid N: no such thread"))
{
	const said s = stackprint({"5000000"});
	BOOST_TEST(s.err == "stackprint: tid 5000000: no such thread\n");
	BOOST_TEST(!has(s.out, "kernel"));
}

BOOST_AUTO_TEST_CASE(no_such_process,
    *description("DIAGNOSTICS: pid N: no such process"))
{
	const said s = stackprint({"-p", "4999999"});
	BOOST_TEST(s.err == "stackprint: pid 4999999: no such process\n");
}

BOOST_AUTO_TEST_CASE(without_rights, *needs("root")
    *description("DIAGNOSTICS: without rights: the capabilities that are "
    "missing and the commands that would help, once"))
{
	const std::string self = std::to_string(getpid());
	const said s = as_nobody({self, self}, "no-rights");
	BOOST_TEST(s.status == 2);
	BOOST_TEST(has(s.err, "missing here: CAP_BPF, CAP_PERFMON, "
	    "CAP_SYSLOG\n"));
	BOOST_TEST(has(s.err, "need CAP_SYS_PTRACE, which is missing here\n"));
	BOOST_TEST(has(s.err,
	    "try: sudo /proc/self/fd/9 " + self + " " + self));
	BOOST_TEST(has(s.err, "setcap cap_bpf,cap_perfmon,cap_syslog+ep /"));
	BOOST_TEST(has(s.err, "stackprint --check"));
	BOOST_TEST(times(s.err, "try: sudo") == 1u);
	BOOST_TEST(has(s.out, "2 refused"));
}

BOOST_AUTO_TEST_CASE(asynchronous_captures_without_rights, *needs("root")
    *description("DIAGNOSTICS: asynchronous captures need CAP_BPF and "
    "CAP_PERFMON, ...; missing here: ..."))
{
	const std::string self = std::to_string(getpid());
	const said s = as_nobody({"--async", "-u", self}, "no-rights");
	BOOST_TEST(s.status == 2);
	BOOST_TEST(has(s.err, "stackprint: asynchronous captures need CAP_BPF "
	    "and CAP_PERFMON, names in the kernel CAP_SYSLOG; missing here: "
	    "CAP_BPF, CAP_PERFMON, CAP_SYSLOG\nstackprint: try: sudo "));
	BOOST_TEST(has(s.err, "setcap cap_bpf,"));
	BOOST_TEST(!has(s.err, "stacks of processes"));
}

BOOST_AUTO_TEST_CASE(names_and_states_without_rights, *needs("root")
    *description("RIGHTS: without rights -p still shows the threads, by "
    "name and state"))
{
	const said s = as_nobody({"-p", std::to_string(getpid())}, "no-rights");
	BOOST_TEST(has(s.out, "tid " + std::to_string(getpid())));
	BOOST_TEST(has(s.out, "  kernel  none: bpf(2) was refused\n"));
	BOOST_TEST(has(s.out, "  user    none: bpf(2) was refused\n"));
	BOOST_TEST(!has(s.out, "state unknown"));
}

BOOST_AUTO_TEST_CASE(one_by_one_where_no_pass_is_possible,
    *description("-p: Where no pass over all threads can be made, they are "
    "taken one by one."))
{
	const said s = stackprint({"-p", std::to_string(getpid())}, "no-pass");
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "ep_poll"));
	BOOST_TEST(has(s.out, "1 captured"));
}

BOOST_AUTO_TEST_CASE(refused_with_all_capabilities,
    *needs("bpf")
    *description("DIAGNOSTICS: refused although nothing is missing"))
{
	const said s = stackprint({"5000001"}, "no-rights");
	BOOST_TEST(has(s.err, "the kernel refused"));
	BOOST_TEST(!has(s.err, "setcap"));
}

BOOST_AUTO_TEST_CASE(hidden_names,
    *description("DIAGNOSTICS: names are hidden ... CAP_SYSLOG is missing."))
{
	const said s = stackprint({"5000001"}, "names-hidden");
	BOOST_TEST(s.status == 0);
	BOOST_TEST(has(s.out, "  kernel  ??  0xffffffff81000010\n"));
	BOOST_TEST(has(s.out, "sleeping, cpu 1\n"));
	BOOST_TEST(times(s.err, "names are hidden") == 1u);
}

BOOST_AUTO_TEST_CASE(a_machine_that_cannot,
    *description("DIAGNOSTICS: this machine cannot do all of it"))
{
	BOOST_TEST(has(stackprint({std::to_string(fake::impossible)}).err,
	    "this machine cannot do all of it; see stackprint --check"));
}

BOOST_AUTO_TEST_CASE(messages_go_to_stderr,
    *description("OUTPUT: Stacks go to standard output, messages to standard "
    "error."))
{
	const said s = stackprint({"-p", "5000000"});
	BOOST_TEST(!has(s.out, "stackprint:"));
	BOOST_TEST(!has(s.err, "kernel  "));
}

BOOST_AUTO_TEST_SUITE_END()
