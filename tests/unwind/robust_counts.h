// Reads one of the unwinder's counts.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cerrno>
#include <cstring>

#include <stack9.h>

#include "robust_child.h"

// Async-signal-safe.
inline std::uint64_t
count_of(const char *name)
{
	struct search {
		const char	*name;
		std::uint64_t	 value;
	} s{name, 0};
	const int found = stack9_stats([](void *arg, const char *is,
	    std::uint64_t value, const char *) {
		auto &wanted = *static_cast<search *>(arg);
		wanted.value = value;
		return std::strcmp(is, wanted.name) == 0 ? 1 : 0;
	}, &s);
	must(found == ECANCELED, "there is a count of this name");
	return s.value;
}
