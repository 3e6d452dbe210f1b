// Starts the program and reads its answers.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "counted_program.h"

#include <cstdlib>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "lib/process.h"
#include "lib/programs.h"

counted_program::counted_program(const std::vector<std::string> &words)
    : output_(nullptr, std::fclose)
{
	const lib::piped p = lib::start_piped(words);
	BOOST_REQUIRE(p.pid > 0);
	pid_ = p.pid;
	input_ = p.input;
	output_.reset(fdopen(p.output, "r"));
	BOOST_REQUIRE(output_ != nullptr);
}

counted_program::~counted_program()
{
	close(input_);
	lib::kill_and_reap(pid_);
}

std::vector<std::string>
counted_program::ask(const std::string &line)
{
	const std::string with_end = line + "\n";
	BOOST_REQUIRE(write(input_, with_end.data(), with_end.size()) ==
	    static_cast<ssize_t>(with_end.size()));
	std::vector<std::string> all;
	char *text = nullptr;
	std::size_t size = 0;
	ssize_t n;
	bool ended = false;
	while (!ended && (n = getline(&text, &size, output_.get())) > 0) {
		std::string one(text, static_cast<std::size_t>(n - 1));
		ended = one == "end";
		if (!ended)
			all.push_back(std::move(one));
	}
	std::free(text);
	BOOST_REQUIRE_MESSAGE(ended, "the program ended early");
	return all;
}

stack_counts
counted_program::counts(const std::string &line)
{
	stack_counts all;
	for (const std::string &one : ask(line)) {
		const std::size_t tab = one.find('\t');
		BOOST_REQUIRE(tab != one.npos);
		all[one.substr(tab + 1)] += std::stoull(one);
	}
	return all;
}
