// Implements copyin(9), copyinstr(9) and uiomove(9).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "console.h"
#include "copy.h"

extern "C" {

int
stack9_copyin(const void *from, void *to, std::size_t len)
{
	return stack9::copy(to, from, len);
}

int
stack9_copyinstr(const void *from, void *to, std::size_t len,
    std::size_t *done)
{
	std::size_t copied;
	const int error = stack9::copy_string(static_cast<char *>(to),
	    static_cast<const char *>(from), len, copied);
	if (done != nullptr)
		*done = copied;
	return error;
}

int
stack9_uiomove(void *p, int n, struct uio *uio)
{
	return stack9::move_uio(p, n, uio);
}

} // extern "C"
