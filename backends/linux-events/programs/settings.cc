// Checks the request for a watch and fills in usual values.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "settings.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <linux/bpf.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bpf/possible_cpus.h"
#include "core/seam/reader.h"

namespace stack9::events {
namespace {

constexpr std::uint32_t usual_stacks = 65536, most_stacks = 1U << 24;
// A ring takes 0.3 ms to make for each of its MiB.
constexpr std::size_t usual_ring = 2U << 20, usual_ring_of_events = 8U << 20,
    usual_ring_of_copies = 16U << 20, largest_ring = 1U << 30;
constexpr ino_t init_pid_ns = 0xEFFFFFFC;	// PROC_PID_INIT_INO

constexpr unsigned int filter_flags =
    STACK9_WATCH_ONE_CPU | STACK9_WATCH_REGEX |
    STACK9_WATCH_OTHERS;
// The walk by learned rules knows one CPU's frames.
#ifdef __x86_64__
constexpr bool can_walk = true;
#else
constexpr bool can_walk = false;
#endif

constexpr unsigned int sink_flags = STACK9_WATCH_BY_PROCESS |
    STACK9_WATCH_FRAME_POINTERS | STACK9_WATCH_COPY | STACK9_WATCH_WAKERS |
    STACK9_WATCH_NATIVE |
    watch_calls_only;

bool
is_in_init_pid_ns() noexcept
{
	struct stat st{};
	return stat("/proc/self/ns/pid", &st) != 0 || st.st_ino == init_pid_ns;
}

bool
is_power_of_pages(std::size_t bytes) noexcept
{
	return std::has_single_bit(bytes) &&
	    bytes >= static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

int
refuse(std::string &why, const char *sentence)
{
	why = sentence;
	return EINVAL;
}

int
check_filter(const watch_filter &f, std::string &why)
{
	if ((f.flags & ~filter_flags) != 0)
		return refuse(why, "unknown flags in the filter");
	if (f.pid < 0 || f.tid < 0)
		return refuse(why, "pid or tid is below 0");
	if (f.comm != nullptr && std::strlen(f.comm) > 15)
		return refuse(why, "comm has more than 15 characters: see "
		    "/proc/PID/comm");
	if ((f.flags & STACK9_WATCH_ONE_CPU) &&
	    (f.cpu < 0 || f.cpu >= sysconf(_SC_NPROCESSORS_CONF)))
		return refuse(why, "cpu is none of this machine: see "
		    "/proc/cpuinfo");
	if (f.max_ns != 0 && f.min_ns > f.max_ns)
		return refuse(why, "min_ns is more than max_ns");
	return 0;
}

int
check_sink(const watch_sink &s, std::string &why)
{
	if (s.what != STACK9_WATCH_COUNT && s.what != STACK9_WATCH_STREAM)
		return refuse(why, "neither to be counted nor a stream");
	if (s.side < STACK9_KERNEL || s.side > STACK9_BOTH)
		return refuse(why, "no side of the stack is asked for");
	if ((s.flags & ~sink_flags) != 0 || s.fn == nullptr)
		return refuse(why, "unknown flags, or no function to call");
	if (s.frames > S9_MOST_FRAMES || s.stacks > most_stacks)
		return refuse(why, "frames is more than 1024, or stacks more "
		    "than 16777216");
	if (s.rules != 0 && (s.rules < least_rules || s.rules > most_rules))
		return refuse(why, "rules is neither 0 nor from 64 KiB to "
		    "1 GiB");
	if (s.ring != 0 && (s.ring > largest_ring ||
	    !is_power_of_pages(s.ring)))
		return refuse(why, "ring is neither 0 nor a power of 2 from "
		    "a page to 1 GiB");
	return 0;
}

// Each CPU has its own.
std::uint32_t
slots_for(const s9_config &c) noexcept
{
	constexpr std::uint32_t bytes = 16 << 20;
	const std::uint32_t parts = bytes / sizeof(s9_repeats) /
	    bpf::possible_cpus();
	return c.few ? S9_REPEATS_PART : std::clamp(parts, 1U,
	    std::uint32_t{S9_REPEATS / S9_REPEATS_PART}) * S9_REPEATS_PART;
}

void
set_filter(const watch_filter &f, settings &s)
{
	s9_config &c = s.config;
	c.pid = f.pid;
	c.tid = f.tid;
	c.not_pid = (f.flags & STACK9_WATCH_OTHERS) ? getpid() : 0;
	auto *const r = c.not_pid != 0 ? the_reader.load() : nullptr;
	c.not_reader = r != nullptr ? r->pid() : c.not_pid;
	c.cpu = (f.flags & STACK9_WATCH_ONE_CPU) ? f.cpu : -1;
	if (f.comm != nullptr) {
		c.by_comm = 1;
		std::memcpy(c.comm, f.comm, std::strlen(f.comm));
	}
	if (f.cgroup != nullptr) {
		c.by_cgroup = 1;
		s.cgroup = f.cgroup;
	}
	constexpr std::uint64_t few = 64;
	c.limit = f.limit;
	c.few = f.limit != 0 && f.limit <= few;
	c.slots = slots_for(c);
	c.min_ns = f.min_ns;
	c.max_ns = f.max_ns;
}

// The ring is not larger than so many events can fill.
std::size_t
ring_for(const s9_config &c) noexcept
{
	constexpr std::size_t least = 256 << 10;
	const std::size_t usual = c.copy ? usual_ring_of_copies :
	    c.stream ? usual_ring_of_events : usual_ring;
	const std::size_t most_of_one = c.copy ?
	    2 * S9_COPY_PARTS * S9_COPY_ROOM : 64 << 10;
	return c.limit == 0 || c.limit > usual / most_of_one ? usual :
	    std::max<std::size_t>(least,
	    std::bit_ceil(c.limit * most_of_one));
}

// STACK9_WALK: off; or compare: then what is walked is copied, too.  A few
// events need no rule a second time.
void
set_walk(const watch_sink &k, settings &s)
{
	s9_config &c = s.config;
	const char *const how = secure_getenv("STACK9_WALK");
	const std::string_view word = how != nullptr ? how : "";
	const bool wanted = c.copy && word != "off" &&
	    !(k.flags & STACK9_WATCH_COPY) && !c.few;
	c.walk = wanted && can_walk;
	s.cannot_walk = wanted && !can_walk;
	c.compare = c.walk && word == "compare";
	// Deeper stacks are copied.
	c.both = c.frames + (!c.walk ? c.frames : k.frames != 0 ? k.frames :
	    S9_MOST_FRAMES);
	s.languages = c.copy && !s.lends && !(k.flags & STACK9_WATCH_NATIVE);
	c.reported = can_walk && s.languages && !c.few ? S9_REPORTED_WORDS : 0;
	c.words = c.both + c.reported;
}

void
set_sink(const watch_sink &k, settings &s)
{
	s9_config &c = s.config;
	c.sides = k.side;
	// Only its kernel stack shows whether a thread wakes or an interrupt,
	// and both stacks meet in this process.
	s.wakers = (k.flags & STACK9_WATCH_WAKERS) != 0;
	if (s.wakers)
		c.sides |= STACK9_KERNEL;
	c.stream = k.what == STACK9_WATCH_STREAM || s.wakers;
	c.copy = (k.side & STACK9_USER) &&
	    !(k.flags & STACK9_WATCH_FRAME_POINTERS);
	c.by_process = (k.flags & STACK9_WATCH_BY_PROCESS) != 0 || s.wakers;
	const std::uint32_t walked =
	    std::min<std::uint32_t>(perf_event_max_stack(), S9_MOST_FRAMES);
	c.frames = k.frames == 0 || k.frames > walked ? walked : k.frames;
	set_walk(k, s);
	s.stacks = k.stacks != 0 ? k.stacks : usual_stacks;
	s.rules = room_for_rules(k.rules != 0 ? k.rules : usual_rules);
	s.ring = static_cast<std::uint32_t>(k.ring != 0 ? k.ring :
	    ring_for(c));
	c.ring_filling = s.ring / 4;
	// The seed keeps others from making stacks of one hash.  Without it all
	// counts are still right, because stacks are compared.
	(void)!getrandom(&c.seed, sizeof c.seed, GRND_NONBLOCK);
}

} // namespace

std::uint32_t
perf_event_max_stack() noexcept
{
	unsigned int frames = 127;
	if (FILE *f = std::fopen("/proc/sys/kernel/perf_event_max_stack",
	    "re")) {
		if (std::fscanf(f, "%u", &frames) != 1)
			frames = 127;
		std::fclose(f);
	}
	return std::max(frames, 1U);
}

int
make_settings(const watch_filter &f, const watch_sink &k,
    const std::vector<probe> &probes, settings &s, std::string &why)
{
	int error = check_filter(f, why);
	if (error == 0)
		error = check_sink(k, why);
	if (error != 0)
		return error;
	s = {};
	for (const probe &p : probes) {
		s.off_cpu |= p.kind == probe_kind::off_cpu;
		s.lends |= p.kind == probe_kind::trigger;
	}
	s.printk = s.lends && !(k.flags & watch_calls_only);
	if (s.off_cpu && probes.size() != 1)
		return refuse(why, "event: offcpu goes with no other event");
	if (s.lends && probes.size() != 1)
		return refuse(why, "event: trigger goes with no other event");
	if (!s.off_cpu && (k.flags & STACK9_WATCH_WAKERS))
		return refuse(why, "flags has STACK9_WATCH_WAKERS, and only "
		    "offcpu has wakers");
	if (!s.off_cpu && (f.min_ns != 0 || f.max_ns != 0))
		return refuse(why, f.min_ns != 0 ? "min_ns is not 0, and only "
		    "offcpu takes time" : "max_ns is not 0, and only offcpu "
		    "takes time");
	set_filter(f, s);
	set_sink(k, s);
	s.config.init_ns = is_in_init_pid_ns();
	return 0;
}

void
take_many(const watch_sink &k, settings &s)
{
	s.config.few = 0;
	s.config.slots = slots_for(s.config);
	set_sink(k, s);
}

} // namespace stack9::events
