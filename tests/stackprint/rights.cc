// Tests stackprint(1), RIGHTS: with capabilities of its file it shows its
// caller what the caller might trace, and no more.  The copies made here hold
// them and run as nobody, on the fake library: the kernel asked is real.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fstream>
#include <iterator>
#include <string>

#include <require.h>

#include "lender.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(rights, *needs("root"))

namespace {

constexpr const char *usual = "cap_bpf,cap_perfmon,cap_syslog+ep";

bool
shown(const said &s)
{
	return has(s.out, " ep_poll+") && has(s.out, " epoll_wait+");
}

bool
refused(const said &s)
{
	const std::string why =
	    "none: not yours: ptrace would be refused too\n";
	return !shown(s) && has(s.out, "  kernel  " + why + "  user    " +
	    why) && has(s.out, "1 refused") && !has(s.out, "epoll_wait") &&
	    !has(s.out, "0xffff") && s.status == 2;
}

} // namespace

// Otherwise its copy in another user's hands needs files of this build.  That
// user may not be able to reach them.
BOOST_AUTO_TEST_CASE(the_fake_library_has_all_calls)
{
	std::ifstream in(STACKPRINT_FAKE, std::ios::binary);
	const std::string bytes(std::istreambuf_iterator<char>(in), {});
	BOOST_TEST(bytes.size() > 100000u);
	BOOST_TEST(!has(bytes, "libstack9.so"));
}

BOOST_AUTO_TEST_CASE(own_thread_is_shown,
    *description("RIGHTS: a thread that the caller might trace is shown"))
{
	const victim own(nobody, true);
	const said s = lender(usual)({own.name()});
	BOOST_TEST(shown(s));
	BOOST_TEST(s.status == 0);
}

BOOST_AUTO_TEST_CASE(strangers_thread_is_refused,
    *description("RIGHTS: A thread of another user, of a set-user-ID program, "
    "or one that is not dumpable is refused, its kernel stack too."))
{
	const victim roots(0, true);
	const lender lends(usual);
	const said s = lends({roots.name()});
	BOOST_TEST(refused(s));
	BOOST_TEST(has(s.err, "might trace"));
	BOOST_TEST(refused(lends({"-p", roots.name()})));
}

BOOST_AUTO_TEST_CASE(secret_thread_is_refused,
    *description("RIGHTS: the caller's own thread is refused if ptrace(2) "
    "would be, as for one that is not dumpable"))
{
	const victim secret(nobody, false);
	BOOST_TEST(refused(lender(usual)({secret.name()})));
}

BOOST_AUTO_TEST_CASE(cap_sys_ptrace_of_the_file_is_not_the_callers,
    *description("RIGHTS: no capability of the file takes part in the "
    "question"))
{
	const victim roots(0, true);
	BOOST_TEST(refused(lender("cap_sys_ptrace,cap_dac_override+ep")(
	    {roots.name()})));
}

BOOST_AUTO_TEST_CASE(asked_again_after_the_capture,
    *description("RIGHTS: The thread's stacks are shown only if the answer is "
    "yes both times."))
{
	const victim own(nobody, true);
	BOOST_TEST(refused(lender(usual)({own.name()}, "turn")));
}

BOOST_AUTO_TEST_CASE(a_process_is_asked_thread_by_thread,
    *description("RIGHTS: with -p and -a as well"))
{
	const victim own(nobody, true), roots(0, true);
	const lender lends(usual);
	BOOST_TEST(shown(lends({"-p", own.name()})));
	const said all = lends({"-a"});
	BOOST_TEST(has(all.out, "pid " + own.name() + "  tid " + own.name() +
	    "  sleeping in ep_poll"));
	const std::string header = "tid " + roots.name() + "  ";
	const auto at = all.out.find(header);
	BOOST_REQUIRE(at != all.out.npos);
	BOOST_TEST(all.out.compare(all.out.find('\n', at) + 1, 24,
	    "  kernel  none: not your") == 0);
}

BOOST_AUTO_TEST_CASE(set_user_id_is_the_same,
    *description("RIGHTS: The same holds for a set-user-ID copy."))
{
	const victim own(nobody, true), roots(0, true);
	const lender lends(nullptr);
	BOOST_TEST(shown(lends({own.name()})));
	BOOST_TEST(refused(lends({roots.name()})));
}

BOOST_AUTO_TEST_CASE(root_is_root,
    *description("RIGHTS: Root is root."))
{
	const victim theirs(nobody, false);
	BOOST_TEST(shown(lender(usual)({theirs.name()}, "", nullptr)));
}

BOOST_AUTO_TEST_CASE(rights_of_the_caller_are_not_questioned,
    *description("RIGHTS: capabilities that the caller itself holds are the "
    "caller's"))
{
	const victim roots(0, true);
	const said s = stackprint({roots.name()});
	BOOST_TEST(shown(s));
}

BOOST_AUTO_TEST_CASE(addresses_are_withheld,
    *description("RIGHTS: Raw kernel addresses are shown only if "
    "/proc/kallsyms shows them to the caller."))
{
	const victim own(nobody, true);
	const said kallsyms = run({"/usr/bin/head", "-c", "16",
	    "/proc/kallsyms"}, {.before_exec = become_nobody});
	const bool hidden = kallsyms.out.find_first_not_of('0') ==
	    std::string::npos;
	const lender lends(usual);
	const said s = lends({"-v", own.name()});
	BOOST_TEST(shown(s));
	BOOST_TEST(has(s.out, "0xffff") == !hidden);
	BOOST_TEST(has(s.err, "addresses are withheld") == hidden);
	const said unnamed = lends({own.name()}, "names-hidden");
	BOOST_TEST(has(unnamed.out, "  kernel  ??"));
	BOOST_TEST(has(unnamed.out, "0xffff") == !hidden);
}

BOOST_AUTO_TEST_CASE(pin_is_not_for_lent_rights,
    *description("RIGHTS: --pin is refused."))
{
	const said s = lender(usual)({"--pin", "/bpffs"});
	BOOST_TEST(s.status == 2);
	BOOST_TEST(has(s.err, "--pin: not with the file's capabilities"));
}

BOOST_AUTO_TEST_CASE(names_are_read_with_the_callers_rights,
    *description("RIGHTS: what is mapped is read with the caller's rights, and "
    "user stacks are named after all rights of the file are given up"))
{
	const victim own(nobody, true);
	for (const char *caps : {usual, static_cast<const char *>(nullptr)}) {
		const said s = lender(caps)({own.name()}, "rights");
		BOOST_TEST(shown(s));
		BOOST_TEST(times(s.err, "open: effective 0 permitted 1") == 1u);
		BOOST_TEST(has(s.err, "save: effective 1"));
		BOOST_TEST(has(s.err,
		    "name: effective 0 permitted 0 euid 0\n"));
		BOOST_TEST(!has(s.err, "name: effective 1"));
		BOOST_TEST(!has(s.err, "name: effective 0 permitted 1"));
	}
	const said roots = stackprint({own.name()}, "rights");
	BOOST_TEST(has(roots.err, "name: effective 1 permitted 1"));
}

// The words of the fake library say with which rights it is asked.
BOOST_AUTO_TEST_CASE(rights_that_cannot_be_lowered,
    *description("RIGHTS: what is mapped is read with the caller's rights, and "
    "not at all if the file's rights cannot be lowered"))
{
	const victim own(nobody, true);
	const lender lends(usual);
	for (const char *how : {"-u", "--stop", "-p", "--async"}) {
		int failed = 0;
		for (int at = 1; at < 20; at++) {
			const said s = lends({how, own.name()},
			    "rights,caps-fail-at-" + std::to_string(at));
			failed += has(s.err, "caps failed");
			BOOST_TEST(!has(s.err, "open: effective 1"), at);
			if (std::string(how) == "--stop")
				BOOST_TEST(!has(s.err, "save: effective 1"),
				    at);
			// A stack comes with the space of its process.
			if (has(s.err, "save: effective"))
				BOOST_TEST(has(s.err, "open: effective 0"),
				    at);
		}
		BOOST_TEST(failed > 3, how);
	}
}

BOOST_AUTO_TEST_CASE(threads_are_stopped_with_the_callers_rights,
    *description("RIGHTS: --stop stops threads with the caller's rights"))
{
	const victim own(nobody, true), roots(0, true);
	const lender lends(usual);
	const said s = lends({"--stop", own.name()}, "rights");
	BOOST_TEST(shown(s));
	BOOST_TEST(has(s.err, "save: effective 0 permitted 1"));
	BOOST_TEST(!has(s.err, "save: effective 1"));
	BOOST_TEST(refused(lends({"--stop", roots.name()})));
}

BOOST_AUTO_TEST_CASE(user_stacks_alone,
    *description("RIGHTS: with -u, --json and --group as well"))
{
	const victim own(nobody, true), roots(0, true);
	const lender lends(usual);
	for (const char *how : {"-u", "--json", "--group"}) {
		BOOST_TEST(has(lends({how, own.name()}).out, "epoll_wait"));
		const said s = lends({how, roots.name()});
		BOOST_TEST(!has(s.out, "epoll_wait"));
		BOOST_TEST(has(s.out, "not yours"));
	}
}

BOOST_AUTO_TEST_CASE(check_says_whose_rights,
    *description("--check: whose rights they are"))
{
	BOOST_TEST(has(lender(usual)({"--check"}).out, "of this file"));
	BOOST_TEST(has(stackprint({"--check"}).out, "of its caller"));
}

BOOST_AUTO_TEST_SUITE_END()
