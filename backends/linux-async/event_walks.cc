// Loads the programs that walk by libbpf's loader: only that can give an object
// the maps of another one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "event_walks.h"

#include <bit>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <string_view>

#include <bpf/libbpf.h>

#include "bpf/unwind/rule_budget.h"
#include "bpf/unwind/sized_parts.h"
#include "bpf/possible_cpus.h"
#include "bpf/scoped.h"
#include "os/block_signals.h"

#include "objects.h"

namespace stack9::bpf {
namespace {

using events::rule_budget;
using unique_object = std::unique_ptr<bpf_object, object_closer>;

constexpr rule_budget room = events::room_for_rules(events::usual_rules);
static_assert((S9_WALK_FRAMES + S9_STRIDE) * 8 <= S9_ASYNC_STACK);

// The walk by learned rules knows one CPU's frames.  STACK9_WALK=off: none.
bool
may_walk() noexcept
{
#ifdef __x86_64__
	const char *const how = secure_getenv("STACK9_WALK");
	return how == nullptr || std::string_view(how) != "off";
#else
	return false;
#endif
}

// Maps that the programs of both kinds have, by their places in maps_.
enum map_number { rules, more_rules, pages, rows, mapped, memos, walk_rooms };
constexpr const char *map_names[] = {"rules", "more_rules", "pages", "rows",
    "mapped", "memos", "walk_rooms"};

bpf_map *
map_of(bpf_object *o, const char *name) noexcept
{
	return bpf_object__find_map_by_name(o, name);
}

int
size_maps(bpf_object *o) noexcept
{
	const unsigned int cpus = possible_cpus();
	const int error = events::size_rule_maps(o, room, true);
	return error != 0 ? error : -bpf_map__set_max_entries(map_of(o,
	    map_names[walk_rooms]), cpus * S9_ROOMS);
}

int
configure(bpf_object *o) noexcept
{
	const s9_walk_config config{room.bits, S9_WALK_FRAMES, room.more,
	    events::memos_for(possible_cpus()) - 1};
	return -bpf_map__set_initial_value(map_of(o, ".rodata.walk"), &config,
	    sizeof config);
}

} // namespace

int
event_walks::share_maps(bpf_object *o, const async_table &t) const noexcept
{
	const auto share = [o](const char *name, int fd) {
		return -bpf_map__reuse_fd(map_of(o, name), fd);
	};
	int error = share("slots", t.slot_map());
	if (error == 0)
		error = share("pieces", t.piece_map());
	if (error == 0)
		error = share("works", t.works());
	if (error == 0)
		error = share("ready", t.ring());
	if (error == 0 && !maps_[rules])
		return size_maps(o);
	for (std::size_t i = 0; i < map_count && error == 0; i++)
		error = share(map_names[i], maps_[i].get());
	return error;
}

// The first program's maps are those of both.
int
event_walks::keep_maps(bpf_object *o) noexcept
{
	static_assert(std::size(map_names) == map_count);
	if (maps_[rules])
		return 0;
	for (std::size_t i = 0; i < map_count; i++)
		maps_[i] = kept_copy(bpf_map__fd(map_of(o, map_names[i])));
	const auto fd = [this](map_number m) { return maps_[m].get(); };
	return publisher_.open({fd(rules), fd(more_rules), fd(pages), fd(rows),
	    fd(mapped)}, room);
}

int
event_walks::load(kind k, const async_table &t, bool plain) noexcept
{
	constexpr const char *names[kinds] = {"at_tracepoint", "at_sample"};
	const silence_libbpf no_prints;
	const block_signals in_peace;
	std::size_t size = 0;
	const void *const bytes = s9_async_object(S9_ASYNC_WALKS, plain,
	    &size);
	events::sized_parts parts;	// closed after the object
	const unique_object o(bpf_object__open_mem(bytes, size, nullptr));
	if (o == nullptr)
		return errno;
	bpf_program *p;
	bpf_object__for_each_program(p, o.get())
		bpf_program__set_autoload(p,
		    std::string_view(names[k]) == bpf_program__name(p));
	int error = maps_[rules] ? 0 : parts.size(o.get(), room);
	if (error == 0)
		error = share_maps(o.get(), t);
	if (error == 0)
		error = configure(o.get());
	if (error == 0)
		error = -bpf_object__load(o.get());
	if (error == 0)
		error = keep_maps(o.get());
	if (error == 0)
		programs_[k] = kept_copy(bpf_program__fd(
		    bpf_object__find_program_by_name(o.get(), names[k])));
	return error;
}

int
event_walks::program(kind k, const async_table &t) noexcept
{
	const std::lock_guard alone(mutex_);
	if (!tried_[k] && may_walk()) {
		tried_[k] = true;
		if (load(k, t, false) != 0)
			(void)load(k, t, true);
	}
	return programs_[k] ? programs_[k].get() : k == at_sample ?
	    t.sample_program() : t.tracepoint_program();
}

void
event_walks::publish(const s9_async_head &seen, const stack_record &stack)
    noexcept
{
	const std::unique_lock alone(mutex_, std::try_to_lock);
	if (!alone.owns_lock() || stack.space == nullptr)
		return;
	// These stacks need no number: their reader has a space for them.
	constexpr std::uint32_t number = 1;
	try {
		using key = events::rule_publisher::space_key;
		publisher_.publish(std::bit_cast<key>(seen.space),
		    number, *stack.space, stack,
		    static_cast<s9_walk_end>(seen.walk), seen.k.when_ns);
	} catch (const std::bad_alloc &) {
	}
}

} // namespace stack9::bpf
