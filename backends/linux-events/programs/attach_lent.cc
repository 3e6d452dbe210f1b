// Lends programs: puts them where programs of others jump to, and pins the maps
// by which these do so.  The last one to pin has the directory, and programs
// that were loaded by the pins before it stay with the maps that they have.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <string>

#include <bpf/bpf.h>
#include <unistd.h>

#include "attach.h"
#include "lent_programs.h"
#include "map_pins.h"

namespace stack9::events {

map_pins::~map_pins()
{
	if (owner_ != getpid())
		return;
	for (const auto &[path, id] : all_)
		if (unique_fd now(bpf_obj_get(path.c_str()));
		    now && id_of(now.get()) == id)
			unlink(path.c_str());
}

std::uint32_t
map_pins::id_of(int map) noexcept
{
	bpf_map_info info{};
	std::uint32_t size = sizeof info;
	return bpf_obj_get_info_by_fd(map, &info, &size) == 0 ? info.id : 0;
}

int
map_pins::add(const std::string &path, int map)
{
	if (bpf_obj_pin(map, path.c_str()) != 0) {
		if (errno != EEXIST)
			return errno;
		if (unlink(path.c_str()) != 0 ||
		    bpf_obj_pin(map, path.c_str()) != 0)
			return errno;
	}
	all_.emplace_back(path, id_of(map));
	return 0;
}

int
attachments::lent(const target &t)
{
	for (const lent_program &l : lent_programs) {
		const std::uint32_t zero = 0;
		const int program = t.from.program(l.program);
		if (bpf_map_update_elem(t.from.map(l.array), &zero, &program,
		    0) != 0)
			return errno;
	}
	if (t.at.path.empty())
		return 0;
	for (const map_id id : maps_of_the_border)
		if (const int error = pins_.add(t.at.path + "/" +
		    map_names[index_of(id)], t.from.map(id)); error != 0)
			return error;
	return 0;
}

} // namespace stack9::events
