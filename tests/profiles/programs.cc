// Finds programs, and runs them for a limited time in a home of their own.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <cstdlib>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace fs = std::filesystem;

std::string
path_of(const std::string &program)
{
	for (const char *dir : {"/usr/bin/", "/bin/", "/usr/sbin/", "/sbin/"})
		if (access((dir + program).c_str(), X_OK) == 0)
			return dir + program;
	return "";
}

boost::unit_test::decorator::precondition
installed(const char *program)
{
	return boost::unit_test::decorator::precondition(
	    [name = std::string(program)](boost::unit_test::test_unit_id id)
	    -> boost::test_tools::assertion_result {
		    if (!path_of(name).empty())
			    return true;
		    std::fprintf(stderr, "skipped: %s: %s is not installed\n",
			boost::unit_test::framework::get(id,
			    boost::unit_test::TUT_ANY).p_name->c_str(),
			name.c_str());
		    boost::test_tools::assertion_result no(false);
		    no.message() << name << " is not installed";
		    return no;
	    });
}

said
run_within(unsigned int seconds, const scratch &home,
    std::vector<std::string> command)
{
	const std::vector<std::string> limited = {path_of("timeout"), "-k", "5",
		std::to_string(seconds)};
	command.insert(command.begin(), limited.begin(), limited.end());
	const std::string dir = home.path();
	// Ahead of others, if that is allowed: a page says how long it took.
	return run(command, {.environment = {"HOME=" + dir, "TMPDIR=" + dir,
	    "GOCACHE=" + dir, "PPROF_TMPDIR=" + dir,
	    "PPROF_BINARY_PATH=" + dir, "LC_ALL=C.UTF-8"},
	    .before_exec = [] { setpriority(PRIO_PROCESS, 0, -15); }});
}
