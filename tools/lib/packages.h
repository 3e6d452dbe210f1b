// Finds the Debian package that a file came with.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace tools {

// Gives the name of the package that has the debug symbols of a file of this
// machine, or "" if dpkg does not know the file.  lists: dpkg's lists of files.
// It reads all of these, some 10 ms.
std::string debug_package(const std::string &path,
    const char *lists = "/var/lib/dpkg/info");

} // namespace tools
