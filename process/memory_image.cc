// Copies headers and unwind information from a process's memory into an ELF
// file of its own layout.
//
// The program headers stay as they are, except those of the parts that are
// copied, because the headers say where the file's bytes are in memory.  No
// program needs section headers to be run, so .eh_frame gets one here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "memory_image.h"

#include <algorithm>
#include <cstring>

#include <elf.h>

#include "budgets/budgets.h"

#include "files.h"
#include "space.h"

namespace stack9::process {
namespace {

constexpr std::size_t headers_max = 64, step = 4096;
// .eh_frame_hdr lies beside .eh_frame, or is left out.
constexpr std::uint64_t beside = 1 << 20;

bool
is_same_file(const mapping &a, const mapping &b) noexcept
{
	return a.inode == b.inode && a.major == b.major && a.minor == b.minor;
}

class image {
public:
	image(const mapping &first, const memory_reader &read)
	    : first_(first), read_(read) {}

	// False: it is no ELF file of this kind, or cannot be read.
	bool make();
	std::vector<std::byte> &bytes() noexcept { return bytes_; }

private:
	bool read_headers();
	bool find_bias() noexcept;
	bool read_frames(std::uint64_t vaddr);
	bool read_unwind_info();
	void add_notes();
	void add_sections();
	const Elf64_Phdr *load_of(std::uint64_t vaddr) const noexcept;
	std::uint64_t copy(std::uint64_t vaddr, std::uint64_t size);
	template <class T>
	void
	put(std::size_t at, const T &value)
	{
		std::memcpy(bytes_.data() + at, &value, sizeof value);
	}
	template <class T>
	void
	add(const T &value)
	{
		bytes_.resize(bytes_.size() + sizeof value);
		put(bytes_.size() - sizeof value, value);
	}

	const mapping		&first_;	// of the file's first bytes
	const memory_reader	&read_;
	Elf64_Ehdr		header_{};
	std::vector<Elf64_Phdr>	parts_;
	std::uint64_t		bias_ = 0;
	Elf64_Shdr		frames_{};
	std::vector<std::byte>	bytes_;
};

bool
image::read_headers()
{
	const std::size_t room = first_.end - first_.start;
	if (room < sizeof header_ ||
	    !read_(first_.start, &header_, sizeof header_) ||
	    std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header_.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header_.e_phentsize != sizeof(Elf64_Phdr) ||
	    header_.e_phnum == 0 || header_.e_phnum > headers_max)
		return false;
	parts_.resize(header_.e_phnum);
	const std::size_t size = parts_.size() * sizeof parts_[0];
	return header_.e_phoff <= room && room - header_.e_phoff >= size &&
	    read_(first_.start + header_.e_phoff, parts_.data(), size);
}

bool
image::find_bias() noexcept
{
	for (const Elf64_Phdr &p : parts_)
		if (p.p_type == PT_LOAD && p.p_offset < step) {
			bias_ = first_.start - (p.p_vaddr - p.p_offset);
			return true;
		}
	return false;
}

const Elf64_Phdr *
image::load_of(std::uint64_t vaddr) const noexcept
{
	for (const Elf64_Phdr &p : parts_)
		if (p.p_type == PT_LOAD && vaddr - p.p_vaddr < p.p_filesz)
			return &p;
	return nullptr;
}

// Gives the place of a copy in the image; 0: it could not be read.
std::uint64_t
image::copy(std::uint64_t vaddr, std::uint64_t size)
{
	const std::uint64_t at = (bytes_.size() + 15) & ~std::uint64_t{15};
	bytes_.resize(at);
	for (std::uint64_t done = 0; done < size;) {
		const std::uint64_t now = std::min<std::uint64_t>(step,
		    size - done);
		bytes_.resize(at + done + now);
		if (!read_(vaddr + bias_ + done, bytes_.data() + at + done,
		    now))
			return 0;
		done += now;
	}
	return at;
}

// Nothing that is mapped says where .eh_frame ends, but its last entry has no
// length.
bool
image::read_frames(std::uint64_t vaddr)
{
	const Elf64_Phdr *const in = load_of(vaddr);
	if (in == nullptr)
		return false;
	const std::uint64_t most = std::min<std::uint64_t>(
	    in->p_vaddr + in->p_filesz - vaddr, budgets::unwind_info);
	std::uint64_t size = 0;
	for (std::uint32_t length = 1; length != 0 &&
	    most - size > sizeof length; size += sizeof length + length)
		if (!read_(vaddr + bias_ + size, &length, sizeof length) ||
		    length > most - size - sizeof length)
			return false;
	frames_.sh_type = SHT_PROGBITS;
	frames_.sh_flags = SHF_ALLOC;
	frames_.sh_addr = vaddr;
	frames_.sh_size = size;
	return true;
}

// The header of .eh_frame_hdr has the distance of .eh_frame from its second
// word, in the form that all linkers give it.  The size that it is said to have
// is a stranger's word.
bool
image::read_unwind_info()
{
	struct {
		std::uint8_t	version, frames, count, table;
		std::int32_t	distance;
	} h;
	const auto at = std::find_if(parts_.begin(), parts_.end(),
	    [](const Elf64_Phdr &p) { return p.p_type == PT_GNU_EH_FRAME; });
	constexpr std::uint8_t pcrel_sdata4 = 0x1b;
	if (at == parts_.end() || at->p_memsz < sizeof h ||
	    !read_(at->p_vaddr + bias_, &h, sizeof h) || h.version != 1 ||
	    h.frames != pcrel_sdata4 ||
	    !read_frames(at->p_vaddr + 4 + static_cast<std::uint64_t>(
	    std::int64_t{h.distance})))
		return false;
	const std::uint64_t end = frames_.sh_addr + frames_.sh_size;
	std::uint64_t from = std::min(at->p_vaddr, frames_.sh_addr);
	std::uint64_t to = std::max(at->p_vaddr + at->p_memsz, end);
	if (at->p_memsz > budgets::unwind_info || to - from > at->p_memsz +
	    frames_.sh_size + beside) {
		at->p_type = PT_NULL;
		from = frames_.sh_addr;
		to = end;
	}
	const std::uint64_t offset = copy(from, to - from);
	frames_.sh_offset = offset + (frames_.sh_addr - from);
	at->p_offset = offset + (at->p_vaddr - from);
	at->p_filesz = at->p_memsz;
	return offset != 0;
}

void
image::add_notes()
{
	for (Elf64_Phdr &p : parts_) {
		if (p.p_type != PT_NOTE)
			continue;
		p.p_filesz = std::min<std::uint64_t>(p.p_filesz,
		    budgets::notes);
		p.p_offset = copy(p.p_vaddr, p.p_filesz);
		if (p.p_offset == 0)
			p.p_type = PT_NULL;
	}
}

void
image::add_sections()
{
	constexpr char names[] = "\0.eh_frame\0.shstrtab";
	Elf64_Shdr of_names{};
	of_names.sh_name = sizeof "\0.eh_frame";
	of_names.sh_type = SHT_STRTAB;
	of_names.sh_offset = bytes_.size();
	of_names.sh_size = sizeof names;
	add(names);
	bytes_.resize((bytes_.size() + 7) & ~std::size_t{7});
	header_.e_phoff = sizeof header_;
	header_.e_shoff = bytes_.size();
	header_.e_shentsize = sizeof(Elf64_Shdr);
	header_.e_shnum = 3;
	header_.e_shstrndx = 2;
	frames_.sh_name = 1;
	add(Elf64_Shdr{});
	add(frames_);
	add(of_names);
}

bool
image::make()
{
	if (!read_headers() || !find_bias())
		return false;
	const std::size_t size = parts_.size() * sizeof parts_[0];
	bytes_.resize(sizeof header_ + size);
	if (!read_unwind_info())
		return false;
	add_notes();
	add_sections();
	put(0, header_);
	std::memcpy(bytes_.data() + sizeof header_, parts_.data(), size);
	return true;
}

} // namespace

bool
lacks_image(const mapping &m) noexcept
{
	return m.is_refused && m.executable && m.backing == nullptr &&
	    m.inode != 0 && !m.path.starts_with("/dev/");
}

void
add_images(const std::vector<mapping *> &all, const memory_reader &read)
{
	for (const mapping *const m : all) {
		if (!lacks_image(*m))
			continue;
		const auto first = std::find_if(all.begin(), all.end(),
		    [m](const mapping *o) {
			return is_same_file(*o, *m) && o->offset == 0 &&
			    o->readable;
		});
		if (first == all.end())
			continue;
		image made(**first, read);
		if (!made.make())
			continue;
		const auto f = file_of(std::move(made.bytes()), m->path);
		f->leave_bytes_out();
		for (mapping *const o : all)
			if (is_same_file(*o, *m) && o->backing == nullptr)
				o->backing = f;
	}
}

void
make_images(stack9_space &space, const memory_reader &read)
{
	std::vector<mapping> all;
	space.each_mapping([&](const mapping &m) { all.push_back(m); });
	std::vector<mapping *> each;
	for (mapping &m : all)
		each.push_back(&m);
	add_images(each, read);
	space.take_snapshot(std::move(all));
}

} // namespace stack9::process
