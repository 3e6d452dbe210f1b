// Logs what processes map while a watch goes on.  So a process that has ended
// before its maps could be read has names all the same.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <bpf/libbpf.h>
#include <sys/types.h>

#include "bpf/object.h"
#include "mapping_history.h"
#include "time_order.h"

namespace stack9::events {

class mapping_log {
public:
	explicit mapping_log(mapping_history &to) noexcept : to_(to) {}

	// False: the kernel does not have it, or the rights are missing.
	bool open() noexcept;

	// Reads the records since the last call.  Cheap if there are none.
	void read();
	// Adds a record that another reader has, without what follows it.
	void add(const char *bytes, std::size_t size, std::uint64_t when);

	// Waits until the log has all that the process's maps had when they
	// were read.
	static void wait_for(pid_t) noexcept;

	// For a child: it must not end what is its parent's.
	void abandon() noexcept { buffer_.release(); }

private:
	struct record {
		std::uint64_t		when = 0;
		std::vector<char>	bytes;
	};
	struct buffer_closer {
		void operator()(perf_buffer *b) const noexcept
		    { perf_buffer__free(b); }
	};

	static bpf_perf_event_ret	keep(void *arg, int cpu,
					    perf_event_header *);
	bool	was_full() noexcept;
	void	apply(const record &);
	void	on_mmap(const record &);
	void	on_task(const char *body, bool begins);

	mapping_history	&to_;
	unique_fd	map_;
	std::unique_ptr<perf_buffer, buffer_closer> buffer_;
	std::vector<std::uint64_t> read_to_;	// each CPU's buffer, in bytes
	bool		is_fed_ = false;	// by add()
	time_order<record>	fresh_;
	// The last record for which there was no memory; 0: none.
	std::uint64_t		unkept_ns_ = 0;
};

} // namespace stack9::events
