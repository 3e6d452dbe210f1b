// Reads a part of a file.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_part.h"

#include <algorithm>

#include "elf_parts.h"

namespace stack9::process {
namespace {

constexpr std::size_t text_max = 4096;

} // namespace

std::size_t
file_part::some(std::uint64_t at, void *to, std::size_t capacity) const noexcept
{
	if (at >= size_)
		return 0;
	const std::size_t size = std::min<std::uint64_t>(capacity, size_ - at);
	return file_->read(offset_ + at, to, size) ? size : 0;
}

bool
file_part::is_there(std::uint64_t at, std::uint64_t size) const noexcept
{
	return file_ != nullptr &&
	    may_read(file_->fd(), offset_ + at, size, UINT64_MAX);
}

bool
file_part::text(std::uint64_t at, std::string &to) const
{
	char buffer[256];
	std::string all;
	while (all.size() < text_max) {
		const std::size_t got = some(at + all.size(), buffer,
		    sizeof buffer);
		const char *const end = std::find(buffer, buffer + got, '\0');
		all.append(buffer, static_cast<std::size_t>(end - buffer));
		if (end != buffer + got) {
			to = std::move(all);
			return true;
		}
		if (got == 0)
			return false;
	}
	return false;
}

file_part
file_part::behind(std::uint64_t at) const noexcept
{
	return at < size_ ? file_part(*file_, offset_ + at, size_ - at) :
	    file_part();
}

} // namespace stack9::process
