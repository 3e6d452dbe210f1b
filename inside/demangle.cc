// Turns linker names into names for people by the C++ library's own demangler.
// Rejected: libiberty.  It knows Rust's names too, but is one more library.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include <cxxabi.h>

#include "core/seam/symbols.h"

namespace stack9 {
namespace {

struct freer {
	void operator()(char *text) const noexcept { std::free(text); }
};

// Longer names are given as they are: the demangler calls itself for each part.
constexpr std::size_t longest = 1024;

} // namespace

int
demangle(const char *name, char *text, std::size_t size) noexcept
{
	if (size == 0 || strncmp(name, "_Z", 2) != 0 ||
	    strnlen(name, longest) == longest)
		return ENOENT;
	int status = 0;
	const std::unique_ptr<char, freer> readable(
	    abi::__cxa_demangle(name, nullptr, nullptr, &status));
	if (status == -1)
		return ENOMEM;
	if (status != 0 || readable == nullptr)
		return ENOENT;
	const std::size_t n = std::min(strlen(readable.get()), size - 1);
	memcpy(text, readable.get(), n);
	text[n] = '\0';
	return 0;
}

} // namespace stack9
