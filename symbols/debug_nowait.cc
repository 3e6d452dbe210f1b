// Finds debug files by build ID for lookups in signal handlers.  Rejected: the
// name in .gnu_debuglink, whose file has to be read to its end before it can be
// believed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "debug_nowait.h"

#include <cerrno>
#include <cstring>

#include "os/strangers_file.h"

namespace stack9 {

const char *debug_root = "/usr/lib/debug";

namespace {

struct debug_path {
	static constexpr std::size_t root_max = 64;

	char	text[root_max + sizeof "/.build-id/" + sizeof(build_id::data) *
		    2 + sizeof "/.debug"];

	// False: there is no such name.
	bool
	set(const build_id &id) noexcept
	{
		const std::size_t root = strnlen(debug_root, root_max);
		if (id.size < 2 || id.size > sizeof id.data || root == root_max)
			return false;
		char *to = put(text, debug_root, root);
		to = put(to, "/.build-id/", 11);
		for (std::uint32_t i = 0; i < id.size; i++) {
			if (i == 1)
				*to++ = '/';
			*to++ = "0123456789abcdef"[id.data[i] >> 4];
			*to++ = "0123456789abcdef"[id.data[i] & 15];
		}
		put(to, ".debug", sizeof ".debug");
		return true;
	}

private:
	static char *
	put(char *to, const char *from, std::size_t n) noexcept
	{
		std::memcpy(to, from, n);
		return to + n;
	}
};

// Kept out of the frames that read the table afterwards.
[[gnu::noinline]] int
open_by_id(const build_id &id, unique_fd &to) noexcept
{
	debug_path path;
	return path.set(id) ? open_regular(path.text, to) : ENOENT;
}

} // namespace

int
open_debug_nowait(module_image &m, std::span<unsigned char> room,
    unique_fd &to) noexcept
{
	m.room = room;
	if (m.id.size == 0)
		m.id = m.mapped_id();
	const int error = open_by_id(m.id, to);
	if (error == EMFILE || error == ENFILE || error == ENOMEM)
		return error;
	return error == 0 &&
	    find_build_id(bytes{to.get()}, {false, 0}, room) == m.id ? 0 :
	    ENOENT;
}

} // namespace stack9
