// Tests that records have the names which runtimes of languages have for their
// threads, and the names of files that are gone.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include <filesystem>

#include <unistd.h>

#include "child.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "made.h"
#include "require.h"
#include "tools/record/messages.h"
#include "tools/record/segment.h"

using boost::unit_test::description;

namespace {

recording::tick
taken_apart(const recording::tick &t)
{
	recording::tick made;
	BOOST_TEST(recording::decode(recording::encode(t), made) == "");
	return made;
}

constexpr const char *program = R"(
import os, threading
for name in "orders of this day", "orders of yesterday":
    threading.Thread(target=threading.Event().wait, name=name,
                     daemon=True).start()
os.write(1, b".")
os.read(0, 1)
)";

} // namespace

BOOST_AUTO_TEST_CASE(a_name_of_a_runtime_is_kept, *description(
    "FORMAT: a thread has a name that a language's runtime has for it"))
{
	recording::segment s(made::info());
	recording::tick first = made::tick(0), second = made::tick(1);
	first.threads[1].name = "orders of today";
	second.names.push_back({3, "made-3", "orders of yesterday"});
	for (const recording::tick &t : {first, second}) {
		recording::tick read = taken_apart(t);
		BOOST_REQUIRE(s.add(read) == "");
		s.go_on(read);
	}
	BOOST_TEST(s.thread_of(1).name == "");
	BOOST_TEST(s.thread_of(2).name == "orders of today");
	BOOST_TEST(s.thread_of(3).name == "orders of yesterday");
}

BOOST_AUTO_TEST_CASE(names_of_python_are_recorded, *needs("root") *
    needs("bpf") * description("THREADS: a record has the names that Python "
    "has for its threads"))
{
	const made::directory dir;
	lib::piped p = lib::start_piped({"/usr/bin/python3", "-c", program});
	char c;
	BOOST_REQUIRE((p.pid > 0 && read(p.output, &c, 1) == 1));
	const said recorded = run({STACKRECORD, "-F", "50", "-D", "0.5", "-p",
	    std::to_string(p.pid), "--record", dir.path()});
	BOOST_TEST(recorded.status == 0, recorded.err);
	for (const std::vector<std::string> &command :
	    std::vector<std::vector<std::string>>{
	    {STACKPRINT, "--record", dir.path()},
	    {STACKREPORT, "--history", dir.path()},
	    {STACKREPORT, "--longest", "--state", "S", dir.path()}}) {
		const said what = run(command);
		for (const char *const name : {"orders of this day",
		    "orders of yesterday"})
			BOOST_TEST(has(what.out, fmt::format(" \"{}\"",
			    name)), what.out << what.err);
	}
	close(p.input);
	close(p.output);
	lib::kill_and_reap(p.pid);
}

BOOST_AUTO_TEST_CASE(files_without_a_name_are_marked, *needs("root") *
    needs("bpf") * description("DESCRIPTION: A file that had no name any more "
    "is marked (deleted)."))
{
	const made::directory dir;
	const std::string path = dir.path() + "/sleeper";
	std::filesystem::copy_file("/bin/sleep", path);
	lib::piped p = lib::start_piped({path, "1000"});
	BOOST_REQUIRE(p.pid > 0);
	lib::wait_for_state(p.pid, 'S');
	std::filesystem::remove(path);
	const said recorded = run({STACKRECORD, "-u", "-F", "50", "-D", "0.5",
	    "-p", std::to_string(p.pid), "--record", dir.path()});
	BOOST_TEST(recorded.status == 0, recorded.err);
	const std::string text = run({STACKREPORT, dir.path()}).out;
	BOOST_TEST(has(text, "  sleeper (deleted)\n"), text);
	close(p.input);
	close(p.output);
	lib::kill_and_reap(p.pid);
}
