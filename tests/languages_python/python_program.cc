// Starts the program, and reads the lines that it writes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "python_program.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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
    const std::string &script)
{
	start({python, script});
}

void
python_program::start(const std::vector<std::string> &args)
{
	int in[2], out[2];
	BOOST_REQUIRE(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0);
	std::vector<char *> argv;
	for (const std::string &a : args)
		argv.push_back(const_cast<char *>(a.c_str()));
	argv.push_back(nullptr);
	pid_ = fork();
	if (pid_ == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execv(argv[0], argv.data());
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	input_ = in[1];
	read_stacks(out[0]);
}

python_program::~python_program()
{
	close(input_);
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, 0);
	}
}

// STACK9_PYTHONS names further ones, with colons between.
const std::vector<std::string> &
pythons()
{
	static const std::vector<std::string> all = [] {
		std::vector<std::string> found;
		const char *const more = std::getenv("STACK9_PYTHONS");
		std::istringstream names(std::string("/usr/bin/python3:") +
		    (more != nullptr ? more : ""));
		for (std::string name; std::getline(names, name, ':');)
			if (access(name.c_str(), X_OK) == 0)
				found.push_back(name);
		return found;
	}();
	return all;
}

boost::unit_test::decorator::precondition
has_python()
{
	return boost::unit_test::precondition([](boost::unit_test::test_unit_id)
	    {
		boost::test_tools::assertion_result yes(!pythons().empty());
		yes.message() << "there is no python3";
		return yes;
	});
}
