// Runs stackrecord while its readers are killed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include "child.h"
#include "made.h"
#include "require.h"
#include "victims/victim.h"

using boost::unit_test::description;

namespace {

// A process with this name whose parent is a child of this process.
pid_t
child_of_child(pid_t of, const std::string &name)
{
	const auto children = [](pid_t pid) {
		const std::string id = std::to_string(pid);
		std::vector<pid_t> all;
		for (std::error_code e; const auto &task :
		    std::filesystem::directory_iterator("/proc/" + id +
		    "/task", e)) {
			std::ifstream in(task.path() / "children");
			for (pid_t each; in >> each;)
				all.push_back(each);
		}
		return all;
	};
	for (const pid_t child : children(of))
		for (const pid_t each : children(child)) {
			std::string comm;
			std::ifstream in("/proc/" + std::to_string(each) +
			    "/comm");
			if (std::getline(in, comm) && comm == name)
				return each;
		}
	return 0;
}

// Records while each of its readers is killed, up to so many, 3 ticks after it
// was seen.
said
record_with_deaths(const made::directory &dir, pid_t of, unsigned int most)
{
	std::atomic<bool> over{false};
	const pid_t own = getpid();
	std::thread killer([&] {
		for (unsigned int n = 0; n < most && !over; usleep(20'000)) {
			const pid_t reader = child_of_child(own,
			    "stack9-reader");
			if (reader == 0)
				continue;
			usleep(150'000);
			kill(reader, SIGKILL);
			while (!over && child_of_child(own, "stack9-reader") ==
			    reader)
				usleep(1000);
			n++;
		}
	});
	const said all = run({STACKRECORD, "-F", "50", "-D",
	    most == 1 ? "1.5" : "6", "-p", std::to_string(of), "--record",
	    dir.path()});
	over = true;
	killer.join();
	return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_reader_is_killed, *needs("root") * needs("bpf") *
    description("DIAGNOSTICS: Another one is started for the next tick, up to "
    "eight, and one in each minute."))
{
	const victim v({doing::futex, doing::read, doing::spin_user});
	const made::directory once, always;
	const said first = record_with_deaths(once, v.pid(), 1);
	BOOST_TEST(first.status == 0, first.err);
	BOOST_TEST(has(first.err, "ends of the process that reads files, the "
	    "last time as it was killed by signal 9 (1)"), first.err);
	const said folded = run({STACKREPORT, "-u", "-f", "folded",
	    once.path()});
	BOOST_TEST(times(folded.out, "\n") > 2U);
	BOOST_TEST(times(folded.out, "no user stack") <= 2U,
	    folded.out);
	const said second = record_with_deaths(always, v.pid(), 100);
	BOOST_TEST(second.status == 0, second.err);
	BOOST_TEST(has(second.err, "without a user stack: the process that "
	    "reads files has ended too often"), second.err);
	BOOST_TEST(has(second.err, "killed by signal 9 (9)"), second.err);
	BOOST_TEST(has(second.err, "have no user stack"), second.err);
}
