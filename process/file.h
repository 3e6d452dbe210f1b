// An ELF file that processes were mapped from: opened once, whichever of them
// have it, and kept open, so that its inode stays what it was.
//
// Read by read(2), never mapped: a file that shrinks would be a SIGBUS.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <libelf.h>

#include "os/linux/unique_fd.h"

namespace stack9::process {

// What others keep with a file for as long as it is: symbols/ its names.
class attachment {
public:
	attachment() = default;
	attachment(const attachment &) = delete;
	attachment &operator=(const attachment &) = delete;
	virtual ~attachment() = default;
};

struct elf_closer {
	void operator()(Elf *e) const noexcept { elf_end(e); }
};

class file {
public:
	// Takes the descriptor, or the bytes of an image (the vdso's).  path:
	// as the mapping has it.  Throws std::bad_alloc.
	file(std::uint16_t id, int fd, std::string path);
	file(std::uint16_t id, std::vector<std::byte> image, std::string path);
	~file();
	file(const file &) = delete;
	file &operator=(const file &) = delete;

	// Of no other file in this process's life, nearly: 0 is none's.
	std::uint16_t id() const noexcept { return id_; }
	int fd() const noexcept { return fd_.get(); }	// -1: an image
	const std::string &path() const noexcept { return path_; }

	// All below is found when it is made, and never changes.
	bool is_elf() const noexcept { return elf_ != nullptr; }
	int machine() const noexcept { return machine_; }	// EM_*
	bool is_64() const noexcept { return is_64_; }
	const std::vector<unsigned char> &
	build_id() const noexcept
	{
		return build_id_;
	}
	// A piece of it that is loaded to one place: PT_LOAD.
	struct segment {
		std::uint64_t	offset, size, vaddr;
	};
	// The one that has what is at this offset in the file; NULL: none has.
	const segment *segment_of(std::uint64_t offset) const noexcept;
	// The p_vaddr of that; false: it is not loaded.
	bool
	vaddr_of(std::uint64_t offset, std::uint64_t &vaddr) const noexcept
	{
		const segment *const s = segment_of(offset);
		vaddr = s == nullptr ? vaddr : s->vaddr + (offset - s->offset);
		return s != nullptr;
	}
	// Copies what is at this offset, all of it or nothing.
	bool read(std::uint64_t offset, void *to, std::size_t size)
	    const noexcept;

	// libelf is not thread-safe: hold this around elf() and what is had of
	// it, and to set or read what is attached.
	std::mutex &lock() const noexcept { return lock_; }
	Elf *elf() const noexcept { return elf_.get(); }	// or NULL

	std::unique_ptr<attachment>	names;	// symbols/: functions
	std::unique_ptr<attachment>	lines;	// symbols/: source lines
	std::unique_ptr<attachment>	cfi;	// code.cc: unwind information
	std::unique_ptr<attachment>	go;	// go.cc: Go's own tables
	std::unique_ptr<attachment>	ia32;	// ia32.cc: 32-bit code's

private:
	void look(Elf *);
	void look_at_notes(Elf *, std::uint64_t offset, std::uint64_t size,
	    std::uint64_t alignment);

	const std::uint16_t			id_;
	const unique_fd				fd_;
	const std::vector<std::byte>		image_;
	const std::string			path_;
	std::unique_ptr<Elf, elf_closer>	elf_;
	int					machine_ = 0;
	bool					is_64_ = false;
	std::vector<unsigned char>		build_id_;
	std::vector<segment>			segments_;	// PT_LOAD, by
								// offset
	mutable std::mutex			lock_;
};

} // namespace stack9::process
