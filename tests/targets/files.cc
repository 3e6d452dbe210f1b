// Tests programs whose files are not where they were, or not where we look.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <filesystem>

#include <require.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agree.h"

namespace fs = std::filesystem;

#define	EQUAL(what) boost::unit_test::description("ISSUE: frames equal to "\
	"those of eu-stack and gdb on the same stopped process: " what)

// Neither peer can read a file that has no name any more, though it could
// have had it through /proc.
BOOST_AUTO_TEST_CASE(deleted, *EQUAL("a deleted executable"))
{
	const scratch room;
	const std::string file = room.take(program("no_fp"));
	target t({file});
	t.stop();
	const stacks before = eu_stack.here ? eu_stack.ask(t.pid()) : stacks();
	fs::remove(file);
	expected e;
	e.gdb = e.eu_stack = beside::wrong;
	agree(t, e);
	if (!before.empty())
		agree_on(t.pid(), before.at(t.pid()), "eu-stack, before",
		    beside::same, capture(t.pid()));
}

namespace {

std::vector<std::string>
names_in(const target &t)
{
	return names_of(t.pid(), capture(t.pid()));
}

} // namespace

// Nothing of ours has met the old file before: a file that is open would be
// used further.
BOOST_AUTO_TEST_CASE(no_name_from_a_new_file, *boost::unit_test::description(
    "An executable that was replaced: no name is from the new file"))
{
	const scratch room;
	const std::string file = room.take(program("no_fp"));
	target t({file}), as_it_was({program("no_fp")});
	t.stop();
	as_it_was.stop();
	fs::copy_file(program("unoptimized"), file + ".new");
	fs::rename(file + ".new", file);
	const std::vector<std::string> names = names_in(t);
	BOOST_TEST(names == names_in(as_it_was),
	    boost::test_tools::per_element());
	BOOST_TEST(std::count(names.begin(), names.end(), "main") == 1);
}

// The peers take the new file for the old one.
BOOST_AUTO_TEST_CASE(replaced, *EQUAL("an executable that was replaced"))
{
	const scratch room;
	const std::string file = room.take(program("no_fp"));
	target t({file});
	t.stop();
	const stacks before = eu_stack.here ? eu_stack.ask(t.pid()) : stacks();
	fs::copy_file(program("unoptimized"), file + ".new");
	fs::rename(file + ".new", file);
	expected e;
	e.gdb = e.eu_stack = beside::wrong;
	agree(t, e);
	if (!before.empty())
		agree_on(t.pid(), before.at(t.pid()), "eu-stack, before",
		    beside::same, capture(t.pid()));
}

// Statically linked: the new root holds nothing else.
BOOST_AUTO_TEST_CASE(other_root, *needs("root") * EQUAL("another root"))
{
	const scratch room;
	room.take(program("static"));
	target t({"/static"}, false, [&] {
		return chroot(room.path().c_str()) == 0 && chdir("/") == 0;
	});
	t.stop();
	expected e;	// the peers look under their own root
	e.gdb = e.eu_stack = beside::wrong;
	agree(t, e);
}

// Its file is on a file system that only it has mounted.
BOOST_AUTO_TEST_CASE(other_namespaces, *needs("mounts") *
    EQUAL("other pid and mount namespaces"))
{
	const scratch room;
	const std::string file = program("no_fp");
	target t({room.path() + "/no_fp"}, false, [&] {
		if (getpid() != 1 ||
		    mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE,
		    nullptr) != 0 ||
		    mount("none", room.path().c_str(), "tmpfs", 0, nullptr))
			return false;
		room.take(file);
		return true;
	}, CLONE_NEWPID | CLONE_NEWNS);
	t.stop();
	expected e;	// the peers look in their own
	e.gdb = e.eu_stack = beside::wrong;
	agree(t, e);
}
