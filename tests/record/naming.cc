// Tests names that are found when a record is read: later, and elsewhere.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <csignal>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "made.h"
#include "require.h"

using boost::unit_test::description;
namespace fs = std::filesystem;

namespace {

// A program that sleeps in known functions.
class sleeper {
public:
	explicit sleeper(const std::string &file)
	    : pid_(fork())
	{
		if (pid_ != 0)
			return;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (freopen("/dev/null", "w", stdout) != nullptr)
			execl(file.c_str(), file.c_str(), "60", nullptr);
		_exit(127);
	}
	~sleeper()
	{
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
	sleeper(const sleeper &) = delete;
	sleeper &operator=(const sleeper &) = delete;

	std::string pid() const { return std::to_string(pid_); }

private:
	const pid_t	pid_;
};

// Collects the frames of files that a record has.
class frames_of_files final : public recording::visitor {
public:
	bool
	at(const recording::segment &s, const recording::tick &) override
	{
		named = unnamed = 0;
		for (const recording::frame &f : s.frames()) {
			const recording::module *const m =
			    s.module_of(f.module);
			if (f.kind != recording::frame_kind::file ||
			    m == nullptr || m->build_id.empty())
				continue;
			(f.name.empty() ? unnamed : named)++;
			ids[m->path] = m->build_id;
		}
		return true;
	}
	std::size_t	named = 0, unnamed = 0;
	std::map<std::string, std::string> ids;
};

frames_of_files
frames_in(const made::directory &dir)
{
	frames_of_files all;
	recording::reading r;
	for (const std::string &name : dir.segments())
		BOOST_TEST(recording::read_file(dir.path() + "/" + name, all,
		    r) == 0);
	return all;
}

// Records until the program sleeps where it should.
void
record(const std::string &program, const made::directory &to)
{
	const sleeper s(program);
	for (int i = 0; i < 50; i++) {
		const said recorded = run({STACKRECORD, "-q", "--name-later",
		    "-F", "20", "-D", "1.5", "-p", s.pid(), "--record",
		    to.path()});
		BOOST_REQUIRE_MESSAGE(recorded.status == 0, recorded.err);
		const said seen = run({STACKREPORT, "-u", "-f", "folded",
		    to.path()});
		if (has(seen.out, "asleep_in_"))
			return;
	}
	BOOST_FAIL("it never slept");
}

std::string
place_of(const std::string &dir, const std::string &build_id)
{
	std::string name;
	for (const unsigned char c : build_id)
		name += fmt::format("{:02x}", c);
	fs::create_directories(dir + "/.build-id/" + name.substr(0, 2));
	return dir + "/.build-id/" + name.substr(0, 2) + "/" +
	    name.substr(2);
}

} // namespace

BOOST_AUTO_TEST_CASE(names_come_later, *needs("root") * needs("bpf") *
    description("NAMES: A frame that has none, because its file was stripped "
    "or by stackrecord --name-later, is named now if this machine has a file "
    "with the same build-id."))
{
	const made::directory dir, programs;
	const std::string program = programs.path() + "/sleeper";
	fs::copy_file(SCHEDULE, program);
	record(program, dir);
	const frames_of_files all = frames_in(dir);
	BOOST_TEST(all.named == 0U);
	BOOST_TEST(all.unnamed > 0U);
	BOOST_REQUIRE(all.ids.count(program) == 1);
	const auto report = [&](std::vector<std::string> more) {
		more.insert(more.begin(), {STACKREPORT, "-f", "folded"});
		more.push_back(dir.path());
		return run(more).out;
	};
	BOOST_TEST(has(report({}), "clock_nanosleep"));
	BOOST_TEST(has(report({"--stack", "asleep_in_"}), "start_thread"));

	// Another machine has no such program, and then its debug file.
	const std::string debug = place_of(programs.path(),
	    all.ids.at(program)) + ".debug";
	fs::remove(program);
	BOOST_TEST(!has(report({}), "asleep_in_"));
	fs::copy_file(STACKREPORT, debug);
	const std::vector<std::string> there = {"--debug-dir",
	    programs.path()};
	BOOST_TEST(!has(report(there), "asleep_in_"));	// another build-id
	fs::remove(debug);
	BOOST_REQUIRE(run({"/usr/bin/env", "objcopy", "--only-keep-debug",
	    SCHEDULE, debug}).status == 0);
	BOOST_TEST(has(report(there), "asleep_in_"));
	const said moment = run({STACKPRINT, "--debug-dir", programs.path(),
	    "--record", dir.path()});
	BOOST_TEST(has(moment.out, "asleep_in_"), moment.out);
	BOOST_TEST(run({STACKPRINT, "--debug-dir", "x", "-a"}).status == 64);
	// The kernel names its own frames at once.
	BOOST_TEST(has(report({"-k"}), "hrtimer_nanosleep"));
}
