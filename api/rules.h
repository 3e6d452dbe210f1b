// Wraps the watch that lends its programs, for the calls of <stack9_rules.h>.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9_rules.h>

#include "watch.h"

// Opaque to callers.
struct stack9_rules {
	explicit stack9_rules(const stack9_watch_options &o) : watch(o) {}

	stack9_watch watch;
};
