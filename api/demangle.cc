// Makes readable names.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "names.h"

#include <cerrno>
#include <cstring>
#include <new>

#include "core/arguments.h"
#include "core/seam/symbols.h"

#include "options.h"

namespace stack9 {

// A name that was cut may be up to three bytes shorter than its buffer:
// characters stay whole.
int
readable_name(const char *name, std::string &to)
{
	for (std::size_t size = 4096; size <= longest_readable; size *= 4) {
		to.resize(size);
		const int error = demangle(name, to.data(), size);
		if (error != 0)
			return error;
		const std::size_t length = std::strlen(to.data());
		to.resize(length);
		if (length + 4 < size)
			return 0;
	}
	return ENOENT;
}

namespace {

// need: with the NUL.  0; ENOSPC.
int
store(std::string_view from, char *text, std::size_t size, std::size_t *need)
    noexcept
{
	if (need != nullptr)
		*need = from.size() + 1;
	return size == 0 || write_text(from, text, size) ? 0 : ENOSPC;
}

} // namespace
} // namespace stack9

extern "C" int
stack9_demangle(const char *name, char *text, size_t size, size_t *need)
{
	using namespace stack9;
	if (const int error = check_arguments({
	    {name == nullptr, "name is NULL"},
	    {text == nullptr && size != 0, "text is NULL, and size is not 0"},
	    {size == 0 && need == nullptr, "need is NULL, and size is 0"},
	    }); error != 0)
		return error;
	try {
		std::string readable;
		const int error = readable_name(name, readable);
		const int cut = store(error == 0 ? std::string_view(readable) :
		    name, text, size, need);
		return cut != 0 ?
		    failed(cut, "size is too small for the name") :
		    error == ENOENT ? failed(error,
		    "it is not a mangled name") : failed(error);
	} catch (const std::bad_alloc &) {
		return failed(ENOMEM);
	}
}
