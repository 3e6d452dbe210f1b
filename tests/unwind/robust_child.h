// Runs a scenario in a process of its own: a crash or a hang of it is reported
// as a failure, and nothing that it does to the process is seen by the next.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <unistd.h>

// The size of a page of this machine: 4, 16 or 64 KiB.
inline const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

// Runs the scenario in a child and waits for it, but not for ever.  The answer
// is what went wrong; "" if nothing.
std::string in_child(const std::function<void()> &scenario, int seconds = 60);

// In a scenario, by any thread or handler of it: ends it as failed unless held.
void must(bool held, const char *what);
[[noreturn, gnu::format(printf, 1, 2)]] void broken(const char *format, ...);

// In a scenario: a line for who reads the log.
[[gnu::format(printf, 1, 2)]] void tell(const char *format, ...);

// The path of what was built beside this program.
std::string beside_this_program(const std::string &name);
