// Declares an ELF file that processes were mapped from.  It is opened once for
// all processes that have it, and kept open, so that its inode number is not
// used again.
//
// The file is read by read(2) and never mapped: a mapped file that shrinks
// would raise SIGBUS.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <libelf.h>

#include "os/unique_fd.h"

#include "file_state.h"

namespace stack9::process {

// Something that another room keeps with a file as long as the file exists;
// symbols/ keeps its names so.
class attachment {
public:
	attachment() = default;
	attachment(const attachment &) = delete;
	attachment &operator=(const attachment &) = delete;
	virtual ~attachment() = default;
	// To be called in the child of a fork(2).  True: a thread that it does
	// not have was changing this, so nobody may use it any more.
	virtual bool leave_in_child() noexcept { return false; }
};

struct elf_closer {
	void operator()(Elf *e) const noexcept { elf_end(e); }
};

class file {
public:
	// Takes the descriptor, or the bytes of an image (the vdso's).  path is
	// the mapping's.  unread: another process reads it, so nothing in it is
	// looked at here.  Throws std::bad_alloc.
	file(std::uint16_t id, int fd, std::string path, bool unread = false);
	file(std::uint16_t id, std::vector<std::byte> image, std::string path,
	    bool unread = false);
	~file();
	file(const file &) = delete;
	file &operator=(const file &) = delete;

	// The file's number.  It is unique as long as the file exists; 0: it
	// has none, as all were in use.
	std::uint16_t id() const noexcept { return id_; }
	int fd() const noexcept { return fd_.get(); }	// -1: an image
	const std::vector<std::byte> &image() const noexcept { return image_; }
	const std::string &path() const noexcept { return path_; }

	// Notes the state in which it was opened, here or by another process,
	// before others have the file.
	void
	note_opened(const file_state &s) noexcept
	{
		opened_ = s;
		was_late_ = state_of(fd_.get()) != s;
	}
	const file_state &opened() const noexcept { return opened_; }
	// True if it was in another state when it was read first.
	bool was_late() const noexcept { return was_late_; }

	// The following are found by the constructor and never change.
	bool is_elf() const noexcept { return elf_ != nullptr; }
	int machine() const noexcept { return machine_; }	// EM_*
	bool is_64() const noexcept { return is_64_; }
	std::uint64_t entry() const noexcept { return entry_; }	// p_vaddr
	const std::vector<unsigned char> &
	build_id() const noexcept
	{
		return build_id_;
	}
	// A part of the file that is loaded to one place: PT_LOAD.
	struct segment {
		std::uint64_t	offset, size, vaddr;
	};
	// Finds the segment that holds this offset of the file; NULL: none
	// does.
	const segment *segment_of(std::uint64_t offset) const noexcept;
	// The offset from which on segment_of() may find another one, or none.
	std::uint64_t same_segment_until(std::uint64_t offset) const noexcept;
	// Finds the p_vaddr of that offset; false: it is not loaded.
	bool
	vaddr_of(std::uint64_t offset, std::uint64_t &vaddr) const noexcept
	{
		const segment *const s = segment_of(offset);
		vaddr = s == nullptr ? vaddr : s->vaddr + (offset - s->offset);
		return s != nullptr;
	}
	// Finds the offset of that p_vaddr; false: the file has no bytes there.
	bool
	offset_of(std::uint64_t vaddr, std::uint64_t &offset) const noexcept
	{
		for (const segment &s : segments_)
			if (vaddr - s.vaddr < s.size) {
				offset = s.offset + (vaddr - s.vaddr);
				return true;
			}
		return false;
	}
	// Copies the bytes at this offset, all of them or nothing.
	bool read(std::uint64_t offset, void *to, std::size_t size)
	    const noexcept;

	// The bytes of this image are not at the file's offsets, so read() has
	// none.  To be called before others have the file.
	void leave_bytes_out() noexcept { has_bytes_ = false; }

	// libelf is not thread-safe: hold this while you use elf() or anything
	// that it gave, and to set or read an attachment.
	std::mutex &lock() const noexcept { return lock_; }
	Elf *elf() const noexcept { return elf_.get(); }	// or NULL

	std::unique_ptr<attachment>	names;	// symbols/ keeps functions
	std::unique_ptr<attachment>	lines;	// symbols/ keeps source lines
	std::unique_ptr<attachment>	cfi;	// tables.h: unwind information
	// Tables of languages/, each by an address that is its language's own.
	std::map<const void *, std::unique_ptr<attachment>> languages;

	// To be called in the child of a fork(2).  Attachments that another
	// thread was changing are made again when they are needed; the old ones
	// are never freed.
	void leave_in_child() noexcept;

private:
	Elf *begin() const noexcept;
	void read_headers(Elf *);
	void read_notes(Elf *, std::uint64_t offset, std::uint64_t size,
	    std::uint64_t alignment);

	const std::uint16_t			id_;
	const unique_fd				fd_;
	const std::vector<std::byte>		image_;
	const std::string			path_;
	file_state				opened_;
	bool					was_late_ = false;
	std::unique_ptr<Elf, elf_closer>	elf_;
	int					machine_ = 0;
	bool					is_64_ = false;
	std::uint64_t				entry_ = 0;
	std::vector<unsigned char>		build_id_;
	std::vector<segment>			segments_;	// PT_LOAD, by
								// offset
	bool					has_bytes_ = true;
	mutable std::mutex			lock_;
};

} // namespace stack9::process
