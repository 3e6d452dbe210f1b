// Reads the headers and the build id of an ELF file, and parts of it on demand.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <gelf.h>
#include <unistd.h>

#include "budgets/budgets.h"
#include "os/forked_lock.h"

#include "elf_parts.h"
#include "memory_want.h"

namespace stack9::process {

file::file(std::uint16_t id, int fd, std::string path, bool unread)
    : id_(id), fd_(fd), path_(std::move(path))
{
	const memory_want want;
	if (!unread)
		read_headers(begin());
	want.check();
}

file::file(std::uint16_t id, std::vector<std::byte> image, std::string path,
    bool unread)
    : id_(id), image_(std::move(image)), path_(std::move(path))
{
	if (unread)
		return;
	const memory_want want;
	read_headers(begin());
	want.check();
}

// libelf does not write to an image: only ELF_C_RDWR would make it.
Elf *
file::begin() const noexcept
{
	return fd_ ? begin_elf(fd_.get()) : begin_elf(reinterpret_cast<char *>(
	    const_cast<std::byte *>(image_.data())), image_.size());
}

// Attachments may use elf(), so they go first.
file::~file()
{
	names.reset();
	lines.reset();
	cfi.reset();
	languages.clear();
	elf_.reset();
}

// Unwind information that was found points into what libelf has read, so that
// stays.
void
file::leave_in_child() noexcept
{
	const bool is_left = free_in_child(lock_);
	if (cfi != nullptr)
		cfi->leave_in_child();
	for (auto *const a : {&names, &lines})
		if (*a != nullptr && ((*a)->leave_in_child() || is_left))
			static_cast<void>(a->release());
	if (!is_left)
		return;
	new (&languages) decltype(languages);
	if (elf_ == nullptr)
		return;
	static_cast<void>(elf_.release());
	elf_.reset(begin());
}

void
file::read_headers(Elf *opened)
{
	std::unique_ptr<Elf, elf_closer> elf(opened);
	GElf_Ehdr header;
	std::size_t count = 0;
	std::uint64_t notes = 0;	// bytes of them
	if (elf_kind(opened) != ELF_K_ELF ||
	    gelf_getehdr(opened, &header) == nullptr ||
	    elf_getphdrnum(opened, &count) != 0)
		return;
	machine_ = header.e_machine;
	entry_ = header.e_entry;
	is_64_ = gelf_getclass(opened) == ELFCLASS64;
	for (std::size_t n = 0; n < count; n++) {
		GElf_Phdr p;
		if (gelf_getphdr(opened, static_cast<int>(n), &p) == nullptr)
			break;
		if (p.p_type == PT_LOAD && p.p_filesz != 0)
			segments_.push_back({p.p_offset, p.p_filesz,
			    p.p_vaddr});
		else if (p.p_type == PT_NOTE && build_id_.empty() &&
		    !budgets::exceeds(notes += std::min(p.p_filesz,
		    budgets::notes), budgets::notes))
			read_notes(opened, p.p_offset, p.p_filesz,
			    p.p_align);
	}
	std::stable_sort(segments_.begin(), segments_.end(),
	    [](const segment &a, const segment &b) {
		return a.offset < b.offset;
	    });
	elf_ = std::move(elf);
}

void
file::read_notes(Elf *elf, std::uint64_t offset, std::uint64_t size,
    std::uint64_t alignment)
{
	Elf_Data *const notes = elf_getdata_rawchunk(elf,
	    static_cast<std::int64_t>(offset), std::min(size, budgets::notes),
	    alignment == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	std::size_t at = 0, next, name, content;
	GElf_Nhdr n;
	while (notes != nullptr &&
	    (next = gelf_getnote(notes, at, &n, &name, &content)) != 0) {
		const auto *const bytes =
		    static_cast<const unsigned char *>(notes->d_buf);
		if (n.n_type == NT_GNU_BUILD_ID &&
		    n.n_namesz == sizeof ELF_NOTE_GNU &&
		    std::memcmp(bytes + name, ELF_NOTE_GNU,
		    sizeof ELF_NOTE_GNU) == 0) {
			build_id_.assign(bytes + content,
			    bytes + content + n.n_descsz);
			return;
		}
		at = next;
	}
}

const file::segment *
file::segment_of(std::uint64_t offset) const noexcept
{
	const auto behind = std::upper_bound(segments_.begin(),
	    segments_.end(), offset, [](std::uint64_t o, const segment &s) {
		return o < s.offset;
	    });
	if (behind == segments_.begin())
		return nullptr;
	const segment &s = *std::prev(behind);
	return offset - s.offset < s.size ? &s : nullptr;
}

std::uint64_t
file::same_segment_until(std::uint64_t offset) const noexcept
{
	const segment *const here = segment_of(offset);
	std::uint64_t end = here == nullptr ? UINT64_MAX :
	    here->offset + here->size;
	for (const segment &s : segments_)
		if (s.offset > offset)
			end = std::min(end, s.offset);
	return end;
}

bool
file::read(std::uint64_t offset, void *to, std::size_t size) const noexcept
{
	if (!fd_) {
		if (!has_bytes_ || offset > image_.size() ||
		    image_.size() - offset < size)
			return false;
		std::memcpy(to, image_.data() + offset, size);
		return true;
	}
	std::size_t got = 0;
	while (got < size) {
		const ssize_t n = pread(fd_.get(), static_cast<char *>(to) +
		    got, size - got, static_cast<off_t>(offset + got));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		got += static_cast<std::size_t>(n);
	}
	return true;
}

} // namespace stack9::process
