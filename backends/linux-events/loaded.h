// A configured object, loaded: its programs and maps by name.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <bpf/libbpf.h>
#include "bpf/object.h"

namespace stack9::events {

class loaded {
public:
	// By a program that has the kernel do all of it: 2 ms.  0; an errno.
	int by_kernel(bpf_object *);
	// By libbpf, which reads all of the kernel's types first: 15 ms.
	int by_libbpf(bpf_object *);

	// -1: there is none.
	int program(std::string_view name) const noexcept
	    { return find(programs_, name); }
	int map(std::string_view name) const noexcept
	    { return find(maps_, name); }

private:
	using fds = std::vector<std::pair<const char *, unique_fd>>;

	static int	find(const fds &, std::string_view name) noexcept;

	fds	programs_, maps_;	// names are the object's
};

} // namespace stack9::events
