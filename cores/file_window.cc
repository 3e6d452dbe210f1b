// Fills the window where it lacks what is asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file_window.h"

#include <algorithm>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "budgets/budgets.h"

namespace stack9::cores {

bool
file_window::open() noexcept
{
	struct stat st;
	if (fstat(fd_, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	size_ = static_cast<std::uint64_t>(st.st_size);
	return true;
}

bool
file_window::read(std::uint64_t at, void *to, std::size_t size)
{
	constexpr std::size_t window = 64 * budgets::KiB;
	if (at > size_ || size > size_ - at)
		return false;
	if (size > window / 2)
		return pread(fd_, to, size, static_cast<off_t>(at)) ==
		    static_cast<ssize_t>(size);
	if (at < at_ || at - at_ > bytes_.size() ||
	    bytes_.size() - (at - at_) < size) {
		bytes_.resize(std::min<std::uint64_t>(window, size_ - at));
		at_ = at;
		const ssize_t n = pread(fd_, bytes_.data(), bytes_.size(),
		    static_cast<off_t>(at));
		bytes_.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
	}
	if (bytes_.size() - (at - at_) < size)
		return false;
	std::memcpy(to, bytes_.data() + (at - at_), size);
	return true;
}

} // namespace stack9::cores
