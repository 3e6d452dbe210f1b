// Writes lines to a descriptor.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "text.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <poll.h>
#include <unistd.h>

namespace stack9::crash {

void
text::flush() noexcept
{
	std::size_t done = 0;
	while (done < n_) {
		const ssize_t w = write(fd_, buffer_ + done, n_ - done);
		if (w > 0) {
			done += static_cast<std::size_t>(w);
			continue;
		}
		if (w < 0 && errno == EAGAIN) {
			pollfd p{fd_, POLLOUT, 0};
			poll(&p, 1, -1);
		} else if (w == 0 || errno != EINTR)
			break;
	}
	n_ = 0;
}

text &
text::operator<<(std::string_view s) noexcept
{
	while (!s.empty()) {
		if (n_ == sizeof buffer_)
			flush();
		const std::size_t n = std::min(s.size(), sizeof buffer_ - n_);
		std::memcpy(buffer_ + n_, s.data(), n);
		n_ += n;
		s.remove_prefix(n);
	}
	return *this;
}

text &
text::operator<<(std::int64_t number) noexcept
{
	char digits[24];
	const auto end = std::to_chars(digits, digits + sizeof digits, number);
	return *this << std::string_view(digits,
	    static_cast<std::size_t>(end.ptr - digits));
}

text &
text::hex(std::uint64_t number, int width) noexcept
{
	char digits[24];
	const auto end = std::to_chars(digits, digits + sizeof digits, number,
	    16);
	const auto n = static_cast<std::size_t>(end.ptr - digits);
	*this << "0x";
	for (int i = static_cast<int>(n); i < width; i++)
		*this << "0";
	return *this << std::string_view(digits, n);
}

text &
text::name(std::string_view s) noexcept
{
	for (const char c : s) {
		const bool plain = static_cast<unsigned char>(c) >= ' ' &&
		    c != 0x7f;
		*this << std::string_view(plain ? &c : "?", 1);
	}
	return *this;
}

} // namespace stack9::crash
