// Asks the kernel about one mapping, where the text of all takes it a hundred
// times as long.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_at.h"

#include <cerrno>
#include <string_view>

#include <fcntl.h>
#include <sys/ioctl.h>

#include "core/seam/user_copy.h"
#include "os/unique_fd.h"

#include "maps.h"

namespace stack9::process {
namespace {

// include/uapi/linux/fs.h has this as struct procmap_query since Linux 6.11.
// Debian 12's header does not know it.
struct mapping_query {
	std::uint64_t	size, query_flags, address;
	std::uint64_t	start, end, flags, page_size, offset, inode;
	std::uint32_t	major, minor, name_size, build_id_size;
	std::uint64_t	name, build_id;
};
static_assert(sizeof(mapping_query) == 104);

constexpr unsigned long query = _IOWR('f', 17, mapping_query);
enum : std::uint64_t { readable = 1, writable = 2, executable = 4, shared = 8 };

// 0; ENOENT: nothing is mapped there; or why the kernel does not say.
int
ask_kernel(int task, std::uintptr_t at, maps_line &to) noexcept
{
	const unique_fd maps(openat(task, "maps", O_RDONLY | O_CLOEXEC));
	mapping_query q{};
	q.size = sizeof q;
	q.address = at;
	if (!maps || ioctl(maps.get(), query, &q) != 0)
		return errno;
	if (at < q.start || at >= q.end)
		return EIO;	// a kernel that says what nobody asked
	to = {};
	to.start = q.start;
	to.end = q.end;
	to.offset = q.offset;
	to.inode = q.inode;
	to.major = q.major;
	to.minor = q.minor;
	to.readable = (q.flags & readable) != 0;
	to.writable = (q.flags & writable) != 0;
	to.executable = (q.flags & executable) != 0;
	to.shared = (q.flags & shared) != 0;
	return 0;
}

} // namespace

bool
mapping_at(int task, std::uintptr_t at, maps_line &to) noexcept
{
	byte_buffer text;
	const int error = ask_kernel(task, at, to);
	if (error == 0 || error == ENOENT)
		return error == 0;
	if (read_maps(task, text) != 0)
		return false;
	std::string_view rest(reinterpret_cast<const char *>(text.data()),
	    text.size());
	while (!rest.empty())
		if (next_line(rest, to) && to.start <= at && at < to.end) {
			to.path = {};
			return true;
		}
	return false;
}

} // namespace stack9::process
