// Opens a software event of perf's for the threads of one process, in all
// CPUs, and reads what the kernel writes of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <linux/perf_event.h>
#include <sys/types.h>

#include "core/seam/backend.h"
#include "core/seam/watch.h"
#include "os/unique_fd.h"

#include "backends/linux-events/probes/probe.h"
#include "perf_ring.h"

namespace stack9::events {

// Opens the event in a thread and a CPU, -1: in any; sets errno.
unique_fd open_event(perf_event_attr &, pid_t tid, int cpu);

// Tries whether this process may sample itself.
verdict try_sampling() noexcept;

class perf_events {
public:
	// pid, tid: of whom; 0: a tid that is not said.  sides: as of a watch.
	// 0; or an errno, and why.
	int open(const probe &, const watch_filter &, unsigned int sides,
	    std::string &why);
	// Readable when there is much to be read.
	int fd() const noexcept { return ready_.get(); }
	// True if samples have frames of the kernel.
	bool has_kernel() const noexcept { return has_kernel_; }
	// No event comes any more.
	void end() noexcept;

	template <class Use>
	void
	read(Use use)
	{
		for (perf_ring &r : rings_)
			r.read(buffer_, use);
	}

private:
	struct of_cpu {
		int		cpu;
		unique_fd	first;	// has the ring
	};

	int open_thread(perf_event_attr &, pid_t tid);
	int open_all(perf_event_attr &, pid_t pid, pid_t tid);
	int add_ring(of_cpu &, unique_fd &&);

	std::vector<of_cpu>	cpus_;
	std::vector<unique_fd>	more_;
	std::vector<perf_ring>	rings_;
	std::vector<std::uint64_t> buffer_;
	std::set<pid_t>		opened_;
	unique_fd		ready_;
	bool			has_kernel_ = false;
};

// A sample of an event, as the kernel writes it.
struct perf_sample {
	std::int32_t	pid = 0, tid = 0;
	std::uint64_t	when_ns = 0;
	std::uint32_t	cpu = 0;
	const std::uint64_t *kernel = nullptr;	// frames
	std::uint64_t	frames = 0;
	const std::uint64_t *registers = nullptr;	// NULL: there are none
	const char	*stack = nullptr;
	std::uint64_t	bytes = 0;	// of the stack, that were copied
	bool		more = false;	// it goes on
};
// record: with its header.  False: it is too short.
bool read_sample(const char *record, std::size_t size, bool has_kernel,
    perf_sample &) noexcept;

// When any other record was written.
std::uint64_t time_of_record(const char *record, std::size_t size) noexcept;
// So many bytes of it follow what is said of all samples.
inline constexpr std::size_t perf_trailer = 24;

} // namespace stack9::events
