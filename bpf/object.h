// Holds the descriptors of one BPF object.  It is loaded at first use.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>

#include "core/seam/backend.h"

#include "os/unique_fd.h"

#include "image.h"
#include "refusal.h"

namespace stack9::bpf {

// Objects are static and never destroyed: captures may go on while the process
// exits.
class object {
public:
	// lacking: the sentence that says what the kernel lacks if it cannot
	// load the object.
	// plain: a kernel that has all that the program needs may be too old
	// for the light skeleton, so libbpf's loader is tried too.
	// map_bytes: the size of the map that is mapped into memory; 0: none
	// is.
	constexpr object(const s9_image &image, const char *lacking,
	    bool plain, std::size_t map_bytes = 0)
	    : image_(image), lacking_(lacking), plain_(plain),
	      map_bytes_(map_bytes) {}

	// Loads at first use and after a fork.  A refusal for good is not tried
	// again.  A refusal for lack of rights is, once the rights have
	// changed.
	verdict load() noexcept;

	// -1 unless loaded in this process.  Async-signal-safe.
	int program() const noexcept;
	int second_program() const noexcept;
	const s9_image &image() const noexcept { return image_; }
	int map() const noexcept { return fds_.map; }
	void *memory() const noexcept { return memory_; }

	// Says that somebody closed the descriptors.  load() will make new ones
	// and leave the old numbers alone.  program: the value that program()
	// had, since another thread may have been first.  Async-signal-safe.
	void lost(int program) noexcept;

	// Uses this program that bpffs kept, instead of loading one.
	void adopt(int program) noexcept;
	bool adopted() const noexcept { return program() >= 0 && adopted_; }

private:
	int try_load() noexcept;
	void drop() noexcept;

	const s9_image		&image_;
	const char *const	 lacking_;
	const bool		 plain_;
	const std::size_t	 map_bytes_;

	std::atomic<int>	 program_{-1};
	std::atomic<bool>	 lost_{false};
	std::atomic<bool>	 adopted_{false};
	// load_mutex() guards the rest.
	s9_fds			 fds_{-1, -1, -1};
	void			*memory_ = nullptr;
	std::atomic<unsigned int> generation_{0};	// fork_generation()
	kept_refusal		 refused_;
};

} // namespace stack9::bpf
