// Declares the notes of a core: the threads with their registers, the process,
// the signal, what the kernel gave the program, and its mapped files.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "contents.h"
#include "file_window.h"

namespace stack9::cores {

// Offsets in the structures of NT_PRSTATUS, NT_PRPSINFO and siginfo_t.  They
// differ by the size of a long.
struct layout {
	std::size_t	tid, registers, register_bytes;
	std::size_t	pid, name, arguments;
	std::size_t	after_codes;	// the union of siginfo_t
	std::size_t	word;
};

class note_reader {
public:
	note_reader(file_window &from, const layout &as, contents &to) noexcept
	    : from_(from), as_(as), to_(to) {}

	// Reads the notes of one segment.  Throws std::bad_alloc.
	void read(std::uint64_t at, std::uint64_t size);

private:
	void take(std::uint32_t type, std::uint64_t at, std::uint32_t size);
	void take_of_system(std::uint32_t type, std::uint64_t at);
	void take_thread(std::uint64_t at, std::uint32_t size);
	void take_floats(std::uint64_t at, std::uint32_t size);
	void take_process(std::uint64_t at, std::uint32_t size);
	void take_signal(std::uint64_t at, std::uint32_t size);
	void take_auxv(std::uint64_t at, std::uint32_t size);
	void take_files(std::uint64_t at, std::uint32_t size);
	std::uint64_t word(const std::byte *at) const noexcept;

	file_window	&from_;
	const layout	&as_;
	contents	&to_;
};

} // namespace stack9::cores
