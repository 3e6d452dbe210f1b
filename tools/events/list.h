// Prints the events that could be watched, a line each, and what each is.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "options.h"

namespace events {

// Says in a few words what the library's name of an event stands for.
std::string kind_of_event(const std::string &label);

// Lists what matches o.event.  Returns the exit status.
int list_events(const options &o);

} // namespace events
