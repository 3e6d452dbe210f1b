// Reads the records that the kernel writes for profilers: perf_event_open(2),
// PERF_RECORD_MMAP2 and the like.  Each CPU has its own buffer, and a process
// moves between CPUs.  So all records are sorted by time before they are
// applied.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "mapping_log.h"

#include <algorithm>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include <bpf/bpf.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bpf/possible_cpus.h"
#include "bpf/scoped.h"
#include "os/clocks.h"
#include "os/open_task.h"

namespace stack9::events {
namespace {

constexpr std::size_t pages = 64;	// of a CPU's buffer; a power of 2
constexpr std::size_t most_of_record = 8192;	// one with a path of PATH_MAX

// PERF_RECORD_MMAP2 after its header.
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

// Up to where a buffer is written and read, in bytes since it was made.
struct buffer_ends {
	std::uint64_t	written, read;
};

buffer_ends
ends_of(perf_buffer *all, std::size_t cpu) noexcept
{
	void *base;
	std::size_t size;
	if (perf_buffer__buffer(all, static_cast<int>(cpu), &base, &size) != 0)
		return {};
	auto &about = *static_cast<perf_event_mmap_page *>(base);
	return {std::atomic_ref(about.data_head).load(
	    std::memory_order_acquire), about.data_tail};
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
	    nullptr, 4, 4, bpf::possible_cpus(), nullptr));
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
mapping_log::add(const char *bytes, std::size_t size, std::uint64_t when)
{
	is_fed_ = true;
	fresh_.add({when, {bytes, bytes + size}});
}

void
mapping_log::read()
{
	if (buffer_ == nullptr && !is_fed_)
		return;
	const std::uint64_t begin = boot_ns();
	if (buffer_ != nullptr) {
		perf_buffer__consume(buffer_.get());
		if (was_full())
			unkept_ns_ = boot_ns();
	}
	fresh_.take_until(begin, [this](const record &r) {
		try {
			apply(r);
		} catch (const std::bad_alloc &) {
			unkept_ns_ = std::max(unkept_ns_, r.when);
		}
	});
	if (unkept_ns_ != 0)
		to_.forget_all(std::exchange(unkept_ns_, 0));
}

// The kernel logs a mapping under mmap_lock.  Since Linux 6.17 a reader of maps
// does not take it, but one of pagemap does (fs/proc/task_mmu.c).
void
mapping_log::wait_for(pid_t pid) noexcept
{
	std::uint64_t page;
	unique_fd task;
	if (open_task(pid, 0, task) != 0)
		return;
	const unique_fd pagemap(openat(task.get(), "pagemap", O_RDONLY |
	    O_CLOEXEC));
	if (pagemap)
		static_cast<void>(!pread(pagemap.get(), &page, sizeof page, 0));
}

// The kernel says that records were lost in the next one that finds space.  It
// may not have come by now.
bool
mapping_log::was_full() noexcept
{
	static const std::size_t size = pages *
	    static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
	bool full = false;
	const std::size_t buffers = perf_buffer__buffer_cnt(buffer_.get());
	try {
		read_to_.resize(buffers);
	} catch (const std::bad_alloc &) {
		return true;
	}
	for (std::size_t i = 0; i < buffers; i++) {
		const buffer_ends now = ends_of(buffer_.get(), i);
		full = full || now.written - std::exchange(read_to_[i],
		    now.read) > size - most_of_record;
	}
	return full;
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
			to_.executes(static_cast<pid_t>(
			    read_body<std::uint32_t>(body)), r.when);
		break;
	case PERF_RECORD_LOST:
		to_.forget_all(r.when);
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
	const char *const path = body + sizeof m;
	if (m.prot & PROT_EXEC)
		to_.add({static_cast<pid_t>(m.pid), r.when, m.addr,
		    m.addr + m.len, is_of_a_file(path), line_of(m, path)});
}

// A thread that begins or ends changes nothing here.
void
mapping_log::on_task(const char *body, bool begins)
{
	const auto t = read_body<task_body>(body);
	const auto pid = static_cast<pid_t>(t.pid);
	if (begins && t.pid != t.parent)
		to_.begins(pid, static_cast<pid_t>(t.parent));
	else if (!begins && t.pid == t.tid)
		to_.ends(pid);
}

} // namespace stack9::events
