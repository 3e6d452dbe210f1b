// Reads any bytes as an ELF image: the table by libelf and the scan from memory
// must both survive them, and agree wherever both know a name.  The loader's
// tables are read, too, as if the image were mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include <libelf.h>

#include "core/seam/record.h"
#include "symbols/elf_table.h"
#include "symbols/symbol_section.h"

namespace {

[[noreturn]] void
fail(const char *why, std::uint64_t vaddr)
{
	std::fprintf(stderr, "elf: %s at %#llx\n", why,
	    static_cast<unsigned long long>(vaddr));
	std::abort();
}

void
look_up(const stack9::elf_table &table, const stack9::bytes &image,
    std::uint64_t vaddr)
{
	static stack9::symbol_name s;
	const auto *e = table.find(vaddr);
	ElfW(Sym) room[5];
	stack9::symbol_section t;
	const int error = !t.find(image) ? ENOENT :
	    stack9::elf_scan(image, t, room, vaddr + 1, true, s);
	if (e != nullptr && vaddr != e->start && vaddr - e->start >= e->size)
		fail("past its end", vaddr);
	if (error != 0)
		return;
	const std::size_t n = strnlen(s.name, sizeof(s.name));
	if (n == 0 || n == sizeof(s.name))
		fail("a name without an end", vaddr);
	const std::uint64_t offset = s.offset - 1;
	if (offset != 0 && offset >= s.size)
		fail("past its end, scanned", vaddr);
	// libelf refuses more than the scan does (a string table without a
	// final NUL), never less; what both know must be the same.
	if (e != nullptr && vaddr - e->start == offset && e->size == s.size &&
	    table.name(*e).size() > n)
		fail("another name", vaddr);
}

// A symbol that the loader's tables have lies in the image.
void
look_up_loaded(const stack9::bytes &image, std::uint64_t dynamic)
{
	static stack9::symbol_name s;
	ElfW(Dyn) entries[3];
	std::uint32_t words[5];
	ElfW(Sym) room[5];
	stack9::symbol_section t;
	if (!t.find_loaded(image, image.base + dynamic, image.base,
	    {entries, words}))
		return;
	if (t.offset > image.size || t.size > image.size - t.offset ||
	    t.names > image.size || t.names_size > image.size - t.names)
		fail("a table outside of the image", dynamic);
	for (std::uint64_t vaddr = 0; vaddr < 0x2000; vaddr += 64)
		stack9::elf_scan(image, t, room, vaddr + 1, true, s);
}

void
look_up_loaded(const stack9::bytes &image)
{
	ElfW(Ehdr) eh;
	ElfW(Phdr) ph;
	if (!stack9::read_header(image, eh))
		return;
	for (unsigned int i = 0; i < 16 && i < eh.e_phnum &&
	    image.get(eh.e_phoff + i * sizeof ph, ph); i++)
		if (ph.p_type == PT_DYNAMIC)
			look_up_loaded(image, ph.p_offset);
}

} // namespace

extern "C" int
LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
	// A copy, because libelf needs alignment and may write.
	std::vector<std::uint64_t> words((size + 7) / 8);
	if (size != 0)
		std::memcpy(words.data(), data, size);
	char *at = reinterpret_cast<char *>(words.data());
	const stack9::bytes image{-1, reinterpret_cast<std::uintptr_t>(at),
	    size};
	stack9::find_build_id(image, {false, 0});
	stack9::find_build_id(image, {true, 0});
	look_up_loaded(image);
	elf_version(EV_CURRENT);
	const std::unique_ptr<Elf, decltype(&elf_end)> elf(elf_memory(at, size),
	    elf_end);
	const stack9::elf_table table =
	    elf ? stack9::elf_table(-1, elf.get()) : stack9::elf_table();
	for (std::uint64_t vaddr = 0; vaddr < 0x100; vaddr += 8)
		look_up(table, image, vaddr);
	for (std::uint64_t vaddr = 0x1000; vaddr < 0x2000; vaddr += 32)
		look_up(table, image, vaddr);
	return 0;
}
