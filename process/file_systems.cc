// Distinguishes near file systems from far ones by their types in mountinfo.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <array>
#include <cstdio>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <unistd.h>

#include "os/clocks.h"
#include "os/forked_lock.h"

#include "far_files.h"

namespace stack9::process {
namespace {

// Those without a block device that need no server.  An overlay may lie over
// any other.
constexpr std::string_view near_types[] = {
	"btrfs", "tmpfs", "ramfs", "rootfs", "devtmpfs", "zfs", "bcachefs",
	"hugetlbfs", "ubifs", "jffs2", "erofs", "proc", "sysfs",
};

bool
is_near_type(std::string_view type) noexcept
{
	for (const std::string_view near : near_types)
		if (type == near)
			return true;
	return false;
}

// "36 35 0:98 / /mnt rw,noatime shared:1 - btrfs /dev/vda rw"
bool
names_near(std::string_view line, std::string_view device) noexcept
{
	std::size_t at = 0;
	for (int field = 0; field < 2; field++)
		if ((at = line.find(' ', at)) == line.npos)
			return false;
		else
			at++;
	line.remove_prefix(at);
	const auto dash = line.find(" - ");
	if (!line.starts_with(device) || dash == line.npos)
		return false;
	line.remove_prefix(dash + 3);
	return is_near_type(line.substr(0, line.find(' ')));
}

// Lines that do not fit are not lines of near file systems.
bool
look_up(std::string_view device) noexcept
{
	std::array<char, 4096> text;
	std::size_t size = 0;
	const unique_fd fd(open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC));
	for (;;) {
		const ssize_t n = read(fd.get(), text.data() + size,
		    text.size() - size);
		if (n <= 0)
			return false;
		size += static_cast<std::size_t>(n);
		std::string_view rest(text.data(), size);
		for (auto end = rest.find('\n'); end != rest.npos;
		    end = rest.find('\n')) {
			if (names_near(rest.substr(0, end), device))
				return true;
			rest.remove_prefix(end + 1);
		}
		if (rest.size() == text.size())
			rest = {};
		size = rest.size();
		std::copy(rest.begin(), rest.end(), text.begin());
	}
}

// The number of a device may become another file system's.
struct known {
	std::uint32_t	minor;
	bool		near;
	std::int64_t	until;
};
constexpr std::int64_t keep_ns = 60'000'000'000;
constinit std::mutex known_lock;
const int known_at_fork = free_in_children<known_lock>();
constinit std::array<known, 16> known_devices{};
constinit std::size_t next_known = 0;

} // namespace

bool
is_near(std::uint32_t major, std::uint32_t minor) noexcept
{
	if (major != 0)
		return true;
	const std::int64_t now = monotonic_ns();
	{
		const std::lock_guard hold(known_lock);
		for (const known &k : known_devices)
			if (k.minor == minor && k.until > now)
				return k.near;
	}
	char device[24];
	std::snprintf(device, sizeof device, "0:%u ", minor);
	const bool near = look_up(device);
	const std::lock_guard hold(known_lock);
	known_devices[next_known++ % known_devices.size()] = {minor, near,
	    now + keep_ns};
	return near;
}

} // namespace stack9::process
