// Runs stackcount as an ordinary user, on programs of his that know what they
// did.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "lib/programs.h"
#include "lib/scratch.h"
#include "paths.h"
#include "running.h"
#include "watching.h"

BOOST_AUTO_TEST_SUITE(watch_own_processes)

namespace {

namespace fs = std::filesystem;
using boost::unit_test::description;
using words = std::vector<std::string>;

// A directory that all may enter, with copies of the programs.
class place : public lib::scratch {
public:
	place()
	{
		fs::permissions(path(), fs::perms(0755));
		for (const std::string &file : {std::string(STACKCOUNT),
		    staged::path("portions_lean")})
			take(file);
#ifdef STACK9_SONAME
		// The library may be where an ordinary user cannot go.
		fs::copy_file(STACK9, *this / STACK9_SONAME);
#endif
	}

	// Runs stackcount in it as the user who has least.
	running
	count(const words &more) const
	{
		words all{"setpriv", "--reuid=65534", "--regid=65534",
		    "--clear-groups", "--inh-caps=-all", "env",
		    "LD_LIBRARY_PATH=" + path(), *this / "stackcount", "-q",
		    "-f", "folded"};
		all.insert(all.end(), more.begin(), more.end());
		return running(all);
	}
};

// It sleeps 40 times for 25 ms each, in two functions.
constexpr char sleeping[] = R"(import time
def one(): time.sleep(.025)
def three():
    for i in range(3): one()
def work():
    for i in range(10): one(); three()
work()
)";

std::string
lack()
{
	if (geteuid() != 0)
		return "it takes root to become another user";
	const place here;
	running r = here.count({"cpu-clock", "--", "true"});
	return r.end() == 2 && r.err.find("CAP_") != r.err.npos ? r.err : "";
}

// The samples whose stack goes through a function; "": all.
double
samples(const std::string &folded, const std::string &function)
{
	double sum = 0;
	std::istringstream in(folded);
	for (std::string line; std::getline(in, line);)
		if (line.find(';') != line.npos &&
		    line.find(function) != line.npos)
			sum += std::stod(line.substr(line.rfind(' ')));
	return sum;
}

auto
allowed()
{
	return unless([] {
		static const std::string why = lack();
		return why;
	});
}

} // namespace

// 500 samples: four standard deviations are 7.7 %.
BOOST_AUTO_TEST_CASE(shares_of_a_program, *allowed() * description(
    "RIGHTS: users without them count the clocks and the faults of one of "
    "their processes"))
{
	const place here;
	running r = here.count({"cpu-clock:997", "--",
	    here / "portions_lean", "1000"});
	r.end();
	const double quarter = samples(r.out, ";quarter"),
	    most = samples(r.out, ";most"), all = samples(r.out, "");
	BOOST_TEST(quarter + most > .95 * all, r.out);
	// It runs in the kernel for a part of its time.
	BOOST_TEST(all > 300);
	BOOST_TEST(all < 1100);
	BOOST_TEST(std::abs(quarter / (quarter + most) - .25) < .077, r.out);
}

BOOST_AUTO_TEST_CASE(faults_of_a_program, *allowed())
{
	const place here;
	running r = here.count({"page-faults", "--",
	    here / "portions_lean", "10"});
	r.end();
	BOOST_TEST(samples(r.out, "portions_lean;") > 20, r.out + r.err);
}

BOOST_AUTO_TEST_CASE(functions_of_a_language, *allowed() * description(
    "RIGHTS: Functions of Java and Node are in these stacks, those of other "
    "languages lack."))
{
	if (access("/usr/bin/node", X_OK) != 0)
		return;
	const place here;
	const std::string script = here.file("spin.js", "function spin(n) {\n"
	    "let s = 0; for (let i = 0; i < n; i++) s = (s + i * i) % 1003;\n"
	    "return s; }\n"
	    "function work(t) { while (Date.now() < t) spin(50000); }\n"
	    "work(Date.now() + 1500);\n");
	fs::permissions(script, fs::perms(0644));
	running r = here.count({"cpu-clock:199", "--",
	    "/usr/bin/node", script});
	r.end();
	BOOST_TEST(samples(r.out, "work (" + script + ":4);spin") > 20,
	    r.out + r.err);
}

BOOST_AUTO_TEST_CASE(functions_of_threads_that_sleep, *allowed() * description(
    "RIGHTS: A thread that is off its CPU is captured while it sleeps, as "
    "stackprint(1) does, with the functions of all languages."))
{
	if (access("/usr/bin/python3", X_OK) != 0)
		return;
	const place here;
	const std::string script = here.file("sleep.py", sleeping);
	fs::permissions(script, fs::perms(0644));
	running r = here.count({"offcpu", "--", "/usr/bin/python3", script});
	r.end();
	const std::string one = "one (" + script + ":2)";
	const double direct = samples(r.out, "work (" + script + ":6);" + one),
	    through = samples(r.out, "three (" + script + ":4);" + one);
	// In microseconds; one sleep of each may have gone on too soon.
	BOOST_TEST(direct >= 225e3, r.out);
	BOOST_TEST(through >= 725e3, r.out);
	BOOST_TEST(samples(r.out, one) < 4 * (250e3 + 750e3), r.out);
}

BOOST_AUTO_TEST_CASE(other_events_are_refused_as_before, *allowed())
{
	const place here;
	for (const char *event : {"syscall:getppid", "context-switches"}) {
		running r = here.count({event, "--", "true"});
		BOOST_TEST(r.end() == 2);
		BOOST_TEST((r.err.find("CAP_PERFMON") != r.err.npos), r.err);
	}
	running r = here.count({"-D", "0.1", "cpu-clock"});
	BOOST_TEST(r.end() == 2);
	BOOST_TEST((r.err.find("CAP_PERFMON") != r.err.npos), r.err);
}

BOOST_AUTO_TEST_SUITE_END()
