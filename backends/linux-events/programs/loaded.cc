// Loads an object in one of two ways.  Either way the descriptors are ours:
// libbpf does not close them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "loaded.h"

#include <cerrno>
#include <vector>

#include "bpf/scoped.h"

#include "run_loader.h"

namespace stack9::events {
namespace {

unique_fd
aside(int fd)
{
	unique_fd there(fd);
	there.step_aside();
	return there;
}

} // namespace

void
loaded::keep(bpf_program *p, unique_fd fd) noexcept
{
	if (const std::size_t i = index_in(program_names,
	    bpf_program__name(p)); i < program_count)
		programs_[i] = std::move(fd);
}

// The map of constants is in no list: programs that use it keep it.
void
loaded::keep(bpf_map *m, unique_fd fd) noexcept
{
	if (const std::size_t i = index_in(map_names, bpf_map__name(m));
	    i < map_count)
		maps_[i] = std::move(fd);
}

int
loaded::by_kernel(bpf_object *o)
{
	LIBBPF_OPTS(gen_loader_opts, made);
	int error = bpf_object__gen_loader(o, &made);
	if (error == 0)
		error = bpf_object__load(o);
	if (error != 0)
		return -error;
	std::size_t all = 0;
	std::vector<bpf_program *> wanted;
	std::vector<bpf_map *> maps;
	bpf_program *p;
	bpf_object__for_each_program(p, o) {
		all++;
		if (bpf_program__autoload(p))
			wanted.push_back(p);
	}
	bpf_map *m;
	bpf_object__for_each_map(m, o)
		maps.push_back(m);
	std::vector<int> map_fds(maps.size(), -1);
	std::vector<int> program_fds(wanted.size(), -1);
	error = -s9_run_loader(&made, maps.size(), all, map_fds.data(),
	    program_fds.data(), wanted.size());
	if (error != 0)
		return error;
	for (std::size_t i = 0; i < wanted.size(); i++)
		keep(wanted[i], aside(program_fds[i]));
	for (std::size_t i = 0; i < maps.size(); i++)
		keep(maps[i], aside(map_fds[i]));
	return 0;
}

int
loaded::by_libbpf(bpf_object *o)
{
	if (const int error = bpf_object__load(o); error != 0)
		return -error;
	bpf_program *p;
	bpf_object__for_each_program(p, o)
		if (bpf_program__autoload(p))
			keep(p, bpf::kept_copy(bpf_program__fd(p)));
	bpf_map *m;
	bpf_object__for_each_map(m, o)
		keep(m, bpf::kept_copy(bpf_map__fd(m)));
	return 0;
}

} // namespace stack9::events
