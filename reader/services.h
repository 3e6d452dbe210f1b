// Declares what a process does for its reader while that works on a question.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stack9.h>

#include "core/seam/kept_process.h"
#include "os/thread_memory.h"

#include "channel.h"

namespace stack9::sandbox {

// A file may have taken over the reader.  So the reader gets memory only of the
// process that the question is about, files only if they are regular and ELF,
// and the perf map of that process.
class services {
public:
	// whose: a thread of the process that the question is about.
	services(const stack9_thread &whose, kind question) noexcept
	    : whose_(whose), question_(question),
	      memory_(whose.tid, whose.start),
	      kept_(kept_process_of(whose.start)) {}

	// Makes a request into its reply, and opens a descriptor that goes with
	// it, or refuses.  False: there is no such request.  Throws
	// std::bad_alloc.
	bool serve(message &, unique_fd &);

private:
	void read_memory(message &);
	void read_parts(message &);
	void open_memory(message &, unique_fd &) const noexcept;
	bool bring_in(std::uint64_t from, std::uint64_t size) const noexcept;
	bool read_now(std::uint64_t from, void *to, std::size_t size) noexcept;
	void open_elf(message &, unique_fd &);
	void open_perf_map(message &, unique_fd &);
	void fetch(message &, unique_fd &);
	static bool refuse(message &);

	const stack9_thread	whose_;
	const kind		question_;
	thread_memory		memory_;
	kept_process		*const kept_;	// of a core; or NULL
};

} // namespace stack9::sandbox
