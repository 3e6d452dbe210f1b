// A file's unwind information: read at first use, then only looked at.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <memory>

#include "unwind/cfi.h"

#include "file.h"
#include "frame_index.h"

namespace stack9::process {

// What stands in file.cfi, from when it is made.
class tables final : public attachment {
public:
	// Those of a file; NULL: it is no program.
	static tables *of(file &) noexcept;

	// The row for a p_vaddr, addresses in it being p_vaddrs too.  The spans
	// in it are good as long as the file.
	unwind::found eh_frame_row(file &, std::uint64_t vaddr,
	    unwind::row &) noexcept;
	unwind::found debug_frame_row(file &, std::uint64_t vaddr,
	    unwind::row &) noexcept;

private:
	// One section, with the linker's table or with one made here.
	struct section {
		unwind::cfi_section	bytes;
		std::uintptr_t		header = 0;	// .eh_frame_hdr; or 0
		frame_index		index;
	};
	using reader = section(Elf *);

	// Read once; there is nothing to find in one that could not be.
	class once {
	public:
		~once() { delete it_.load(); }
		// NULL: no memory for it, just now.
		const section *get(file &, reader) noexcept;
	private:
		std::atomic<const section *>	it_{nullptr};
	};

	static section read_eh_frame(Elf *);
	static section read_debug_frame(Elf *);
	static unwind::found row_in(const section *, std::uint64_t vaddr,
	    unwind::row &) noexcept;

	once	eh_frame_, debug_frame_;
};

} // namespace stack9::process
