// Starts the program, and reads the lines that it writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "python_program.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include <unistd.h>

#include "lib/process.h"
#include "languages_asked/known.h"
#include "lib/programs.h"
#include "require.h"

namespace {

constexpr char usual[] = "/usr/bin/python3";

} // namespace

void
python_program::read_stacks(int fd)
{
	const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(
	    fdopen(fd, "r"), std::fclose);
	char *line = nullptr;
	std::size_t size = 0;
	bool ended = false;
	frames *now = nullptr;
	while (!ended && getline(&line, &size, file.get()) > 0) {
		std::string text(line);
		text.pop_back();
		ended = text == "end";
		if (text.starts_with("thread "))
			now = &said_[std::stoi(text.substr(7))];
		else if (!ended && now != nullptr)
			now->push_back(std::move(text));
		else if (!ended)
			lines_.push_back(std::move(text));
	}
	std::free(line);
	BOOST_REQUIRE_MESSAGE(ended, "the program ended early");
}

python_program::python_program(const std::string &python, int seed,
    int threads)
{
	start({python, STACKS, std::to_string(seed), std::to_string(threads)});
}

python_program::python_program(const std::string &python,
    const std::string &script, const std::vector<std::string> &args)
{
	std::vector<std::string> all{python, script};
	all.insert(all.end(), args.begin(), args.end());
	start(all);
}

void
python_program::start(const std::vector<std::string> &args)
{
	const lib::piped p = lib::start_piped(args);
	BOOST_REQUIRE(p.pid > 0);
	pid_ = p.pid;
	input_ = p.input;
	read_stacks(p.output);
}

python_program::~python_program()
{
	close(input_);
	lib::kill_and_reap(pid_);
}

// STACK9_PYTHONS names others, with colons between.
const std::vector<std::string> &
pythons()
{
	static const std::vector<std::string> all = lib::runnable(
	    usual, "STACK9_PYTHONS");
	return all;
}

boost::unit_test::decorator::precondition
has_python()
{
	return has_known("python3", [] {
		return pythons().empty() ?
		    "there is no python3" : "";
	}, {usual, "-c", "input()"});
}
