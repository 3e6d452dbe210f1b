// Reads files and pipes whole.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include <sys/types.h>

namespace lib {

// The file's bytes; none if it cannot be read.
std::string contents(const std::string &path);
// The bytes that the descriptor still has.  It stays open.
std::string read_all(int fd);
// The last number before these words: 1234 in "1,234 events lost", "events";
// 0: there is none.
unsigned long number_before(const std::string &text, const std::string &words);
// The value in a line "KEY:\tVALUE" of /proc/TID/status; "" if there is none.
std::string status_value(pid_t tid, const std::string &key);

} // namespace lib
