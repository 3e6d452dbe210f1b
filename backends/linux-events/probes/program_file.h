// Finds the file that the FILE of an event's name stands for.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

namespace stack9::events {

// file: a path; a program in $PATH; a library, as libc.so.6, libc or c; "": the
// program of pid.  The files that pid has mapped are searched first; 0: of no
// process.
// 0; ENOENT, ESRCH, EPERM, EINVAL.
int find_program_file(const std::string &file, pid_t pid, std::string &path,
    std::string &why);

// True if file stands for a program or library that is there.
bool is_program_file(const std::string &file, pid_t pid);

// The FILE of an event's name for this path: : and , mean something there, so
// each gets a \ before it.
std::string escaped(const std::string &path);

} // namespace stack9::events
