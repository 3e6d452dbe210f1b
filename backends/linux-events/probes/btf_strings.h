// Searches the strings of the kernel's own BTF for names.  libbpf needs 6 ms to
// read the types; to search the strings in place takes 0.1 ms.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace stack9::events {

// The strings of the kernel and of its modules.
class btf_strings {
public:
	// False: the kernel has none, or it is not readable.
	static bool are_there() noexcept;

	// True if name is one of them: of a type, a function, a member...
	static bool has(const std::string &name);
	// Calls f for each string with this prefix, with what follows it.
	static void each(const std::string &prefix,
	    const std::function<void(std::string_view)> &);
};

// The strings of such a file's bytes: each begins after a NUL and ends at one.
// "": the bytes are damaged.
std::string_view strings_in_btf(std::string_view) noexcept;
// True if name is one of these strings.
bool has_string(std::string_view strings, const std::string &name);
// Calls f as each() does.
void each_string(std::string_view strings, const std::string &prefix,
    const std::function<void(std::string_view)> &f);

} // namespace stack9::events
