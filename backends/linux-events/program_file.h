// The FILE of an event to a path that can be opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

namespace stack9::events {

// file: a path; a program in $PATH; a library, as libc.so.6, libc or c; "": the
// program of pid.  What pid has mapped is looked for first; 0: nobody's.
// 0; ENOENT, ESRCH, EPERM, EINVAL.
int find_program_file(const std::string &file, pid_t pid, std::string &path,
    std::string &why);

} // namespace stack9::events
