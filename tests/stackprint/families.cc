// Tests stackprint of several processes that are named, or found by their
// parents, by names, by states and by cgroups.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/prctl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "child.h"
#include "require.h"
#include "sleepers.h"

namespace fs = std::filesystem;
using boost::unit_test::description;

namespace {

constexpr const char *long_name = "s9 family name which is long";
constexpr const char *kept_name = "s9 family name ";	// 15 bytes

void
be_called()
{
	prctl(PR_SET_NAME, long_name);
}

// The child's child ends with its parent.
void
have_child()
{
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
}

said
stackprint_of(std::vector<std::string> args)
{
	args.insert(args.begin(), {STACKPRINT, "-k"});
	return run(args);
}

std::string
header(pid_t pid, pid_t tid)
{
	return "  pid " + std::to_string(pid) + "  tid " +
	    std::to_string(tid) + "  ";
}

bool
shows(const said &s, const sleepers &all)
{
	return has(s.out, header(all.pid, all.pid)) &&
	    has(s.out, header(all.pid, all.tids.front()));
}

// A cgroup with one process in it.
class cgroup {
public:
	cgroup(const std::string &last, pid_t pid)
	{
		for (const char *top : {"/sys/fs/cgroup/unified",
		    "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/pids",
		    "/sys/fs/cgroup"}) {
			std::error_code error;
			dir = fs::path(top) / last;
			fs::create_directory(dir, error);
			// It is there already, or this is not a cgroup.
			std::fstream procs(dir / "cgroup.procs");
			if (procs << pid << std::flush)
				return;
			fs::remove(dir, error);
		}
		dir.clear();
	}
	~cgroup()
	{
		if (dir.empty())
			return;
		std::error_code error;
		std::fstream back(dir.parent_path() / "cgroup.procs");
		std::ifstream in(dir / "cgroup.procs");
		for (pid_t pid; in >> pid;)
			back << pid << std::endl;
		fs::remove(dir, error);
	}
	cgroup(const cgroup &) = delete;
	cgroup &operator=(const cgroup &) = delete;

	fs::path dir;
};

std::string
no_cgroup()
{
	const sleepers one(1);
	return cgroup("s9-none-" + std::to_string(one.pid), one.pid).dir
	    .empty() ? "no cgroup can be made" : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(families, *needs("bpf"))

BOOST_AUTO_TEST_CASE(several, *description(
    "in one pass, and of each other process of the list"))
{
	const sleepers a(1), b(1), c(1);
	const said listed = stackprint_of({"-p", std::to_string(a.pid) + "," +
	    std::to_string(b.pid)});
	BOOST_TEST(listed.status == 0);
	BOOST_TEST((shows(listed, a) && shows(listed, b)));
	BOOST_TEST(!shows(listed, c));
	BOOST_TEST(has(listed.out, "4 threads: 4 captured"));
	const said again = stackprint_of({"-p", std::to_string(a.pid), "-p",
	    std::to_string(c.pid)});
	BOOST_TEST((shows(again, a) && shows(again, c)));
	BOOST_TEST(!shows(again, b));
}

BOOST_AUTO_TEST_CASE(gone, *description(
    "A process of the list that is gone is reported, and the others are "
    "printed."))
{
	const sleepers a(1);
	const said s = stackprint_of({"-p", "4194303," +
	    std::to_string(a.pid)});
	BOOST_TEST(has(s.err, "pid 4194303: no such process"));
	BOOST_TEST(shows(s, a));
}

BOOST_AUTO_TEST_CASE(children, *description(
    "print the processes that these started too"))
{
	const sleepers a(1, have_child);
	const said alone = stackprint_of({"-p", std::to_string(a.pid)});
	BOOST_TEST(has(alone.out, "2 threads: 2 captured"));
	const said all = stackprint_of({"-p", std::to_string(a.pid),
	    "--children"});
	BOOST_TEST(has(all.out, "3 threads: 3 captured"));
	BOOST_TEST(stackprint_of({"--children", "1"}).status == 64);
}

BOOST_AUTO_TEST_CASE(names, *description(
    "The kernel keeps the first 15 bytes of a name, and only these are "
    "compared."))
{
	const sleepers a(1, be_called), b(1);
	for (const char *const wanted : {long_name, kept_name}) {
		const said s = stackprint_of({"--comm", wanted});
		BOOST_TEST(shows(s, a));
		BOOST_TEST(!shows(s, b));
		BOOST_TEST(has(s.out, "2 threads: 2 captured"));
	}
	const said none = stackprint_of({"-n", "s9 nobody"});
	BOOST_TEST(none.status == 2);
	BOOST_TEST(has(none.err, "no thread passes --comm s9 nobody"));
}

BOOST_AUTO_TEST_CASE(joined, *description(
    "They join: a thread is printed if it passes each of them."))
{
	const sleepers a(2, be_called);
	const std::string pid = std::to_string(a.pid);
	BOOST_TEST(has(stackprint_of({"-p", pid, "--state", "SD"}).out,
	    "3 threads: 3 captured"));
	BOOST_TEST(has(stackprint_of({"-p", pid, "--state", "ZT"}).out,
	    "0 threads: "));
	BOOST_TEST(has(stackprint_of({"-p", pid, "--comm", "other"}).out,
	    "0 threads: "));
	BOOST_TEST(has(stackprint_of({"-n", long_name, "--state", "S"}).out,
	    "3 threads: 3 captured"));
	BOOST_TEST(stackprint_of({"--state", "Q"}).status == 64);
	BOOST_TEST(stackprint_of({"--state", "S", "1"}).status == 64);
}

BOOST_AUTO_TEST_CASE(cgroups, *needs("root") * needs("cgroup", no_cgroup)
    * description("Print only threads of processes in the cgroup"))
{
	const sleepers a(1), b(1);
	const std::string id = "5eed" + std::to_string(getpid());
	const cgroup unit("s9-" + id + ".service", a.pid);
	BOOST_REQUIRE(!unit.dir.empty());
	for (const std::vector<std::string> &args : {
	    std::vector<std::string>{"--cgroup", unit.dir},
	    {"--unit", "s9-" + id + ".service"}, {"--unit", "s9-" + id}}) {
		const said s = stackprint_of(args);
		BOOST_TEST(shows(s, a), s.err);
		BOOST_TEST(!shows(s, b));
		BOOST_TEST(has(s.out, "2 threads: 2 captured"));
	}
	const cgroup container("docker-" + id + "0123456789abcdef.scope",
	    b.pid);
	for (const std::string &given : {id + "0123456789abcdef", id + "01"})
		BOOST_TEST(shows(stackprint_of({"--container", given}), b));
	const said few = stackprint_of({"--container", id.substr(0, 4)});
	BOOST_TEST(few.status == 2);
	BOOST_TEST(has(few.err, "the beginning of an id has six digits"));
	BOOST_TEST(has(stackprint_of({"--cgroup", "/"}).err,
	    "--cgroup /: no cgroup: it has no file cgroup.procs"));
}

BOOST_AUTO_TEST_CASE(paths_of_cgroups, *needs("root") * needs("cgroup",
    no_cgroup) * description("or a path as /proc/PID/cgroup prints it"))
{
	const sleepers a(1), b(1);
	const std::string name = "s9-" + std::to_string(getpid()) + ".scope";
	const cgroup made(name, a.pid);
	std::ifstream list("/proc/" + std::to_string(a.pid) + "/cgroup");
	for (std::string line; std::getline(list, line);) {
		if (!line.starts_with("0::/") || !line.ends_with(name))
			continue;
		for (const std::string &given : {line, line.substr(3)}) {
			const said s = stackprint_of({"--cgroup", given});
			BOOST_TEST(shows(s, a), s.err);
			BOOST_TEST(!shows(s, b));
		}
		return;
	}
	BOOST_TEST_MESSAGE("skipped: it is not in a cgroup v2");
}

BOOST_AUTO_TEST_CASE(other_threads, *description(
    "says so when it is given the id of a process that has more threads"))
{
	const sleepers a(2);
	const std::string pid = std::to_string(a.pid);
	BOOST_TEST(has(stackprint_of({pid}).err, "stackprint: pid " + pid +
	    " has 3 threads; -p " + pid + " prints them all"));
	BOOST_TEST(!has(stackprint_of({std::to_string(a.tids.front())}).err,
	    "prints them all"));
}

BOOST_AUTO_TEST_SUITE_END()
