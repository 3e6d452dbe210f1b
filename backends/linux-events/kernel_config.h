// What the running kernel was built with, where it tells.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <initializer_list>
#include <string>

namespace stack9::events {

enum class configured { unknown, yes, no };

// Of each, as CONFIG_KPROBES, in one reading of 2 ms: the first that is not
// set, or "": all are, or nothing tells.
std::string first_not_configured(std::initializer_list<const char *>);

configured is_configured(const std::string &option);

} // namespace stack9::events
