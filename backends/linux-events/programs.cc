// By libbpf: what of the object is wanted, with maps as large as they are
// wanted.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "programs.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event_elf.h"
#include "bpf/object.h"
#include "bpf/silence_libbpf.h"
#include "bpf/refusal.h"
#include "os/linux/block_signals.h"

namespace stack9::events {
namespace {

constexpr std::uint32_t most_threads = 65536;

// Hash tables that take memory as they grow are safe under any event since
// Linux 6.1, which brought the ring from user to kernel too; before, all of it
// has to be taken first.
bool
tables_may_grow() noexcept
{
	LIBBPF_OPTS(bpf_map_create_opts, opts);
	constexpr auto user_ring = static_cast<bpf_map_type>(31);
	const unique_fd fd(bpf_map_create(user_ring, nullptr, 0, 0,
	    static_cast<std::uint32_t>(sysconf(_SC_PAGESIZE)), &opts));
	return static_cast<bool>(fd);
}

struct table_name {
	const char	*name;
	std::uint32_t	frames;		// 0: of both sides
	std::uint32_t	fewer;		// where memory is taken first
};
constexpr table_name tables[S9_SIZES] = {
	{"table_0", S9_SIZE_0, 1}, {"table_1", S9_SIZE_1, 1},
	{"table_2", S9_SIZE_2, 1}, {"table_3", S9_SIZE_3, 4},
	{"table_4", 0, 32},
};

class sizing {
public:
	sizing(bpf_object *o, const settings &s)
	    : object_(o), set_(s), grow_(tables_may_grow()) {}

	void
	all()
	{
		const s9_config &c = set_.config;
		const std::uint32_t cpus = static_cast<std::uint32_t>(
		    libbpf_num_possible_cpus());
		const std::uint32_t both = 2 * c.frames * 8;
		// A walk of the second side may reach a side further, and any
		// table's value be read.
		const std::uint32_t room = std::max(both + c.frames * 8,
		    (S9_SIZE_3 + 1U) * 8) + S9_ABREAST * 8;
		value("scratch", sizeof(s9_scratch) + room);
		entries("scratch", cpus * S9_LEVELS);
		if (c.copy) {
			value("copies", sizeof(s9_event_copy) + S9_COPY_ROOM +
			    c.frames * 8);
			entries("copies", cpus * S9_LEVELS);
		}
		ring();
		if (c.stackid)
			stack_ids();
		else if (!c.stream && !c.copy)
			counts(both);
		if (!c.stream && !c.copy)
			table("processes", most_threads, 1);
		value("blocked", sizeof(s9_blocked) + room);
		value("nothing", sizeof(s9_blocked) + room);
		if (set_.off_cpu)
			table("blocked", most_threads, 16);
	}

private:
	bpf_map *
	find(const char *name) const
	{
		return bpf_object__find_map_by_name(object_, name);
	}
	void
	entries(const char *name, std::uint32_t n) const
	{
		bpf_map__set_max_entries(find(name), n);
	}
	void
	value(const char *name, std::uint32_t bytes) const
	{
		bpf_map__set_value_size(find(name), bytes);
	}
	void
	table(const char *name, std::uint32_t n, std::uint32_t fewer) const
	{
		entries(name, grow_ ? n : std::max(n / fewer, 1U));
		if (grow_)
			bpf_map__set_map_flags(find(name), BPF_F_NO_PREALLOC);
	}
	void
	ring() const
	{
		entries("ring", set_.ring);
	}
	void
	counts(std::uint32_t both) const
	{
		for (const table_name &t : tables) {
			if (t.frames == 0)
				value(t.name, sizeof(s9_counted) +
				    (both + S9_ABREAST * 8));
			table(t.name, set_.stacks, t.fewer);
		}
	}
	// It takes no more frames than the sysctl says.
	void
	stack_ids() const
	{
		value("stack_map", 8 * std::min(perf_event_max_stack(),
		    set_.config.frames));
		entries("stack_map", set_.stacks);
		table("ids", set_.stacks, 1);
	}

	bpf_object	*object_;
	const settings	&set_;
	const bool	grow_;
};

int
set_config(bpf_object *o, const s9_config &c)
{
	bpf_map *const m = bpf_object__find_map_by_name(o, ".rodata.cfg");
	return m == nullptr ? ENOENT :
	    -bpf_map__set_initial_value(m, &c, sizeof c);
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

} // namespace

int
programs::open(const settings &s, const std::vector<const char *> &names,
    const std::string &function, bool old)
{
	std::size_t size = 0;
	const void *const bytes = s9_event_elf(old, &size);
	loaded_ = loaded();
	object_.reset(bpf_object__open_mem(bytes, size, nullptr));
	if (object_ == nullptr)
		return errno;
	bpf_program *p;
	bpf_object__for_each_program(p, object_.get()) {
		const char *const name = bpf_program__name(p);
		const bool wanted = std::any_of(names.begin(), names.end(),
		    [&](const char *n) { return std::strcmp(n, name) == 0; });
		bpf_program__set_autoload(p, wanted);
		if (wanted && !function.empty() &&
		    std::strcmp(name, "at_fentry") == 0)
			if (const int e = bpf_program__set_attach_target(p, 0,
			    function.c_str()); e != 0)
				return -e;
	}
	sizing(object_.get(), s).all();
	return set_config(object_.get(), s.config);
}

// Kernels before 5.17 leave it to libbpf, those before 5.11 want the programs
// for old ones.
int
programs::try_load(const settings &s, const std::vector<const char *> &names,
    const std::string &function)
{
	int error = open(s, names, function, false);
	if (error == 0)
		error = loaded_.by_kernel(object_.get());
	if (error == 0 || error == EPERM || error == ENOMEM || error == EMFILE)
		return error;
	if ((error = open(s, names, function, false)) == 0)
		error = loaded_.by_libbpf(object_.get());
	if (error == 0 || s.config.copy)
		return error;
	if ((error = open(s, names, function, true)) == 0)
		error = loaded_.by_libbpf(object_.get());
	return error;
}

int
programs::load(const settings &asked, const std::vector<const char *> &names,
    const std::string &function, std::string &why)
{
	const bpf::silence_libbpf no_prints;
	const block_signals in_peace;
	settings s = asked;
	int error = try_load(s, names, function);
	// Programs on tracepoints may ask for the cookie since 6.10 only.
	if (error == EINVAL && s.config.cookies) {
		s.config.cookies = 0;
		error = try_load(s, names, function);
	}
	if (error != 0) {
		object_.reset();
		const verdict v = bpf::explain(error, s.config.copy ?
		    "the kernel lacks what copies of user stacks take (Linux "
		    "5.15); by frame pointers (--fp) they may be had" :
		    "the kernel lacks what programs on events take");
		why = v.reason;
		return v.error;
	}
	names_ = names;
	cookies_ = s.config.cookies != 0;
	return s.cgroup.empty() ? 0 : put_cgroup(map("cgroups"), s.cgroup,
	    why);
}

std::uint32_t
programs::key_size(const char *map) const noexcept
{
	return bpf_map__key_size(bpf_object__find_map_by_name(object_.get(),
	    map));
}

std::uint32_t
programs::value_size(const char *map) const noexcept
{
	return bpf_map__value_size(bpf_object__find_map_by_name(object_.get(),
	    map));
}

std::uint64_t
programs::skipped() const noexcept
{
	std::uint64_t all = 0;
	for (const char *const name : names_) {
		bpf_prog_info info{};
		std::uint32_t size = sizeof info;
		if (bpf_obj_get_info_by_fd(program(name),
		    &info, &size) == 0)
			all += info.recursion_misses;
	}
	return all;
}

} // namespace stack9::events
