// Reads text for an sbuf from addresses that may be bad.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/malloc.h>
#include <stack9/sys/sbuf.h>

#include <algorithm>
#include <cerrno>

#include "copy.h"
#include "sbuf_storage.h"

extern "C" {

struct sbuf *
sbuf_uionew(struct sbuf *s, struct uio *uio, int *error)
{
	const auto len = static_cast<int>(uio->uio_resid);
	s = sbuf_new(s, nullptr, len + 1 < 2 ? 2 : len + 1, SBUF_FIXEDLEN);
	if (s == nullptr) {
		*error = ENOMEM;
		return nullptr;
	}
	*error = stack9::move_uio(s->s_buf, len, uio);
	if (*error != 0) {
		sbuf_delete(s);
		return nullptr;
	}
	s->s_len = len;
	*error = sbuf_finish(s);
	return s;
}

// Text goes through a small buffer: the storage may be smaller than the text.
int
sbuf_bcopyin(struct sbuf *s, const void *uaddr, std::size_t len)
{
	const auto *from = static_cast<const char *>(uaddr);
	char part[512];
	while (len > 0) {
		const std::size_t n = std::min(len, sizeof part);
		if (s->s_error != 0 || stack9::copy(part, from, n) != 0 ||
		    sbuf_bcat(s, part, n) != 0)
			return -1;
		from += n;
		len -= n;
	}
	return s->s_error != 0 ? -1 : 0;
}

int
sbuf_copyin(struct sbuf *s, const void *uaddr, std::size_t len)
{
	const auto *from = static_cast<const char *>(uaddr);
	const std::size_t most = len != 0 ? len + 1 : SIZE_MAX;
	std::size_t total = 0;
	int error = ENAMETOOLONG;
	if (s->s_error != 0)
		return -1;
	while (error == ENAMETOOLONG && total < most) {
		char part[512];
		std::size_t n;
		error = stack9::copy_string(part, from + total,
		    std::min(sizeof part, most - total), n);
		if (error != 0 && error != ENAMETOOLONG)
			return -1;
		const bool cut = error != 0 && total + n == most;
		total += n;
		if (sbuf_bcat(s, part, error == 0 || cut ? n - 1 : n) != 0)
			break;	// as much as fits
		if (cut)
			s->s_error = ENOMEM;
	}
	return static_cast<int>(total);
}

} // extern "C"
