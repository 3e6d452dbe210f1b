// Starts a program of ./programs and talks to it through pipes.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "staged.h"

#include <csignal>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/process.h"

staged::staged(const std::string &program,
    const std::vector<std::string> &args)
{
	std::vector<std::string> words{path(program)};
	words.insert(words.end(), args.begin(), args.end());
	int input[2], output[2];
	if (pipe2(input, O_CLOEXEC) != 0 || pipe2(output, O_CLOEXEC) != 0)
		throw std::runtime_error("no pipe");
	pid_ = fork();
	if (pid_ == 0)
		lib::become(words, input[0], output[1]);
	close(input[0]);
	close(output[1]);
	input_ = input[1];
	output_ = output[0];
	ready_ = line("ready");
}

staged::~staged()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		end();
	}
	close(output_);
}

std::string
staged::path(const std::string &program)
{
	return STAGED "/" + program;
}

std::vector<std::int64_t>
staged::line(const char *begins)
{
	std::string text;
	for (char c; read(output_, &c, 1) == 1 && c != '\n';)
		text += c;
	std::istringstream words(text);
	std::string word;
	if (words >> word; word != begins)
		throw std::runtime_error("a program said \"" + text + "\", not "
		    + begins);
	std::vector<std::int64_t> numbers;
	for (std::int64_t n; words >> n;)
		numbers.push_back(n);
	return numbers;
}

void
staged::go()
{
	if (write(input_, "", 1) != 1)
		throw std::runtime_error("a program does not listen");
	gone_ = true;
}

bool
staged::done(int timeout_ms)
{
	pollfd p{output_, POLLIN, 0};
	if (!done_ && poll(&p, 1, timeout_ms) == 1) {
		truth_ = line("done");
		done_ = true;
	}
	return done_;
}

const std::vector<std::int64_t> &
staged::truth()
{
	if (!gone_)
		throw std::logic_error("a program was not told to go");
	while (!done(-1))
		;
	return truth_;
}

void
staged::end()
{
	if (pid_ < 1)
		return;
	close(input_);
	waitpid(pid_, nullptr, 0);
	pid_ = -1;
}
