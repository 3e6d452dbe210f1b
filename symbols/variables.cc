// Names variables of other processes by the symbol tables of their files.  A
// table is read from one end to the other for each name, because only few are
// asked for.  So a minute has a budget for all tables.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <unistd.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "budgets/minute.h"
#include "core/seam/reader.h"
#include "core/seam/symbols.h"
#include "os/clocks.h"
#include "process/elf_parts.h"
#include "process/space.h"

#include "symbol_section.h"

namespace stack9 {
namespace {

// An address: so far after the address that a mapping has for this offset of
// the file.
struct spot_in_file {
	std::uint64_t	offset, distance;
};

constinit budgets::minute tables_of_minute(budgets::variables_a_minute);

bool
may_read(int fd, const symbol_section &table)
{
	if (!process::may_read(fd, table.offset, table.size, budgets::symbols))
		return false;
	if (tables_of_minute.take(monotonic_ns(), table.size))
		return true;
	budgets::leave_out(budgets::left_out::variables);
	return false;
}

// Pages of a file may be mapped twice, but only once to be written.
bool
vaddr_of(const bytes &file, const spot_in_file &at, std::uint64_t &vaddr)
{
	ElfW(Ehdr) head;
	const auto unit = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
	if (!read_header(file, head) ||
	    head.e_phentsize != sizeof(ElfW(Phdr)) ||
	    budgets::exceeds(head.e_phnum, budgets::segments))
		return false;
	for (unsigned int i = 0; i < head.e_phnum; i++) {
		ElfW(Phdr) p;
		if (!file.get(head.e_phoff + i * sizeof p, p))
			return false;
		const std::uint64_t from = p.p_offset & ~(unit - 1);
		const std::uint64_t to = (p.p_offset + p.p_filesz + unit - 1) &
		    ~(unit - 1);
		if (p.p_type != PT_LOAD || (p.p_flags & PF_W) == 0 ||
		    at.offset < from || at.offset >= to)
			continue;
		vaddr = p.p_vaddr - p.p_offset + at.offset + at.distance;
		return vaddr - p.p_vaddr < p.p_memsz;
	}
	return false;
}

// The answer, less its name.
struct found_variable {
	std::uint64_t	offset, size;
};

bool
find_variable(int fd, const spot_in_file &at, std::string &name,
    found_variable &found)
{
	constexpr std::size_t many = 1024;	// 24 KiB
	const bytes file{fd};
	symbol_section table;
	std::uint64_t vaddr = 0;
	if (!vaddr_of(file, at, vaddr) || !table.find(file) ||
	    !may_read(fd, table))
		return false;
	const auto room = std::make_unique_for_overwrite<ElfW(Sym)[]>(many);
	ElfW(Sym) best{};
	table.each(file, {room.get(), many}, [&](const ElfW(Sym) &s) {
		if (ELF64_ST_TYPE(s.st_info) == STT_OBJECT &&
		    s.st_shndx != SHN_UNDEF && s.st_name != 0 &&
		    vaddr - s.st_value < s.st_size &&
		    (best.st_size == 0 || s.st_size < best.st_size))
			best = s;
	});
	if (best.st_size == 0 || best.st_name >= table.names_size)
		return false;
	char text[1024];
	const std::size_t n = file.read(table.names + best.st_name, text,
	    std::min<std::uint64_t>(sizeof text, table.names_size -
	    best.st_name));
	name.assign(text, name_length(text, n));
	found = {vaddr - best.st_value, best.st_size};
	return !name.empty();
}

// Runs in the process without rights.
void
answer_question(unique_fd file, std::string_view question, std::string &answer)
{
	spot_in_file at;
	std::string name;
	found_variable found{};
	if (question.size() != sizeof at)
		return;
	std::memcpy(&at, question.data(), sizeof at);
	if (!find_variable(file.get(), at, name, found))
		return;
	answer.assign(reinterpret_cast<const char *>(&found), sizeof found);
	answer += name;
}

// Variables without bytes in the file are mapped right after those with bytes.
bool
find_spot(stack9_space &space, std::uintptr_t address, process::place &at,
    spot_in_file &spot)
{
	if (at.backing != nullptr) {
		spot = {address - at.where->start + at.where->offset, 0};
		return true;
	}
	process::place before;
	if (at.where->inode != 0 || !at.where->path.empty() ||
	    !space.find(at.where->start - 1, before) ||
	    before.backing == nullptr)
		return false;
	at.backing = before.backing;
	at.where = before.where;
	const std::uint64_t last = at.where->end - 1;
	spot = {last - at.where->start + at.where->offset, address - last};
	return true;
}

} // namespace

int
space_variable(stack9_space &space, std::uintptr_t address, std::string &name,
    std::string &file, std::uintptr_t &offset, std::uintptr_t &size)
{
	process::place at;
	spot_in_file spot{};
	found_variable found{};
	if (!space.find(address, at) || !find_spot(space, address, at, spot) ||
	    at.backing->fd() < 0)
		return ENOENT;
	if (reader *const r = the_reader.load()) {
		std::string answer;
		if (!r->run(answer_question, at.backing->fd(), {
		    reinterpret_cast<const char *>(&spot), sizeof spot},
		    answer) || answer.size() <= sizeof found)
			return ENOENT;
		std::memcpy(&found, answer.data(), sizeof found);
		// The reader may have been taken over by the file.
		if (found.offset >= found.size || found.size > ~address)
			return ENOENT;
		name = answer.substr(sizeof found);
	} else if (!find_variable(at.backing->fd(), spot, name, found)) {
		return ENOENT;
	}
	file = at.where->path;
	offset = found.offset;
	size = found.size;
	return 0;
}

} // namespace stack9
