// Lends programs: puts them where programs of others jump to, and pins the maps
// by which these do so.  The last one to pin has the directory, and programs
// that were loaded by the pins before it stay with the maps that they have.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>
#include <utility>

#include <bpf/bpf.h>
#include <unistd.h>

#include "bpf/raw_tracepoint.h"

#include "attach.h"
#include "lent_maps.h"
#include "lent_programs.h"

namespace stack9::events {

lent_maps::~lent_maps()
{
	take_back();
	if (!is_mine())
		return;
	for (const auto &[path, id] : pins_)
		if (const unique_fd now(bpf_obj_get(path.c_str()));
		    now && id_of(now.get()) == id)
			unlink(path.c_str());
}

std::uint32_t
lent_maps::id_of(int map) noexcept
{
	bpf_map_info info{};
	std::uint32_t size = sizeof info;
	return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? info.id : 0;
}

int
lent_maps::lend(int array, int program)
{
	const std::uint32_t zero = 0;
	arrays_.push_back(array);
	return bpf_map_update_elem(array, &zero, &program, 0) == 0 ? 0 : errno;
}

// The kernel empties an array only once no process has it open, and the object
// of a program of others does.
void
lent_maps::take_back() noexcept
{
	const std::uint32_t zero = 0;
	for (const int array : arrays_)
		if (is_mine())
			(void)bpf_map_delete_elem(array, &zero);
	arrays_.clear();
}

int
lent_maps::pin(const std::string &path, int map)
{
	if (bpf_obj_pin(map, path.c_str()) != 0) {
		if (errno != EEXIST)
			return errno;
		if (unlink(path.c_str()) != 0 ||
		    bpf_obj_pin(map, path.c_str()) != 0)
			return errno;
	}
	pins_.emplace_back(path, id_of(map));
	return 0;
}

int
attachments::lent(const target &t)
{
	for (const lent_program &l : lent_programs)
		if (const int error = lent_.lend(t.from.map(l.array),
		    t.from.program(l.program)); error != 0)
			return error;
	if (t.set.printk) {
		unique_fd fd = bpf::open_raw_tracepoint("bpf_trace_printk",
		    t.from.program(program_id::lent_printk), 0);
		if (!fd)
			return errno;
		keep(std::move(fd));
	}
	if (t.at.path.empty())
		return 0;
	for (const map_id id : maps_of_the_border)
		if (const int error = lent_.pin(t.at.path + "/" +
		    map_names[index_of(id)], t.from.map(id)); error != 0)
			return error;
	return 0;
}

} // namespace stack9::events
