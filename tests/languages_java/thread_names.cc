// Compares names of threads with those that Thread.getName() gives.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <signal.h>
#include <unistd.h>

#include <fmt/format.h>

#include "java_program.h"
#include "languages_asked/names.h"
#include "lib/process.h"
#include "lib/programs.h"
#include "require.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(names_of_threads)

namespace {

class names_program {
public:
	names_program(const std::string &java, const std::string &option)
	{
		const lib::piped p = lib::start_piped({java,
		    "-XX:+IgnoreUnrecognizedVMOptions",
		    "-XX:+UnlockExperimentalVMOptions", option, "-cp", CLASSES,
		    "Names"});
		BOOST_REQUIRE(p.pid > 0);
		pid_ = p.pid;
		input_ = p.input;
		const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
		    fdopen(p.output, "r"), std::fclose);
		char *line = nullptr;
		std::size_t size = 0;
		std::vector<std::string> lines;
		while (getline(&line, &size, file.get()) > 0 &&
		    line != std::string("end\n")) {
			lines.emplace_back(line);
			lines.back().pop_back();
		}
		BOOST_REQUIRE(line == std::string("end\n"));
		std::free(line);
		said_ = names_in(lines);
	}
	names_program(const names_program &) = delete;
	names_program &operator=(const names_program &) = delete;
	~names_program()
	{
		close(input_);
		lib::kill_and_reap(pid_);
	}

	pid_t pid() const { return pid_; }
	const thread_names &said() const { return said_; }
	pid_t
	tid_of(const std::string &name) const
	{
		for (const auto &[tid, its] : said_)
			if (its == name)
				return tid;
		return 0;
	}

private:
	pid_t		pid_ = -1;
	int		input_ = -1;
	thread_names	said_;
};

} // namespace

BOOST_AUTO_TEST_CASE(each_name_is_as_java_says, *has_java() * needs("bpf") *
    SAYS("ISSUE: thread names of the runtimes (threading.Thread's name, "
    "Java's) in the header line"))
{
	for (const std::string &java : javas())
		for (const char *const option : {"-XX:+UseG1GC",
		    "-XX:-UseCompressedOops", "-XX:-UseCompressedClassPointers",
		    "-XX:+UseSerialGC", "-XX:-CompactStrings",
		    "-XX:+UseShenandoahGC", "-Xint"}) {
			const names_program p(java, option);
			BOOST_TEST(p.said().size() == 10u);
			const thread_names found = names_of(p.pid());
			BOOST_TEST_CONTEXT(java << ' ' << option)
				compare_names(p.said(), found);
			// Those of the machine that run nothing of Java have
			// names, too.
			std::set<std::string> all;
			for (const auto &[tid, name] : found)
				all.insert(name);
			BOOST_TEST(all.contains("Finalizer"));
			BOOST_TEST(all.contains("Signal Dispatcher"));
		}
}

BOOST_AUTO_TEST_CASE(other_objects_have_no_names, *has_java() * needs("bpf") *
    SAYS("objects whose headers are short are not known, and those of ZGC "
    "perhaps not: no name is wrong"))
{
	for (const std::string &java : javas())
		for (const char *const option : {"-XX:+UseZGC",
		    "-XX:+UseCompactObjectHeaders"}) {
			const names_program p(java, option);
			const thread_names found = names_of(p.pid());
			std::size_t wrong = 0;
			for (const auto &[tid, name] : p.said())
				wrong += !found.at(tid).empty() &&
				    found.at(tid) != name;
			BOOST_TEST_CONTEXT(java << ' ' << option)
				BOOST_TEST(wrong == 0u);
		}
}

BOOST_AUTO_TEST_CASE(stackprint_has_the_name, *has_java() * needs("bpf") *
    SAYS("The header has the name that a runtime has for the thread behind "
    "the kernel's, in quotes."))
{
	const names_program p(javas().front(), "-XX:+UseG1GC");
	const pid_t tid = p.tid_of("is renamed");
	BOOST_REQUIRE(tid != 0);
	check_stackprint(STACKPRINT, p.pid(), tid, "is renamed");
	// The files of another root are not where a core says.
	if (javas().front() == "/usr/bin/java")
		check_core(STACKPRINT, p.pid(), "is renamed");
}

BOOST_AUTO_TEST_SUITE_END()
