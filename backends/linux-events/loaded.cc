// Descriptors are ours, however they came.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "loaded.h"

#include <cerrno>

#include <fcntl.h>

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

unique_fd
copy_of(int fd)
{
	return aside(fcntl(fd, F_DUPFD_CLOEXEC, 3));
}

template <typename Fn>
void
each_wanted(bpf_object *o, Fn fn)
{
	bpf_program *p;
	bpf_object__for_each_program(p, o)
		if (bpf_program__autoload(p))
			fn(p);
}

} // namespace

int
loaded::find(const fds &all, std::string_view name) noexcept
{
	for (const auto &[known, fd] : all)
		if (name == known)
			return fd.get();
	return -1;
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
	std::vector<const char *> names, map_names;
	bpf_program *p;
	bpf_object__for_each_program(p, o)
		all++;
	each_wanted(o, [&](bpf_program *wanted) {
		names.push_back(bpf_program__name(wanted));
	});
	bpf_map *m;
	bpf_object__for_each_map(m, o)
		map_names.push_back(bpf_map__name(m));
	std::vector<int> map_fds(map_names.size(), -1);
	std::vector<int> program_fds(names.size(), -1);
	error = -s9_run_loader(&made, map_names.size(), all, map_fds.data(),
	    program_fds.data(), names.size());
	if (error != 0)
		return error;
	for (std::size_t i = 0; i < names.size(); i++)
		programs_.emplace_back(names[i],
		    aside(program_fds[i]));
	for (std::size_t i = 0; i < map_names.size(); i++)
		maps_.emplace_back(map_names[i], aside(map_fds[i]));
	return 0;
}

int
loaded::by_libbpf(bpf_object *o)
{
	if (const int error = bpf_object__load(o); error != 0)
		return -error;
	each_wanted(o, [this](bpf_program *p) {
		programs_.emplace_back(bpf_program__name(p),
		    copy_of(bpf_program__fd(p)));
	});
	bpf_map *m;
	bpf_object__for_each_map(m, o)
		maps_.emplace_back(bpf_map__name(m), copy_of(bpf_map__fd(m)));
	return 0;
}

} // namespace stack9::events
