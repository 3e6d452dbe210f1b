// Writes protocol buffers.  A field that is 0 or empty is left out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "messages.h"

#include <algorithm>

#include <protozero/pbf_writer.hpp>

#include "fields.h"

namespace recording {
namespace {

using protozero::pbf_writer;
using field::tag;

void
put(pbf_writer &to, tag t, const std::string &text)
{
	if (!text.empty())
		to.add_bytes(t, text);
}

void
put(pbf_writer &to, tag t, std::uint64_t number)
{
	if (number != 0)
		to.add_uint64(t, number);
}

void
put_signed(pbf_writer &to, tag t, std::int64_t number)
{
	if (number != 0)
		to.add_sint64(t, number);
}

void
put(pbf_writer &&to, const module &m)
{
	put(to, field::module::path, m.path);
	put(to, field::module::build_id, m.build_id);
	put(to, field::module::kernel, std::uint64_t{m.kernel});
	put(to, field::module::deleted, std::uint64_t{m.deleted});
}

void
put(pbf_writer &&to, const frame &f)
{
	put(to, field::frame::kind, static_cast<std::uint64_t>(f.kind));
	put(to, field::frame::exact, std::uint64_t{f.exact});
	put(to, field::frame::module, std::uint64_t{f.module});
	put(to, field::frame::place, f.place);
	put(to, field::frame::name, f.name);
	put(to, field::frame::readable, f.readable);
	put(to, field::frame::offset, f.offset);
	put(to, field::frame::language, f.language);
	put(to, field::frame::file, f.file);
	put(to, field::frame::line, std::uint64_t{f.line});
	put(to, field::frame::guessed, std::uint64_t{f.guessed});
}

void
put(pbf_writer &&to, const stack &s)
{
	put(to, field::stack::side, std::uint64_t{s.side});
	to.add_bytes(field::stack::id,
	    reinterpret_cast<const char *>(s.id.data()), s.id.size());
	to.add_packed_uint32(field::stack::frames, s.frames.begin(),
	    s.frames.end());
	put_signed(to, field::stack::error, s.error);
	put_signed(to, field::stack::why, s.why);
	put(to, field::stack::flags, std::uint64_t{s.flags});
	put(to, field::stack::dropped, std::uint64_t{s.dropped});
	put(to, field::stack::reason, s.reason);
	put(to, field::stack::route, s.route);
	put(to, field::stack::note, s.note);
}

void
put(pbf_writer &&to, const process &p)
{
	put_signed(to, field::process::pid, p.pid);
	put(to, field::process::cgroup, p.cgroup);
}

void
put(pbf_writer &&to, const thread &t)
{
	put_signed(to, field::thread::tid, t.tid);
	put(to, field::thread::process, std::uint64_t{t.process});
	put(to, field::thread::start, t.start);
	put(to, field::thread::comm, t.comm);
	put(to, field::thread::name, t.name);
}

void
put(pbf_writer &&to, const base &b)
{
	put(to, field::base::process, std::uint64_t{b.process});
	put(to, field::base::module, std::uint64_t{b.module});
	put(to, field::base::address, b.address);
}

void
put(pbf_writer &&to, const name_change &n)
{
	put(to, field::name_change::thread, std::uint64_t{n.thread});
	put(to, field::name_change::comm, n.comm);
	put(to, field::name_change::name, n.name);
}

void
put(pbf_writer &&to, const wait &w)
{
	put(to, field::wait::kind, w.kind);
	put(to, field::wait::flags, std::uint64_t{w.flags});
	put(to, field::wait::call, w.call);
	put(to, field::wait::object, w.object);
	put(to, field::wait::place, w.place);
	put_signed(to, field::wait::holder, w.holder);
}

void
put(pbf_writer &&to, const event &e)
{
	put(to, field::event::name, e.name);
	put(to, field::event::takes_time, std::uint64_t{e.takes_time});
}

template <class Entry>
void
put_table(pbf_writer &to, tag t, const std::vector<Entry> &table)
{
	for (const Entry &each : table)
		put(pbf_writer(to, t), each);
}

// Each number is the distance from the one before.
template <class List, class Number>
std::vector<std::uint32_t>
distances(const List &list, Number number)
{
	std::vector<std::uint32_t> all;
	std::uint32_t last = 0;
	for (const auto &each : list) {
		all.push_back(number(each) - last);
		last = number(each);
	}
	return all;
}

// Puts one member of all entries; nothing where it is 0 in all of them.
template <class List, class Number>
void
put_column(pbf_writer &to, tag t, const List &list, Number number)
{
	std::vector<std::uint64_t> all;
	for (const auto &each : list)
		all.push_back(number(each));
	if (std::any_of(all.begin(), all.end(),
	    [](std::uint64_t n) { return n != 0; }))
		to.add_packed_uint64(t, all.begin(), all.end());
}

void
put_counts(pbf_writer &to, const tick &t)
{
	namespace f = field::tick;
	put_column(to, f::count_event, t.counts,
	    [](const event_count &c) { return c.event; });
	put_column(to, f::count_thread, t.counts,
	    [](const event_count &c) { return c.thread; });
	put_column(to, f::count_kernel, t.counts,
	    [](const event_count &c) { return c.kernel; });
	put_column(to, f::count_user, t.counts,
	    [](const event_count &c) { return c.user; });
	put_column(to, f::count_events, t.counts,
	    [](const event_count &c) { return c.events; });
	put_column(to, f::count_ns, t.counts,
	    [](const event_count &c) { return c.ns; });
}

void
put_changes(pbf_writer &to, const tick &t)
{
	std::string states;
	std::vector<std::uint32_t> cpus, kernel, user;
	std::vector<std::uint64_t> switches;
	for (const change &c : t.changes) {
		states += c.now.state;
		cpus.push_back(static_cast<std::uint32_t>(c.now.cpu + 1));
		kernel.push_back(c.now.kernel);
		user.push_back(c.now.user);
		switches.push_back(c.now.switches);
	}
	const auto changed = distances(t.changes,
	    [](const change &c) { return c.thread; });
	to.add_packed_uint32(field::tick::changed, changed.begin(),
	    changed.end());
	put(to, field::tick::states, states);
	to.add_packed_uint32(field::tick::cpus, cpus.begin(), cpus.end());
	to.add_packed_uint32(field::tick::kernel, kernel.begin(), kernel.end());
	to.add_packed_uint32(field::tick::user, user.begin(), user.end());
	to.add_packed_uint64(field::tick::switches, switches.begin(),
	    switches.end());
	put_column(to, field::tick::unchanged_ns, t.changes,
	    [&](const change &c) { return t.boot_ns - c.now.since_ns; });
	put_column(to, field::tick::wait, t.changes,
	    [](const change &c) { return c.now.wait; });
}

} // namespace

std::string
encode(const segment_info &s)
{
	std::string bytes;
	pbf_writer to(bytes);
	namespace f = field::segment;
	put(to, f::version, std::uint64_t{s.version});
	put(to, f::host, s.host);
	put(to, f::machine, s.machine);
	put(to, f::release, s.release);
	put(to, f::machine_id, s.machine_id);
	put(to, f::boot_id, s.boot_id);
	put(to, f::kernel_build_id, s.kernel_build_id);
	put(to, f::boot_ns, s.boot_ns);
	put_signed(to, f::wall_minus_boot, s.wall_minus_boot);
	put(to, f::period_ns, s.period_ns);
	put(to, f::sides, std::uint64_t{s.sides});
	put(to, f::filter, s.filter);
	put(to, f::missed, std::uint64_t{s.missed});
	return bytes;
}

std::string
encode(const tick &t)
{
	std::string bytes;
	pbf_writer to(bytes);
	namespace f = field::tick;
	put_table(to, f::modules, t.modules);
	put_table(to, f::frames, t.frames);
	put_table(to, f::stacks, t.stacks);
	put_table(to, f::processes, t.processes);
	put_table(to, f::threads, t.threads);
	put_table(to, f::bases, t.bases);
	put_table(to, f::names, t.names);
	put_table(to, f::waits, t.waits);
	put_table(to, f::events, t.events);
	put(to, f::boot_ns, t.boot_ns);
	put_signed(to, f::wall_minus_boot, t.wall_minus_boot);
	put(to, f::cost_ns, t.cost_ns);
	const auto gone = distances(t.gone,
	    [](std::uint32_t number) { return number; });
	to.add_packed_uint32(f::gone, gone.begin(), gone.end());
	if (!t.changes.empty())
		put_changes(to, t);
	put_counts(to, t);
	put(to, f::lost, t.lost);
	return bytes;
}

} // namespace recording
