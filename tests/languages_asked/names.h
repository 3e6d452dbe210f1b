// Compares the names that programs say their threads have with those that
// stack9 finds.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

using thread_names = std::map<pid_t, std::string>;	// by tid

// Gives the names in lines "name TID THE NAME".
thread_names names_in(const std::vector<std::string> &said);

// Gives those of all threads of a process that stack9 knows; "" of others.
thread_names names_of(pid_t);

// Tests that each name that was said is found.  found may have further threads.
void compare_names(const thread_names &said, const thread_names &found);

// Tests what stackprint prints of a thread: in text, in JSON and in a group.
// tid: of a thread whose name is text.
void check_stackprint(const std::string &stackprint, pid_t pid, pid_t tid,
    const std::string &text);

// Tests that a small core has the name.
void check_core(const std::string &stackprint, pid_t pid,
    const std::string &text);
