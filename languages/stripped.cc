// Searches the section .rodata.
//
// Libraries are not searched: those of runtimes have symbols, because programs
// are linked with them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "stripped.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

#include <gelf.h>

#include "process/each_section.h"

namespace stack9::languages {
namespace {

constexpr std::uint64_t most_constants = 4 << 20;
constexpr std::size_t longest_text = 64;

// A program names its loader, or has one place.
bool
is_program(Elf *elf)
{
	GElf_Ehdr e;
	GElf_Phdr p;
	std::size_t n;
	if (gelf_getehdr(elf, &e) == nullptr || elf_getphdrnum(elf, &n) != 0)
		return false;
	bool has_loader = e.e_type == ET_EXEC;
	for (int i = 0; i < static_cast<int>(n) && !has_loader; i++)
		has_loader = gelf_getphdr(elf, i, &p) != nullptr &&
		    p.p_type == PT_INTERP;
	return has_loader;
}

// The C library has a loader too, but a name of its own.
bool
is_library(Elf_Scn *s, const GElf_Shdr &h)
{
	GElf_Dyn d;
	Elf_Data *const data = h.sh_type == SHT_DYNAMIC ?
	    elf_getdata(s, nullptr) : nullptr;
	for (int i = 0; data != nullptr && gelf_getdyn(data, i, &d) != nullptr;
	    i++)
		if (d.d_tag == DT_SONAME)
			return true;
	return false;
}

// False: it is a library, has a symbol table, or no constants.
bool
find_constants(process::file &f, std::uint64_t &at, std::uint64_t &size)
{
	const std::lock_guard locked(f.lock());
	bool is_other = false;
	size = 0;
	if (!f.is_elf() || !f.is_64() || f.fd() < 0 || !is_program(f.elf()))
		return false;
	process::find_named_section(f.fd(), f.elf(), [&](Elf_Scn *s,
	    const GElf_Shdr &h, std::string_view name) {
		is_other |= h.sh_type == SHT_SYMTAB || is_library(s, h);
		if (h.sh_type == SHT_PROGBITS && name == ".rodata") {
			at = h.sh_offset;
			size = h.sh_size;
		}
		return is_other;
	});
	return !is_other && size != 0;
}

} // namespace

std::string
text_of_stripped(process::file &f, std::string_view beginning)
{
	constexpr std::uint64_t part = 256 << 10;
	std::uint64_t at, size;
	if (!find_constants(f, at, size))
		return {};
	size = std::min(size, most_constants);
	const auto bytes = std::make_unique_for_overwrite<char[]>(part +
	    longest_text);
	for (std::uint64_t done = 0; done < size; done += part) {
		const std::uint64_t n = std::min(part + longest_text, size -
		    done);
		if (!f.read(at + done, bytes.get(), n))
			return {};
		const std::string_view all(bytes.get(), n);
		if (const std::size_t found = all.find(beginning);
		    found != all.npos) {
			const std::string_view text = all.substr(found,
			    longest_text);
			return std::string(text.substr(0, text.find('\0')));
		}
	}
	return {};
}

} // namespace stack9::languages
