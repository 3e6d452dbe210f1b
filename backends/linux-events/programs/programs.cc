// Opens an object by libbpf, leaves out the programs that are not wanted, sets
// its constants and the sizes of its maps, and loads it.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <unistd.h>

#include "bpf/possible_cpus.h"
#include "bpf/refusal.h"
#include "bpf/scoped.h"
#include "os/block_signals.h"
#include "os/unique_fd.h"

#include "event_elf.h"
#include "map_sizes.h"

namespace stack9::events {
namespace {

int
set_config(bpf_object *o, const s9_config &c)
{
	bpf_map *const m = bpf_object__find_map_by_name(o, ".rodata.cfg");
	return m == nullptr ? ENOENT :
	    -bpf_map__set_initial_value(m, &c, sizeof c);
}

int
set_walk_config(bpf_object *o, const settings &s)
{
	const s9_config &c = s.config;
	bpf_map *const m = bpf_object__find_map_by_name(o, ".rodata.walk");
	const s9_walk_config w{c.walk ? s.rules.bits : 0U,
	    c.both - c.frames, s.rules.more,
	    memos_for(bpf::possible_cpus()) - 1};
	return m == nullptr ? 0 :
	    -bpf_map__set_initial_value(m, &w, sizeof w);
}

int
put_cgroup(int map, const std::string &path, std::string &why)
{
	const unique_fd dir(open(path.c_str(),
	    O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	std::uint32_t zero = 0;
	const int fd = dir.get();
	if (fd >= 0 && bpf_map_update_elem(map, &zero, &fd, 0) == 0)
		return 0;
	const int error = errno;
	why = path + ": " + (error == EBADF || error == EINVAL ?
	    "no directory of cgroup v2; try: mount -t cgroup2" :
	    std::strerror(error));
	return error == EBADF ? EINVAL : error;
}

#define	S9_NAME(known)	#known,
constexpr std::string_view of_new_kernels[] = {
	S9_PROGRAMS_OF_NEW_KERNELS(S9_NAME)
};
constexpr std::string_view that_lend[] = {
	S9_PROGRAMS_THAT_LEND(S9_NAME) "who_asks"
};
constexpr std::string_view of_the_border[] = {
	S9_MAPS_OF_THE_BORDER(S9_NAME)
};
#undef S9_NAME

bool
is_among(std::span<const std::string_view> all, std::string_view name) noexcept
{
	return std::find(all.begin(), all.end(), name) != all.end();
}

// True if this object has to have the program or the map.
bool
has_program(s9_event_object which, std::string_view name) noexcept
{
	if (which == S9_EVENT_LENT)
		return is_among(that_lend, name);
	return name == "who_asks" || (!is_among(that_lend, name) &&
	    (which != S9_EVENT_OLD || !is_among(of_new_kernels, name)));
}

bool
has_map(s9_event_object which, std::string_view name) noexcept
{
	return which == S9_EVENT_LENT || !is_among(of_the_border, name);
}

// The first name that only the object has or only our lists have; "": they
// agree.  libbpf's own maps begin with a dot.
std::string
odd_name(bpf_object *o, s9_event_object which)
{
	bpf_program *p;
	bpf_object__for_each_program(p, o)
		if (const char *const name = bpf_program__name(p);
		    index_in(program_names, name) == program_count)
			return name;
	bpf_map *m;
	bpf_object__for_each_map(m, o)
		if (const char *const name = bpf_map__name(m);
		    *name != '.' && index_in(map_names, name) == map_count)
			return name;
	for (const char *const name : program_names)
		if (has_program(which, name) &&
		    bpf_object__find_program_by_name(o, name) == nullptr)
			return name;
	for (const char *const name : map_names)
		if (has_map(which, name) &&
		    bpf_object__find_map_by_name(o, name) == nullptr)
			return name;
	return {};
}

s9_event_object
object_for(const settings &s, bool old) noexcept
{
	return s.lends ? S9_EVENT_LENT : old ? S9_EVENT_OLD :
	    s.config.walk || s.config.reported != 0 ? S9_EVENT_WALKS :
	    S9_EVENT_WITHOUT_RULES;
}

} // namespace

int
programs::open(const settings &s, program_set wanted,
    const std::string &function, bool old)
{
	std::size_t size = 0;
	const s9_event_object which = object_for(s, old);
	const void *const bytes = s9_event_elf(which, &size);
	loaded_ = loaded();
	object_.reset();
	parts_.close();
	object_.reset(bpf_object__open_mem(bytes, size, nullptr));
	if (object_ == nullptr)
		return errno;
	odd_ = odd_name(object_.get(), which);
	if (!odd_.empty())
		return ENOEXEC;
	bpf_program *p;
	bpf_object__for_each_program(p, object_.get()) {
		const std::size_t id = index_in(program_names,
		    bpf_program__name(p));
		bpf_program__set_autoload(p, wanted[id]);
		if (wanted[id] && id == index_of(program_id::at_fentry))
			if (const int e = bpf_program__set_attach_target(p, 0,
			    function.c_str()); e != 0)
				return -e;
		wanted.reset(id);
	}
	// The object for old kernels does not have all programs.
	if (wanted.any())
		return EOPNOTSUPP;
	set_map_sizes(object_.get(), s);
	int error = s.config.walk ? parts_.size(object_.get(), s.rules) : 0;
	if (error == 0)
		error = set_config(object_.get(), s.config);
	return error != 0 ? error : set_walk_config(object_.get(), s);
}

// Kernels before 5.17 leave the loading to libbpf; kernels before 5.11 need the
// programs for old kernels.
int
programs::try_load(const settings &s, program_set wanted,
    const std::string &function)
{
	int error = open(s, wanted, function, false);
	if (error == 0)
		error = loaded_.by_kernel(object_.get());
	if (error == 0 || error == EPERM || error == ENOMEM ||
	    error == EMFILE || error == ENOEXEC)
		return error;
	if ((error = open(s, wanted, function, false)) == 0)
		error = loaded_.by_libbpf(object_.get());
	if (error == 0 || s.config.copy || s.lends)
		return error;
	if ((error = open(s, wanted, function, true)) == 0)
		error = loaded_.by_libbpf(object_.get());
	return error;
}

int
programs::load(const settings &asked, program_set wanted,
    const std::string &function, std::string &why)
{
	if (const verdict v = find_sys(); v.error != 0) {
		why = v.reason;
		return v.error;
	}
	const bpf::silence_libbpf no_prints;
	const block_signals in_peace;
	settings s = asked;
	int error = try_load(s, wanted, function);
	// Programs on tracepoints may ask for the cookie since 6.10 only.
	if (error == EINVAL && s.config.cookies) {
		s.config.cookies = 0;
		error = try_load(s, wanted, function);
	}
	// A kernel that cannot load the walk by rules copies all stacks, and
	// follows no frames of runtimes.
	if (error != 0 && error != ENOEXEC && (s.config.walk ||
	    s.config.reported != 0)) {
		s.config.walk = s.config.compare = s.config.reported = 0;
		error = try_load(s, wanted, function);
	}
	if (error == ENOEXEC) {
		why = "this library was built with programs on events of "
		    "another version: " + odd_;
		return error;
	}
	if (error != 0) {
		object_.reset();
		parts_.close();
		const verdict v = bpf::explain(error, s.config.copy ?
		    "the kernel lacks what copies of user stacks take (Linux "
		    "5.15); --fp walks them by frame pointers" :
		    "the kernel lacks what programs on events take");
		why = v.reason;
		return v.error;
	}
	parts_.close();
	wanted_ = wanted;
	cookies_ = s.config.cookies != 0;
	walks_ = s.config.walk != 0;
	reports_ = s.config.reported != 0;
	return s.cgroup.empty() ? 0 : put_cgroup(map(map_id::cgroups), s.cgroup,
	    why);
}

std::uint32_t
programs::key_size(map_id map) const noexcept
{
	return bpf_map__key_size(find_map(object_.get(), map));
}

std::uint32_t
programs::value_size(map_id map) const noexcept
{
	return bpf_map__value_size(find_map(object_.get(), map));
}

std::uint64_t
programs::skipped() const noexcept
{
	std::uint64_t all = 0;
	for (std::size_t i = 0; i < program_count; i++) {
		bpf_prog_info info{};
		std::uint32_t size = sizeof info;
		if (wanted_[i] && bpf_obj_get_info_by_fd(program(
		    static_cast<program_id>(i)), &info, &size) == 0)
			all += info.recursion_misses;
	}
	return all;
}

} // namespace stack9::events
