// Reads small sections.  Rejected: the functions of libdw for this, which read
// a section of any size.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_notes.h"

#include <cstring>
#include <string_view>

#include <gelf.h>

#include "budgets/budgets.h"
#include "process/elf_parts.h"

namespace stack9 {
namespace {

bool
find_id(Elf_Data *notes, std::vector<unsigned char> &id)
{
	GElf_Nhdr n;
	std::size_t at = 0, next, name, content;
	for (; (next = gelf_getnote(notes, at, &n, &name, &content)) != 0;
	    at = next) {
		const auto *const bytes =
		    static_cast<const unsigned char *>(notes->d_buf);
		if (n.n_type != NT_GNU_BUILD_ID ||
		    n.n_namesz != sizeof ELF_NOTE_GNU ||
		    std::memcmp(bytes + name, ELF_NOTE_GNU,
		    sizeof ELF_NOTE_GNU) != 0)
			continue;
		id.assign(bytes + content, bytes + content + n.n_descsz);
		return true;
	}
	return false;
}

// Calls f(section, header) until it returns true.
template <class F>
void
each_section(Elf *elf, F f)
{
	GElf_Shdr h;
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;)
		if (gelf_getshdr(s, &h) != nullptr && f(s, h))
			return;
}

} // namespace

// A debug file keeps the notes of the file as sections, and the headers of its
// segments mean nothing.
std::vector<unsigned char>
build_id_of(int fd, Elf *elf)
{
	std::vector<unsigned char> id;
	std::uint64_t size = 0;
	each_section(elf, [&](Elf_Scn *s, const GElf_Shdr &h) {
		bool beyond = false;
		if (h.sh_type != SHT_NOTE || budgets::exceeds(
		    size + h.sh_size, budgets::notes))
			return false;
		size += h.sh_size;
		Elf_Data *const data = process::read_section(fd, s,
		    budgets::notes, beyond);
		return data != nullptr && find_id(data, id);
	});
	return id;
}

debug_link
debug_link_of(int fd, Elf *elf)
{
	debug_link link;
	std::size_t names;
	if (!process::find_names(fd, elf, names))
		return link;
	each_section(elf, [&](Elf_Scn *s, const GElf_Shdr &h) {
		const char *const is = elf_strptr(elf, names, h.sh_name);
		bool beyond = false;
		if (is == nullptr || std::string_view(is) != ".gnu_debuglink")
			return false;
		const Elf_Data *const data = process::read_section(fd, s,
		    budgets::notes, beyond);
		if (data == nullptr || data->d_buf == nullptr)
			return true;
		const auto *const text = static_cast<const char *>(data->d_buf);
		const std::size_t length = strnlen(text, data->d_size);
		const std::size_t crc = (length + 4) & ~std::size_t{3};
		if (length == data->d_size ||
		    crc + sizeof link.crc > data->d_size)
			return true;
		std::memcpy(&link.crc, text + crc, sizeof link.crc);
		link.name.assign(text, length);
		return true;
	});
	return link;
}

} // namespace stack9
