// Tests stackprint(1), DIAGNOSTICS: every refusal names what is missing and
// what would help.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <initializer_list>

#include <fcntl.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <require.h>

#include "child.h"
#include "fake.h"
#include "lender.h"

using boost::unit_test::description;

namespace {

said
as_nobody(std::vector<std::string> args, const std::string &words,
    void (*become)() = become_nobody)
{
	// Not by its path, whose folders nobody may not be let into.
	args.insert(args.begin(), "/proc/self/fd/9");
	return run(args, {.environment = {"STACK9_FAKE=" + words},
	    .before_exec = [become] {
		    const int fd = open(STACKPRINT_FAKE, O_RDONLY);
		    dup2(fd, 9);
		    become();
	    }});
}

// By root, in a child before exec: what it runs lacks these capabilities, as in
// a container.
void
bounded(std::initializer_list<int> lacking)
{
	for (const int capability : lacking)
		prctl(PR_CAPBSET_DROP, capability);
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

BOOST_AUTO_TEST_CASE(refused_with_the_capabilities_of_kernel_stacks,
    *needs("root") * needs("bpf") *
    description("DIAGNOSTICS: every capability that is needed is held here, "
    "and yet the kernel refused: of another one nothing is said"))
{
	const setup filtered{.environment = {"STACK9_FAKE=no-rights"},
	    .before_exec = [] {
		    bounded({CAP_SYS_ADMIN, CAP_SYS_PTRACE, CAP_SYSLOG});
	    }};
	const said s = run({STACKPRINT_FAKE, "-k", "5000001"}, filtered);
	BOOST_TEST(has(s.err, "the kernel refused"));
	BOOST_TEST(!has(s.err, "missing here"));
	BOOST_TEST(!has(s.err, "--cap-add"));
	BOOST_TEST(has(run({STACKPRINT_FAKE, "--check"}, filtered).out,
	    "what would help\n  to allow bpf(2) in what refuses it: a profile "
	    "of seccomp, lockdown or a user namespace\n"));
}

BOOST_AUTO_TEST_CASE(root_of_a_container, *needs("root")
    *description("DIAGNOSTICS: root lacks them, as in a container: it is "
    "started with them"))
{
	const setup in_container{.environment = {"STACK9_FAKE=no-rights"},
	    .before_exec = [] {
		    bounded({CAP_SYS_ADMIN, CAP_BPF, CAP_PERFMON, CAP_SYSLOG});
	    }};
	const std::string words = "root lacks them, as in a container: start "
	    "that container with these capabilities (--cap-add)";
	const said s = run({STACKPRINT_FAKE, "5000001"}, in_container);
	BOOST_TEST(has(s.err, "stackprint: " + words + "; see"));
	BOOST_TEST(!has(s.err, "sudo"));
	const said c = run({STACKPRINT_FAKE, "--check"}, in_container);
	BOOST_TEST(has(c.out, "what would help\n  " + words + "\n"));
	BOOST_TEST(!has(c.out, "sudo"));
}

BOOST_AUTO_TEST_CASE(another_user_of_a_container, *needs("root")
    *description("DIAGNOSTICS: root would lack them too: neither sudo nor "
    "setcap is named"))
{
	const std::string words = "root would lack them too, as in a "
	    "container: start that container with these capabilities "
	    "(--cap-add)";
	const auto stays_nobody = [] {
		bounded({CAP_SYS_ADMIN, CAP_BPF});
		become_nobody();
	};
	const said s = as_nobody({"5000001"}, "no-rights", stays_nobody);
	BOOST_TEST(has(s.err, "stackprint: " + words + "; see"));
	BOOST_TEST(!has(s.err, "sudo"));
	BOOST_TEST(!has(s.err, "setcap"));
	const said c = as_nobody({"--check"}, "no-rights", stays_nobody);
	BOOST_TEST(has(c.out, "what would help\n  " + words + "\n"));
}

BOOST_AUTO_TEST_CASE(no_new_privileges, *needs("root")
    *description("DIAGNOSTICS: no program can gain them here (no_new_privs)"))
{
	const said s = as_nobody({"5000001"}, "no-rights", [] {
		become_nobody();
		prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	});
	BOOST_TEST(has(s.err, "stackprint: no program can gain them here "
	    "(no_new_privs): start the shell, service or container without "
	    "that; see"));
	BOOST_TEST(!has(s.err, "sudo"));
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
