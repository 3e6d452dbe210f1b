// Reads small sections.  Rejected: the functions of libdw for this, because
// they read a section of any size.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_notes.h"

#include <cstring>
#include <string_view>

#include <gelf.h>

#include "budgets/budgets.h"
#include "process/each_section.h"

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

} // namespace

// A debug file keeps the notes of the file as sections, and the headers of its
// segments mean nothing.
std::vector<unsigned char>
build_id_of(int fd, Elf *elf)
{
	std::vector<unsigned char> id;
	std::uint64_t size = 0;
	process::find_section(elf, [&](Elf_Scn *s, const GElf_Shdr &h) {
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

std::string_view
section_of_name(int fd, Elf *elf, std::string_view wanted,
    std::uint64_t budget)
{
	std::string_view all;
	process::find_named_section(fd, elf, [&](Elf_Scn *s, const GElf_Shdr &,
	    std::string_view name) {
		bool beyond = false;
		if (name != wanted)
			return false;
		const Elf_Data *const data = process::read_section(fd, s,
		    budget, beyond);
		if (data != nullptr && data->d_buf != nullptr)
			all = {static_cast<const char *>(data->d_buf),
			    data->d_size};
		return true;
	});
	return all;
}

debug_link
debug_link_of(int fd, Elf *elf)
{
	debug_link link;
	const std::string_view all = section_of_name(fd, elf, ".gnu_debuglink",
	    budgets::notes);
	const std::size_t length = all.find('\0');
	const std::size_t crc = (length + 4) & ~std::size_t{3};
	if (length == all.npos || crc + sizeof link.crc > all.size())
		return link;
	std::memcpy(&link.crc, all.data() + crc, sizeof link.crc);
	link.name.assign(all.substr(0, length));
	return link;
}

// Its length is a LEB128 number; sums of more than 127 bytes are not known.
bool
find_common_link(int fd, Elf *elf, common_link &to)
{
	constexpr std::size_t head = 3;		// version, is_common
	const std::string_view all = section_of_name(fd, elf, ".debug_sup",
	    budgets::notes);
	const std::size_t end = all.find('\0', head);
	if (all.size() <= head || all[0] != 5 || all[1] != 0 ||
	    end == all.npos || all.size() - end < 2 || all[end + 1] <= 0)
		return false;
	const auto sum = all.substr(end + 2);
	const auto size = static_cast<std::size_t>(all[end + 1]);
	if (size > sum.size())
		return false;
	to.is_common = all[2] != 0;
	to.name.assign(all.substr(head, end - head));
	to.sum.assign(sum.begin(), sum.begin() +
	    static_cast<std::ptrdiff_t>(size));
	return true;
}

} // namespace stack9
