// Makes profiles of which the tests know what is in them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "tools/profiles/profile.h"

// Frames from text, the outermost first, each once in the profile: "k:name" is
// the kernel's, "u:name", "i:name" inlined, "p:name" a process, "--" the
// delimiter, "n:text" a note.
void add_stack(profiles::profile &, const std::vector<std::string> &frames,
    std::uint64_t events, std::uint64_t weight, const std::string &comm = "",
    pid_t pid = 0);

// 100 microseconds in 20 events:
//	nginx; main; parse 50, nginx; main; parse; [i] scan 20,
//	nginx; main; write; --; ksys_write 10, nginx; idle 20
profiles::profile small();

// Every byte, what the formats have a meaning for, what is not UTF-8.
profiles::profile nasty();
const std::vector<std::string> &nasty_names();

// So many stacks, all different, some 30 frames deep, 1,000,000 events.
profiles::profile many(unsigned int stacks);
