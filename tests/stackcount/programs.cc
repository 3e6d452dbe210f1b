// Runs the programs by their paths, with the fake's words in the environment.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <unistd.h>

#include "lib/text.h"

namespace {

said
program(const char *path, arguments args, const std::string &fake)
{
	args.insert(args.begin(), path);
	return run(args, {.environment = {"STACK9_FAKE=" + fake}});
}

} // namespace

said
stackcount(arguments args, const std::string &fake)
{
	return program(STACKCOUNT_FAKE, std::move(args), fake);
}

said
stacksnoop(arguments args, const std::string &fake)
{
	return program(STACKSNOOP_FAKE, std::move(args), fake);
}

scratch_file::scratch_file(const std::string &ending)
    : path_("/tmp/stackcount-XXXXXX" + ending)
{
	const int fd = mkstemps(path_.data(), static_cast<int>(ending.size()));
	if (fd < 0)
		throw std::runtime_error("mkstemps");
	close(fd);
}

scratch_file::~scratch_file()
{
	unlink(path_.c_str());
}

std::string
scratch_file::text() const
{
	return lib::contents(path_);
}
