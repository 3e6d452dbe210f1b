// Tells which options the running kernel was built with, if a file says so.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <string>

namespace stack9::events {

enum class configured { unknown, yes, no };

// The first of these options, such as CONFIG_KPROBES, that is not set.  "": all
// are set, or nothing tells.  The file is read once, which takes 2 ms.
std::string first_not_configured(std::initializer_list<const char *>);

configured is_configured(const std::string &option);

} // namespace stack9::events
