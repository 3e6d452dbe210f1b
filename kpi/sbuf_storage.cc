// Stores the text of an sbuf: appends, grows and drains.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sbuf_storage.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "malloc_wait.h"

namespace stack9 {
namespace {

constexpr std::size_t least_growth = 16;
constexpr std::size_t page = 4096;

// One byte always stays free for the final NUL.
std::size_t
free_bytes(const sbuf &s) noexcept
{
	return static_cast<std::size_t>(std::max<ssize_t>(
	    s.s_size - 1 - s.s_len, 0));
}

void
grow(sbuf &s, std::size_t more) noexcept
{
	const auto old = static_cast<std::size_t>(s.s_size);
	std::size_t size = 0;
	char *larger = nullptr;

	if (has(s, SBUF_AUTOEXTEND) && more <= INT_MAX - old) {
		size = grown(old + more);
		larger = static_cast<char *>(allocate(s, size));
	}
	if (larger == nullptr) {
		s.s_error = ENOMEM;
		return;
	}
	std::memcpy(larger, s.s_buf, old);
	if (has(s, SBUF_DYNAMIC))
		std::free(s.s_buf);
	s.s_flags |= SBUF_DYNAMIC;
	s.s_buf = larger;
	s.s_size = static_cast<ssize_t>(size);
}

} // namespace

void *
allocate(const sbuf &s, std::size_t size) noexcept
{
	return malloc_wait(size, has(s, SBUF_NOWAIT));
}

std::size_t
grown(std::size_t need) noexcept
{
	if (need < page)
		return std::max(least_growth, std::bit_ceil(need));
	return std::min<std::size_t>((need + page - 1) / page * page, INT_MAX);
}

// With SBUF_DRAINTOEOR the drain gets only the text before the open record.  A
// record that fills the storage alone can never be drained.
void
drain(sbuf &s)
{
	const bool records = has(s, SBUF_DRAINTOEOR | SBUF_INSECTION);
	const int offer = static_cast<int>(records ?
	    std::min(s.s_rec_off, s.s_len) : s.s_len);
	int took = 0;

	if (offer > 0)
		took = s.s_drain_func(s.s_drain_arg, s.s_buf, offer);
	if (took <= 0) {
		s.s_error = took < 0 ? -took : EDEADLK;
		return;
	}
	took = std::min(took, offer);
	if (s.s_buf[took - 1] == '\n')
		s.s_flags |= SBUF_DRAINATEOL;
	else
		s.s_flags &= ~SBUF_DRAINATEOL;
	s.s_len -= took;
	if (records)
		s.s_rec_off -= took;
	std::memmove(s.s_buf, s.s_buf + took,
	    static_cast<std::size_t>(s.s_len));
	s.s_buf[s.s_len] = '\0';	// drained text is no longer data
}

void
put(sbuf &s, const char *text, std::size_t len)
{
	while (len > 0 && s.s_error == 0) {
		const std::size_t n = std::min(len, free_bytes(s));
		if (n == 0) {
			if (s.s_drain_func != nullptr)
				drain(s);
			else
				grow(s, len);
			continue;
		}
		std::memcpy(s.s_buf + s.s_len, text, n);
		s.s_len += static_cast<ssize_t>(n);
		if (has(s, SBUF_INSECTION))
			s.s_sect_len += static_cast<ssize_t>(n);
		text += n;
		len -= n;
	}
}

} // namespace stack9
