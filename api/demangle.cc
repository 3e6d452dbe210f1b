// Makes readable names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

#include "core/seam/symbols.h"

namespace stack9 {
namespace {

// The readable name in a buffer that grows as it must.  0; ENOENT; ENOMEM.
int
demangle_whole(const char *name, std::unique_ptr<char[]> &text,
    std::size_t &length) noexcept
{
	for (std::size_t size = 4096;; size *= 4) {
		text.reset(new (std::nothrow) char[size]);
		if (text == nullptr)
			return ENOMEM;
		const int error = demangle(name, text.get(), size);
		length = std::strlen(text.get());
		// A cut name may be up to three bytes shorter: characters stay
		// whole.
		if (length + 4 < size)
			return error;
	}
}

} // namespace
} // namespace stack9

extern "C" int
stack9_demangle(const char *name, char *text, size_t size, size_t *need)
{
	using namespace stack9;
	if (name == nullptr || (text == nullptr && size != 0) ||
	    (size == 0 && need == nullptr))
		return EINVAL;
	std::unique_ptr<char[]> whole;
	std::size_t length = 0;
	const int error = demangle_whole(name, whole, length);
	if (error == ENOMEM)
		return error;
	if (need != nullptr)
		*need = length + 1;
	if (size == 0)
		return error;
	const std::size_t fits = std::min(length, size - 1);
	std::memcpy(text, whole.get(), fits);
	text[fits] = '\0';
	return fits < length ? ENOSPC : error;
}
