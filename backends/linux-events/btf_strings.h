// The names that the kernel's own BTF has.  Its types take 6 ms to read by
// libbpf, its strings, searched as they lie there, 0.1.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace stack9::events {

// Of the kernel, and of its modules.
class btf_strings {
public:
	// False: there is none, or it cannot be read.
	static bool are_there() noexcept;

	// One of them is name: a type, a function, a member...
	static bool has(const std::string &name);
	// What follows prefix in each that begins so.
	static void each(const std::string &prefix,
	    const std::function<void(std::string_view)> &);
};

} // namespace stack9::events
