// One BPF object: loaded at first use, held as descriptors.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "core/seam/backend.h"

#include "os/linux/unique_fd.h"

#include "light.h"
#include "refusal.h"

namespace stack9::bpf {

// Static and never destroyed: captures may go on while the program exits.
class object {
public:
	// lacking: what the kernel is said to lack where it cannot be loaded.
	// plain: kernels that have what the program needs may be too old for
	// the light skeleton, so try libbpf's loader too.
	// map_bytes: of the map, to be mapped into memory; 0: none.
	constexpr object(s9_object which, const char *lacking, bool plain,
	    std::size_t map_bytes = 0)
	    : which_(which), lacking_(lacking), plain_(plain),
	      map_bytes_(map_bytes) {}

	// Loads at first use and after a fork.  What was refused for good is
	// not tried again; a lack of rights is, once they have changed.
	verdict load() noexcept;

	// -1 unless loaded in this process.  Async-signal-safe.
	int program() const noexcept;
	int second_program() const noexcept;
	s9_object which() const noexcept { return which_; }
	int map() const noexcept { return fds_.map; }
	void *memory() const noexcept { return memory_; }

	// The descriptors are no longer ours, somebody closed them; load()
	// will make new ones and leave the old numbers alone.  program: as
	// program() was, for another thread may have been first.
	// Async-signal-safe.
	void lost(int program) noexcept;

	// Use this program, which was kept elsewhere, instead of loading.
	void adopt(int program) noexcept;
	bool adopted() const noexcept { return program() >= 0 && adopted_; }

private:
	int try_load() noexcept;
	void drop() noexcept;

	const s9_object		 which_;
	const char *const	 lacking_;
	const bool		 plain_;
	const std::size_t	 map_bytes_;

	std::atomic<int>	 program_{-1};
	std::atomic<bool>	 lost_{false};
	std::atomic<bool>	 adopted_{false};
	// The rest belongs to load_mutex().
	s9_fds			 fds_{-1, -1, -1};
	void			*memory_ = nullptr;
	std::atomic<unsigned int> generation_{0};	// fork_generation()
	kept_refusal		 refused_;
};

} // namespace stack9::bpf
