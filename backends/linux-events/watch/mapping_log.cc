// Reads the records that the kernel writes for profilers: perf_event_open(2),
// PERF_RECORD_MMAP2 and the like.  Each CPU has its own buffer, and a process
// moves between CPUs.  So all records are sorted by time before they are
// applied.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_log.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include <bpf/bpf.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>

#include "bpf/scoped.h"
#include "os/clocks.h"
#include "process/maps.h"

namespace stack9::events {
namespace {

constexpr std::size_t pages = 64;	// of a CPU's buffer; a power of 2
constexpr std::size_t most_ended = 4096;
// The limit for a program that maps code without end, such as a JIT.
constexpr std::size_t most_lines = 4096, most_changes = 4096;

// PERF_RECORD_MMAP2 behind its header.
struct mmap2_body {
	std::uint32_t	pid, tid;
	std::uint64_t	addr, len, pgoff;
	std::uint32_t	major, minor;
	std::uint64_t	inode, generation;
	std::uint32_t	prot, flags;
	// Then the path, ended by NUL.
};

// PERF_RECORD_FORK and PERF_RECORD_EXIT.
struct task_body {
	std::uint32_t	pid, parent, tid, parent_tid;
};

template <typename T>
T
read_body(const char *from) noexcept
{
	T body;
	std::memcpy(&body, from, sizeof body);
	return body;
}

std::string
line_of(const mmap2_body &m, const char *path)
{
	char text[160];
	std::snprintf(text, sizeof text, "%" PRIx64 "-%" PRIx64
	    " %c%c%cp %08" PRIx64 " %02x:%02x %" PRIu64 " ", m.addr,
	    m.addr + m.len, (m.prot & PROT_READ) ? 'r' : '-',
	    (m.prot & PROT_WRITE) ? 'w' : '-',
	    (m.prot & PROT_EXEC) ? 'x' : '-', m.pgoff, m.major, m.minor,
	    m.inode);
	return std::string(text) + path + '\n';
}

} // namespace

bool
mapping_log::open() noexcept
{
	const bpf::silence_libbpf no_prints;
	perf_event_attr attr{};
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_DUMMY;
	attr.sample_type = PERF_SAMPLE_TIME;
	attr.sample_id_all = 1;
	attr.use_clockid = 1;
	attr.clockid = CLOCK_BOOTTIME;
	attr.mmap = attr.mmap2 = 1;
	attr.comm = attr.comm_exec = 1;
	attr.task = 1;
	attr.watermark = 1;
	attr.wakeup_watermark = 1U << 30;	// it is read on demand
	map_ = unique_fd(bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY,
	    nullptr, 4, 4, static_cast<std::uint32_t>(
	    libbpf_num_possible_cpus()), nullptr));
	if (!map_)
		return false;
	buffer_.reset(perf_buffer__new_raw(map_.get(), pages, &attr, keep,
	    this, nullptr));
	return buffer_ != nullptr;
}

bpf_perf_event_ret
mapping_log::keep(void *arg, int, perf_event_header *header)
{
	mapping_log &log = *static_cast<mapping_log *>(arg);
	const char *const bytes = reinterpret_cast<const char *>(header);
	if (header->size < sizeof *header + 8)
		return LIBBPF_PERF_EVENT_CONT;
	std::uint64_t when;
	std::memcpy(&when, bytes + header->size - 8, 8);
	try {
		log.fresh_.add({when, {bytes, bytes + header->size}});
	} catch (const std::bad_alloc &) {
		log.unkept_ns_ = std::max(log.unkept_ns_, when);
	}
	return LIBBPF_PERF_EVENT_CONT;
}

void
mapping_log::read()
{
	if (buffer_ == nullptr)
		return;
	const std::uint64_t begin = boot_ns();
	perf_buffer__consume(buffer_.get());
	fresh_.take_until(begin, [this](const record &r) {
		try {
			apply(r);
		} catch (const std::bad_alloc &) {
			unkept_ns_ = std::max(unkept_ns_, r.when);
		}
	});
	if (unkept_ns_ != 0)
		forget_all(std::exchange(unkept_ns_, 0));
}

// To have no names is better than to have wrong names.
void
mapping_log::forget_all(std::uint64_t when) noexcept
{
	by_pid_.clear();
	ended_.clear();
	lost_ns_ = std::max(lost_ns_, when);
}

void
mapping_log::apply(const record &r)
{
	perf_event_header header;
	std::memcpy(&header, r.bytes.data(), sizeof header);
	const char *const body = r.bytes.data() + sizeof header;
	switch (header.type) {
	case PERF_RECORD_MMAP2:
		on_mmap(r);
		break;
	case PERF_RECORD_COMM:
		if (header.misc & PERF_RECORD_MISC_COMM_EXEC)
			on_exec(r);
		break;
	case PERF_RECORD_LOST:
		forget_all(r.when);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		on_task(body, header.type == PERF_RECORD_FORK);
		break;
	}
}

// A JIT's own memory is not of a file, or of one that it has made.
static bool
is_of_a_file(std::string_view path) noexcept
{
	return path.starts_with('/') && !path.starts_with("//") &&
	    !path.starts_with("/memfd:") && !path.starts_with("/dev/");
}

void
mapping_log::on_mmap(const record &r)
{
	const char *const body = r.bytes.data() + sizeof(perf_event_header);
	const auto m = read_body<mmap2_body>(body);
	if (!(m.prot & PROT_EXEC))
		return;
	mapped &p = by_pid_[static_cast<pid_t>(m.pid)];
	const char *const path = body + sizeof m;
	const bool is_code = is_of_a_file(path);
	if (is_code)
		p.code_ns = r.when;
	if (p.now.size() < most_lines)
		put_line(p, {r.when, m.addr, is_code, {}}, m.addr + m.len,
		    line_of(m, path));
	else
		p.is_whole = false;
}

// It takes the place of all that was there.  Nothing tells of munmap(2).
void
mapping_log::put_line(mapped &p, change &&c, std::uint64_t end,
    std::string line)
{
	process::maps_line old;
	auto at = p.now.lower_bound(c.address);
	if (at != p.now.begin() && process::parse_maps_line(
	    std::prev(at)->second, old) && old.end > c.address)
		--at;
	while (at != p.now.end() && at->first < end) {
		c.before.emplace_back(at->first, std::move(at->second));
		at = p.now.erase(at);
	}
	p.now.emplace(c.address, std::move(line));
	p.changes.push_back(std::move(c));
	if (p.changes.size() > most_changes) {
		p.known_from = p.changes.front().when;
		p.changes.pop_front();
	}
}

void
mapping_log::on_exec(const record &r)
{
	mapped &p = by_pid_[static_cast<pid_t>(read_body<std::uint32_t>(
	    r.bytes.data() + sizeof(perf_event_header)))];
	p.before = std::move(p.now);
	p.now.clear();
	p.changes.clear();
	p.exec_ns = p.known_from = r.when;
	p.is_whole = true;
}

// A thread that begins or ends changes nothing here.
void
mapping_log::on_task(const char *body, bool begins)
{
	const auto t = read_body<task_body>(body);
	const auto pid = static_cast<pid_t>(t.pid);
	if (begins && t.pid != t.parent) {
		const auto parent = by_pid_.find(static_cast<pid_t>(t.parent));
		mapped fresh;
		if (parent != by_pid_.end()) {
			fresh.now = parent->second.now;
			fresh.is_whole = parent->second.is_whole;
		}
		fresh.parent = static_cast<pid_t>(t.parent);
		by_pid_[pid] = std::move(fresh);
	} else if (!begins && t.pid == t.tid) {
		by_pid_[pid].ended = true;
		ended_.push_back(pid);
		forget_oldest();
	}
}

void
mapping_log::forget_oldest()
{
	while (ended_.size() > most_ended) {
		const auto at = by_pid_.find(ended_.front());
		if (at != by_pid_.end() && at->second.ended)
			by_pid_.erase(at);
		ended_.pop_front();
	}
}

void
mapping_log::learn(pid_t pid, std::uint64_t start, std::string_view maps)
{
	mapped &p = by_pid_[pid];
	process::maps_line line;
	p.start = start;
	p.is_whole = true;
	while (!maps.empty() && p.now.size() < most_lines) {
		const std::string_view before = maps;
		if (process::next_line(maps, line) && line.executable)
			p.now.insert_or_assign(line.start, std::string(
			    before.substr(0, before.size() - maps.size())));
	}
}

} // namespace stack9::events
