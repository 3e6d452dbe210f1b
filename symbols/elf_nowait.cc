// Reads a symbol table by pread(2), from one end to the other, and keeps the
// best symbol.  Nothing here locks or allocates.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "symbol_section.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "symbol_choice.h"

namespace stack9 {
namespace {

class section_headers {
public:
	section_headers(const bytes &b, std::uint64_t at, std::uint64_t count,
	    std::span<ElfW(Shdr)> room) noexcept
	    : b_(b), at_(at), count_(count), room_(room) {}

	// NULL: it cannot be read.  The next call may overwrite it.
	const ElfW(Shdr) *
	get(std::uint64_t i) noexcept
	{
		if (i >= count_)
			return nullptr;
		if (i < first_ || i - first_ >= have_)
			read_up_to(i);
		return i - first_ < have_ ? &room_[i - first_] : nullptr;
	}

	// Prefers .symtab over .dynsym.  Linkers write .symtab, its strings and
	// the names of sections last.
	bool
	find_symbols(ElfW(Shdr) &found) noexcept
	{
		found.sh_type = SHT_NULL;
		for (std::uint64_t i = count_; i-- > 0;) {
			const ElfW(Shdr) *const s = get(i);
			if (s == nullptr)
				return false;
			if (s->sh_type == SHT_SYMTAB ||
			    (s->sh_type == SHT_DYNSYM &&
			    found.sh_type == SHT_NULL))
				found = *s;
			if (s->sh_type == SHT_SYMTAB)
				return true;
		}
		return found.sh_type != SHT_NULL;
	}

private:
	// Fills the room, with this header as the last one if there are enough.
	void
	read_up_to(std::uint64_t i) noexcept
	{
		first_ = i - std::min<std::uint64_t>(i, room_.size() - 1);
		have_ = b_.read(at_ + first_ * sizeof(room_[0]), room_.data(),
		    std::min<std::uint64_t>(room_.size(), count_ - first_) *
		    sizeof(room_[0])) / sizeof(room_[0]);
	}

	const bytes			&b_;
	const std::uint64_t		at_, count_;
	const std::span<ElfW(Shdr)>	room_;
	std::uint64_t			first_ = 0, have_ = 0;	// in the room
};

// 0: they cannot be counted.  Where the file's header has no room for their
// number, the first of them has it.
std::uint64_t
count_headers(const bytes &b, const ElfW(Ehdr) &eh) noexcept
{
	ElfW(Shdr) first;
	if (eh.e_shoff == 0 || eh.e_shentsize != sizeof(first))
		return 0;
	return eh.e_shnum != 0 ? eh.e_shnum :
	    b.get(eh.e_shoff, first) ? first.sh_size : 0;
}

} // namespace

std::uint32_t
read_name(const bytes &b, const symbol_section &t, std::uint64_t at, char *to)
    noexcept
{
	char part[64];
	std::size_t n = 0;
	while (at + n < t.names_size && n < name_max - 1) {
		const std::size_t want = std::min<std::uint64_t>(sizeof(part),
		    std::min<std::uint64_t>(t.names_size - at - n,
		    name_max - 1 - n));
		const std::size_t got = b.read(t.names + at + n, part, want);
		std::size_t length = name_length(part, got);
		if (n != 0 && got != 0 && part[0] == '@')
			length = 0;	// a version begins here
		if (to != nullptr)
			std::memcpy(to + n, part, length);
		n += length;
		if (length != sizeof(part))
			break;
	}
	return static_cast<std::uint32_t>(n);
}

bool
symbol_section::find(const bytes &b, std::span<ElfW(Shdr)> room) noexcept
{
	ElfW(Ehdr) eh;
	ElfW(Shdr) sh{};
	if (!read_header(b, eh))
		return false;
	section_headers all(b, eh.e_shoff, count_headers(b, eh), room);
	if (!all.find_symbols(sh))
		return false;
	const ElfW(Shdr) *const strings = all.get(sh.sh_link);
	if (strings == nullptr || strings->sh_type != SHT_STRTAB)
		return false;
	*this = {sh.sh_offset, sh.sh_size, strings->sh_offset,
	    strings->sh_size, sh.sh_type == SHT_SYMTAB};
	return true;
}

int
elf_scan(const bytes &b, const symbol_section &t, std::span<ElfW(Sym)> room,
    std::uintptr_t vaddr, bool return_address, symbol_name &sym) noexcept
{
	const std::uintptr_t key = vaddr - return_address;
	symbol_choice best;
	t.each(b, room, [&](const ElfW(Sym) &s) {
		best.consider(b, t, s, key);
	});
	return best.put(b, t, key, return_address, sym);
}

} // namespace stack9
