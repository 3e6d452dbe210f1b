// Copies from addresses that may be bad, as copyin(9) and uiomove(9) do.  There
// is one address space, so the kernel is asked to read and write this process
// itself: a bad address is an error then, and no fault.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <stack9/sys/malloc.h>
#include <stack9/sys/sbuf.h>
#include <stack9/sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "console.h"
#include "os/own_memory.h"
#include "os/uncancelled.h"
#include "sbuf_storage.h"

namespace stack9 {
namespace {

constexpr std::size_t page_bytes = 4096;	// no page is smaller

// Copies within this process.  0; EFAULT, and a part may have been copied.
int
copy(void *to, const void *from, std::size_t len) noexcept
{
	const uncancelled guard;
	const int saved = errno;
	int error = copy_own(to, from, len);
	// A kernel without this call, or a filter, leaves only trust.
	if (error == ENOSYS) {
		std::memcpy(to, from, len);
		error = 0;
	}
	errno = saved;
	return error;
}

// Reads up to the first NUL, a page at a time: the next page may be bad.
int
copy_string(char *to, const char *from, std::size_t len, std::size_t &done)
    noexcept
{
	done = 0;
	while (done < len) {
		const std::size_t left = page_bytes -
		    reinterpret_cast<std::uintptr_t>(from + done) % page_bytes;
		const std::size_t n = std::min(left, len - done);
		if (const int error = copy(to + done, from + done, n))
			return error;
		const std::size_t text = strnlen(to + done, n);
		if (text < n) {
			done += text + 1;
			return 0;
		}
		done += n;
	}
	return ENAMETOOLONG;
}

} // namespace
} // namespace stack9

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
	auto *at = static_cast<char *>(p);
	auto left = static_cast<std::size_t>(std::max(n, 0));
	while (left > 0 && uio->uio_resid > 0 && uio->uio_iovcnt > 0) {
		iovec &v = *uio->uio_iov;
		const std::size_t part = std::min(left, v.iov_len);
		const int error = uio->uio_rw == UIO_READ ?
		    stack9::copy(v.iov_base, at, part) :
		    stack9::copy(at, v.iov_base, part);
		if (error != 0)
			return error;
		v.iov_base = static_cast<char *>(v.iov_base) + part;
		v.iov_len -= part;
		uio->uio_resid -= static_cast<ssize_t>(part);
		uio->uio_offset += static_cast<off_t>(part);
		at += part;
		left -= part;
		if (v.iov_len == 0) {
			uio->uio_iov++;
			uio->uio_iovcnt--;
		}
	}
	return 0;
}

struct sbuf *
sbuf_uionew(struct sbuf *s, struct uio *uio, int *error)
{
	const auto len = static_cast<int>(uio->uio_resid);
	s = sbuf_new(s, nullptr, len + 1 < 2 ? 2 : len + 1, SBUF_FIXEDLEN);
	if (s == nullptr) {
		*error = ENOMEM;
		return nullptr;
	}
	*error = stack9_uiomove(s->s_buf, len, uio);
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
