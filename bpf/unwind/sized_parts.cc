// Sets in libbpf how large the parts of the rule table are.
//
// The parts are maps in a map, and the kernel takes a part only if it is like
// the inner map that the object declares.  bpf_map__set_value_size() crashes
// for an inner map in libbpf 1.5 to 1.7: they ask the map for its object, and
// an inner map has none.  bpf_map__set_inner_map_fd() does not reach the
// program that bpf_object__gen_loader() makes.  bpf_map__reuse_fd() takes all
// that is declared from a map, in each libbpf.
//
// libbpf then has a descriptor of that map, and loses it where a loader program
// is made.  It is ours to close: nobody else has this map.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "sized_parts.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <unistd.h>

#include "os/unique_dir.h"

namespace stack9::events {
namespace {

// The number of a map; 0: the descriptor has none.
std::uint32_t
id_of(int map) noexcept
{
	bpf_map_info info{};
	std::uint32_t size = sizeof info;
	return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? info.id : 0;
}

} // namespace

int
sized_parts::size(bpf_object *o, const rule_budget &room) noexcept
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);
	like_ = unique_fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, nullptr, 4,
	    static_cast<std::uint32_t>(room.part()), 1, &opts));
	if (!like_)
		return errno;
	id_ = id_of(like_.get());
	if (id_ == 0)
		return errno;
	return -bpf_map__reuse_fd(bpf_map__inner_map(
	    bpf_object__find_map_by_name(o, "more_rules")), like_.get());
}

void
sized_parts::close() noexcept
{
	if (!like_)
		return;
	unique_dir all(opendir("/proc/self/fd"));
	if (!all)	// it may have been out of memory for a moment
		all = unique_dir(opendir("/proc/self/fd"));
	while (const dirent *const entry = all ? readdir(all.get()) : nullptr) {
		constexpr std::string_view wanted = "anon_inode:bpf-map";
		char to[64];
		const ssize_t n = readlinkat(dirfd(all.get()), entry->d_name,
		    to, sizeof to);
		if (n < 0 || std::string_view(to,
		    static_cast<std::size_t>(n)) != wanted)
			continue;
		const int fd = std::atoi(entry->d_name);
		if (fd != like_.get() && id_of(fd) == id_)
			::close(fd);
	}
	like_.reset();
}

} // namespace stack9::events
