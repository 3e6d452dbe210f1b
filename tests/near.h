// Says where the library takes files for a server's, as on the overlay that a
// container has as its root: another process opens them then.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "process/far_files.h"

// "", or why files there are not near.  For needs("near files", ...).
inline std::string
why_far(const std::filesystem::path &there)
{
	struct stat st;
	return stat(there.c_str(), &st) == 0 &&
	    stack9::process::is_near(major(st.st_dev), minor(st.st_dev)) ? "" :
	    "the files of " + there.string() + " may be a server's";
}
