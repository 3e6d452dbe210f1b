// Compares code in anonymous memory with the file that it may come from.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "moved_text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stack9::process {
namespace {

// All of a page is compared, and so much of larger memory.  A debugger may have
// written breakpoints into one of the samples.
constexpr std::size_t sample_size = 256, samples = 16;
constexpr unsigned int most_changed = 1;

using sample = std::array<char, sample_size>;

// Zeros and padding are alike everywhere.
bool
reports(const sample &s) noexcept
{
	return std::any_of(s.begin(), s.end(),
	    [&](char c) { return c != s[0]; });
}

} // namespace

// Memory of huge pages has an unlinked file of the kernel's own.
bool
could_be_moved_text(const mapping &m) noexcept
{
	if (!m.executable || m.writable || m.is_image)
		return false;
	return m.inode == 0 ? m.path.empty() || m.path.starts_with("[anon") :
	    m.deleted && m.path == "/anon_hugepage";
}

bool
has_bytes_of(const mapping &m, process_memory &memory, const file &f,
    std::uint64_t offset) noexcept
{
	sample here, there;
	unsigned int changed = 0, reporting = 0;
	if (m.end - m.start < sample_size)
		return false;
	for (std::size_t n = 0; n < samples; n++) {
		const std::uint64_t at = (m.end - m.start - sample_size) *
		    n / (samples - 1);
		const bool same = memory.read_present(m.start + at,
		    here.data(), sample_size) ==
		    static_cast<ssize_t>(sample_size) &&
		    f.read(offset + at, there.data(), sample_size) &&
		    here == there;
		if (!same && ++changed > most_changed)
			return false;
		reporting += same && reports(here);
	}
	return reporting != 0;
}

} // namespace stack9::process
