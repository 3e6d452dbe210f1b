// Starts programs, and reads what a command prints.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include <unistd.h>

#include "process.h"

namespace lib {

piped
start_piped(const std::vector<std::string> &words,
    const std::function<bool()> &before)
{
	const pipe_ends in = make_pipe(), out = make_pipe();
	const pid_t pid = fork();
	if (pid == 0)
		become(words, in.r, out.w, -1, before);
	close(in.r);
	close(out.w);
	return {pid, in.w, out.r};
}

std::vector<std::string>
runnable(const char *usual, const char *variable)
{
	std::vector<std::string> found;
	const char *const others = std::getenv(variable);
	std::istringstream names(others != nullptr ? others : usual);
	for (std::string name; std::getline(names, name, ':');)
		if (access(name.c_str(), X_OK) == 0)
			found.push_back(name);
	return found;
}

std::string
output_of(const std::string &command)
{
	std::string text;
	const std::unique_ptr<std::FILE, int (*)(std::FILE *)> from(
	    popen(command.c_str(), "r"), pclose);
	for (char c[4096]; std::fgets(c, sizeof c, from.get()) != nullptr;)
		text += c;
	return text;
}

} // namespace lib
