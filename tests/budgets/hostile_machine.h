// Makes the files of a machine that is full of hostile ones, and processes that
// run them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include <sys/types.h>

inline constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB;

// The instructions of pause(2), for ever: those that all files run.
extern const std::string waiting_code;

// Writes all files, and honest ones beside them.
void write_all(const std::string &dir);

// A process that dies with its parent.
pid_t start(const std::function<void()> &body);

// The processes that run the files, and those that need none.  They wait when
// it returns true.
bool start_machine(bool hostile, std::size_t files);
