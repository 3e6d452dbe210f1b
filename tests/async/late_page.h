// Declares a page that makes each thread wait that touches it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "puppets.h"

namespace late_page {

inline constexpr std::size_t size = 4096;

// For the decorator: why there are none here.
std::string missing();

// For deeds: takes that page away.  One page at a time, a process.
void take_away(void *page);
// A deed, of another thread: brings it back, with this text in it.
inline constexpr char text[] = "1000000";
void bring(puppets::strings &);

// True: the thread waits for it.
bool is_waited_for(pid_t tid);

} // namespace late_page
