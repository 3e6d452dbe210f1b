// What /proc tells everybody: which threads there are, and how a thread that
// gave no stack is called.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <stack9.h>

namespace stackprint {

// The first 4 KiB; "" if it cannot be read.  Blanks at the end are cut off.
std::string read_file(const std::string &path);

// In the order of the kernel's lists.  pid 0: of all processes.
std::vector<pid_t> threads_of(pid_t pid);

// Fill in comm, state and cpu, if the capture could not.  False: not known to
// /proc either.
bool know(stack9_record &);

// As many open files as this program may have: each file that is mapped
// somewhere is held open once, which on a large machine are thousands.
void raise_descriptors();

// The function a sleeping thread waits in, or "": not asleep, or not told.
std::string wait_function(pid_t tid);

} // namespace stackprint
