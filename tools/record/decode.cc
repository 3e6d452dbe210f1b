// Reads protocol buffers.  Fields that are not known are passed over: later
// releases may add some.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "messages.h"

#include <algorithm>
#include <utility>

#include <protozero/exception.hpp>

#include "read_fields.h"

namespace recording {

// Templates of read_fields.h call these by the types of their arguments, and
// would not find them in an unnamed namespace.
static void
get(const pbf_reader &from, module &m)
{
	namespace f = field::module;
	read_message(from, into{f::path, m.path}, into{f::build_id, m.build_id},
	    into{f::kernel, m.kernel}, into{f::deleted, m.deleted});
}

static void
get(const pbf_reader &from, frame &f)
{
	namespace n = field::frame;
	read_message(from, into{n::kind, f.kind}, into{n::exact, f.exact},
	    into{n::module, f.module}, into{n::place, f.place},
	    into{n::name, f.name}, into{n::readable, f.readable},
	    into{n::offset, f.offset}, into{n::language, f.language},
	    into{n::file, f.file}, into{n::line, f.line},
	    into{n::guessed, f.guessed});
}

static void
get(const pbf_reader &from, stack &s)
{
	namespace f = field::stack;
	read_message(from, into{f::side, s.side}, into{f::id, s.id},
	    into{f::frames, s.frames}, into{f::error, s.error},
	    into{f::why, s.why}, into{f::flags, s.flags},
	    into{f::dropped, s.dropped}, into{f::reason, s.reason},
	    into{f::route, s.route}, into{f::note, s.note});
	if (s.frames.size() > most_frames_of_stack)
		throw wrong("a stack is too deep");
}

static void
get(const pbf_reader &from, process &p)
{
	namespace f = field::process;
	read_message(from, into{f::pid, p.pid}, into{f::cgroup, p.cgroup});
}

static void
get(const pbf_reader &from, thread &t)
{
	namespace f = field::thread;
	read_message(from, into{f::tid, t.tid}, into{f::process, t.process},
	    into{f::start, t.start}, into{f::comm, t.comm},
	    into{f::name, t.name});
}

static void
get(const pbf_reader &from, base &b)
{
	namespace f = field::base;
	read_message(from, into{f::process, b.process},
	    into{f::module, b.module}, into{f::address, b.address});
}

static void
get(const pbf_reader &from, name_change &n)
{
	namespace f = field::name_change;
	read_message(from, into{f::thread, n.thread}, into{f::comm, n.comm},
	    into{f::name, n.name});
}

static void
get(const pbf_reader &from, wait &w)
{
	namespace f = field::wait;
	read_message(from, into{f::kind, w.kind}, into{f::flags, w.flags},
	    into{f::call, w.call}, into{f::object, w.object},
	    into{f::place, w.place}, into{f::holder, w.holder});
}

static void
get(const pbf_reader &from, event &e)
{
	namespace f = field::event;
	read_message(from, into{f::name, e.name},
	    into{f::takes_time, e.takes_time});
}

// Times of some 70 years, so that no sum or difference of them overflows.
static void
check_times(std::uint64_t boot_ns, std::int64_t wall_minus_boot)
{
	constexpr std::int64_t most = std::int64_t{1} << 61;
	if (boot_ns >= static_cast<std::uint64_t>(most) ||
	    wall_minus_boot < -most || wall_minus_boot > 2 * most)
		throw wrong("a time is too large");
}

namespace {

constexpr std::uint32_t most_cpus = 1 << 20;

// The columns of a tick's changes.
struct columns {
	ascending	changed;
	letters		states;
	std::vector<std::uint32_t> cpus, kernel, user, wait;
	std::vector<std::uint64_t> switches, unchanged;
};

// The columns of what happened.
struct count_columns {
	std::vector<std::uint32_t> event, thread, kernel, user;
	std::vector<std::uint64_t> events, ns;
};

// A column in which all is 0 is left out.
template <class Number>
Number
element(const std::vector<Number> &column, std::size_t i)
{
	return column.empty() ? 0 : column[i];
}

template <class Number>
bool
has(const std::vector<Number> &column, std::size_t n)
{
	return column.empty() || column.size() == n;
}

void
join(const count_columns &c, tick &t)
{
	const std::size_t n = c.event.size();
	if (c.thread.size() != n || !has(c.kernel, n) || !has(c.user, n) ||
	    !has(c.events, n) || !has(c.ns, n))
		throw wrong("the columns of events differ in length");
	t.counts.resize(n);
	for (std::size_t i = 0; i < n; i++)
		t.counts[i] = {c.event[i], c.thread[i], element(c.kernel, i),
		    element(c.user, i), element(c.events, i),
		    element(c.ns, i)};
}

void
join(const columns &c, tick &t)
{
	const std::size_t n = c.changed.numbers.size();
	if (c.states.text.size() != n || c.cpus.size() != n ||
	    c.kernel.size() != n || c.user.size() != n ||
	    c.switches.size() != n || !has(c.unchanged, n) || !has(c.wait, n))
		throw wrong("the columns of a tick differ in length");
	t.changes.resize(n);
	for (std::size_t i = 0; i < n; i++) {
		if (c.cpus[i] > most_cpus)
			throw wrong("the number of a CPU is too large");
		const std::uint64_t unchanged = std::min(
		    element(c.unchanged, i), t.boot_ns);
		t.changes[i] = {c.changed.numbers[i], {c.states.text[i],
		    static_cast<std::int32_t>(c.cpus[i] - 1), c.kernel[i],
		    c.user[i], c.switches[i], t.boot_ns - unchanged,
		    element(c.wait, i)}};
	}
}

} // namespace

static void
get(const pbf_reader &from, tick &t)
{
	namespace f = field::tick;
	columns c;
	count_columns counted;
	ascending gone;
	read_message(from, into{f::modules, t.modules},
	    into{f::frames, t.frames}, into{f::stacks, t.stacks},
	    into{f::processes, t.processes},
	    into{f::threads, t.threads}, into{f::bases, t.bases},
	    into{f::names, t.names}, into{f::waits, t.waits},
	    into{f::events, t.events}, into{f::boot_ns, t.boot_ns},
	    into{f::wall_minus_boot, t.wall_minus_boot},
	    into{f::cost_ns, t.cost_ns}, into{f::gone, gone},
	    into{f::changed, c.changed}, into{f::states, c.states},
	    into{f::cpus, c.cpus}, into{f::kernel, c.kernel},
	    into{f::user, c.user}, into{f::switches, c.switches},
	    into{f::unchanged_ns, c.unchanged}, into{f::wait, c.wait},
	    into{f::count_event, counted.event},
	    into{f::count_thread, counted.thread},
	    into{f::count_kernel, counted.kernel},
	    into{f::count_user, counted.user},
	    into{f::count_events, counted.events},
	    into{f::count_ns, counted.ns}, into{f::lost, t.lost});
	check_times(t.boot_ns, t.wall_minus_boot);
	t.gone = std::move(gone.numbers);
	join(c, t);
	join(counted, t);
}

static void
get(const pbf_reader &from, segment_info &s)
{
	namespace f = field::segment;
	read_message(from, into{f::version, s.version}, into{f::host, s.host},
	    into{f::machine, s.machine}, into{f::release, s.release},
	    into{f::machine_id, s.machine_id}, into{f::boot_id, s.boot_id},
	    into{f::kernel_build_id, s.kernel_build_id},
	    into{f::boot_ns, s.boot_ns},
	    into{f::wall_minus_boot, s.wall_minus_boot},
	    into{f::period_ns, s.period_ns}, into{f::sides, s.sides},
	    into{f::filter, s.filter}, into{f::missed, s.missed});
	if (s.version > format_version)
		throw wrong("it is of a later release: its format has version "
		    + std::to_string(s.version));
	check_times(s.boot_ns, s.wall_minus_boot);
}

template <class Value>
static std::string
decoded(std::string_view payload, Value &to)
try {
	to = {};
	get(pbf_reader(payload.data(), payload.size()), to);
	return {};
} catch (const wrong &e) {
	return e.what();
} catch (const protozero::exception &e) {
	return std::string("it is malformed: ") + e.what();
}

std::string
decode(std::string_view payload, segment_info &to)
{
	return decoded(payload, to);
}

std::string
decode(std::string_view payload, tick &to)
{
	return decoded(payload, to);
}

} // namespace recording
