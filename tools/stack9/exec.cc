// Begins a program that is installed beside this one, in its place.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/command_line.h"
#include "words.h"

namespace stack9_program {
namespace {

// Gives the path of a program beside this one; "" if /proc does not say.
std::string
beside(const char *program)
{
	char path[4096];
	const ssize_t n = readlink("/proc/self/exe", path, sizeof path);
	const std::string_view self(path, n > 0 ? static_cast<std::size_t>(n) :
	    0);
	const std::size_t slash = self.rfind('/');
	return slash == self.npos ? std::string() :
	    std::string(self.substr(0, slash + 1)) + program;
}

bool
is_this_program(const std::string &path)
{
	struct stat there{}, here{};
	return stat(path.c_str(), &there) == 0 &&
	    stat("/proc/self/exe", &here) == 0 &&
	    there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

} // namespace

// A link that has the place of the program would lead here again.
int
begin(const word &w, int, char **argv)
{
	const std::string path = beside(w.program);
	if (is_this_program(path))
		errno = ELOOP;
	else if (path.empty() || access(path.c_str(), X_OK) != 0)
		execvp(w.program, argv);
	else
		execv(path.c_str(), argv);
	std::fprintf(stderr, "stack9: %s: %s\n", w.program,
	    std::strerror(errno));
	return tools::exit_none;
}

} // namespace stack9_program
