// Takes the .dwo file of a unit out of a .dwp file.
//
// libdw 0.188 knows no packages, and later ones open a package by its name, as
// they please.  So the parts of one unit are copied into a file in memory,
// which is a .dwo file for libdw.  All units share the strings, and only those
// are copied that the unit refers to.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "package_file.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <gelf.h>
#include <sys/stat.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/each_section.h"

#include "elf_writer.h"
#include "open_named.h"

namespace stack9 {
namespace {

using budgets::left_out;

// The sections by their numbers in an index of version 2, as GNU's tools made
// it for DWARF 4, and of version 5.  0: it has none.
constexpr struct {
	std::string_view	name;
	std::uint32_t		two, five;
} kinds[] = {
	{".debug_info.dwo", 1, 1},
	{".debug_abbrev.dwo", 3, 3},
	{".debug_line.dwo", 4, 4},
	{".debug_loc.dwo", 5, 0},
	{".debug_loclists.dwo", 0, 5},
	{".debug_rnglists.dwo", 0, 8},
	{".debug_str_offsets.dwo", 6, 6},
};
constexpr std::size_t string_offsets = std::size(kinds) - 1;
constexpr std::string_view strings_name = ".debug_str.dwo";

constexpr std::uint64_t header_size = 16, id_size = 8, entry_size = 4;

// Reads texts one after the other, many of which are near each other.
class text_reader {
public:
	explicit text_reader(const bytes &from) noexcept : from_(from) {}

	// Adds a text and its NUL.  False: it has no end, or is too long.
	bool
	add(std::uint64_t at, std::string &to)
	{
		for (;; at = at_ + have_) {
			if (at - at_ >= have_ && !fill(at))
				return false;
			const char *const text = room_ + (at - at_);
			const std::size_t left = at_ + have_ - at;
			const std::size_t n = strnlen(text, left);
			to.append(text, n);
			if (budgets::exceeds(to.size(), budgets::split_file))
				return false;
			if (n < left)
				break;
		}
		to += '\0';
		return true;
	}

private:
	bool
	fill(std::uint64_t at) noexcept
	{
		at_ = at;
		have_ = from_.read(at, room_, sizeof room_);
		return have_ != 0;
	}

	const bytes	&from_;
	std::uint64_t	at_ = 0;
	std::size_t	have_ = 0;
	char		room_[4096];
};

// The bytes of a section.  Only a compressed one is kept in memory.
bytes
bytes_of(const opened_elf &f, Elf_Scn *s, const GElf_Shdr &h,
    budgets::share &share)
{
	if ((h.sh_flags & SHF_COMPRESSED) == 0)
		return {f.fd.get(), static_cast<std::uintptr_t>(h.sh_offset),
		    h.sh_size};
	bool beyond = false;
	const Elf_Data *const d = process::read_section(f.fd.get(), s,
	    budgets::debug_info, beyond);
	if (beyond || (d != nullptr && !share.take(d->d_size))) {
		leave_out(left_out::debug_sections);
		return {-1, 0, 0};
	}
	return d == nullptr || d->d_buf == nullptr ? bytes{-1, 0, 0} :
	    bytes{-1, reinterpret_cast<std::uintptr_t>(d->d_buf), d->d_size};
}

} // namespace

bool
is_here(const std::string &path, int fd) noexcept
{
	struct stat there, here;
	unique_fd its;
	return fstat(fd, &there) == 0 &&
	    open_named(path.c_str(), its, &here) == 0 &&
	    here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

void
package_file::look_beside(std::string path, int fd, const char *ending)
{
	if (path.empty() || fd < 0)
		return;
	const std::string its = path + ending;
	places_.push_back({std::move(path), fd, its});
}

bool
package_file::use(opened_elf f, budgets::share &share)
{
	if (!f)
		return false;
	// A file that was tried before may have left its own.
	index_ = strings_ = {-1, 0, 0};
	sections_ = {};
	process::find_named_section(f.fd.get(), f.elf.get(), [&](Elf_Scn *s,
	    const GElf_Shdr &h, std::string_view name) {
		if (h.sh_type == SHT_NOBITS)
			return false;
		if (name == ".debug_cu_index")
			index_ = bytes_of(f, s, h, share);
		if (name == strings_name)
			strings_ = bytes_of(f, s, h, share);
		for (std::size_t i = 0; i < parts; i++)
			if (name == kinds[i].name)
				sections_[i] = bytes_of(f, s, h, share);
		return false;
	});
	struct {
		std::uint32_t	version, columns, units, slots;
	} head;
	if (!index_.get(0, head) || (head.version != 2 && head.version != 5))
		return false;
	version_ = head.version;
	columns_ = std::min(head.columns, 64u);
	units_ = head.units;
	slots_ = head.slots;
	file_ = std::move(f);
	return columns_ == head.columns && (slots_ & (slots_ - 1)) == 0;
}

void
package_file::open(budgets::share &share)
{
	for (const place &p : places_) {
		opened_elf f{p.path, {}, {}};
		if (!is_here(p.beside, p.fd))
			continue;
		const int error = open_named(p.path.c_str(), f.fd);
		if (error == EINVAL)
			leave_out(left_out::debug_files);
		if (error != 0)
			continue;
		f.elf = open_elf(f.fd.get());
		if (use(std::move(f), share))
			return;
		file_ = {};
	}
}

// The index is a hash table with open addressing, as DWARF 5 has it (7.3.5.3).
bool
package_file::find_row(std::uint64_t id, std::uint32_t &number) const
{
	constexpr std::uint32_t longest = 1 << 16;
	const std::uint64_t mask = slots_ - 1, step = (id >> 32 & mask) | 1;
	std::uint64_t slot = id & mask, its;
	for (std::uint32_t n = 0; n < std::min(slots_, longest); n++) {
		if (!index_.get(header_size + slot * id_size, its) ||
		    !index_.get(header_size + slots_ * id_size +
		    slot * entry_size, number) || (its == 0 && number == 0))
			return false;
		if (its == id && number != 0)
			return number <= units_;
		slot = (slot + step) & mask;
	}
	return false;
}

bool
package_file::find_parts(std::uint32_t number, row &to) const
{
	const std::uint64_t heads = header_size +
	    std::uint64_t{slots_} * (id_size + entry_size);
	const std::uint64_t line = std::uint64_t{columns_} * entry_size;
	const std::uint64_t offsets = heads + line * number;
	for (std::uint32_t i = 0; i < columns_; i++) {
		std::uint32_t kind, offset, size;
		if (!index_.get(heads + i * entry_size, kind) ||
		    !index_.get(offsets + i * entry_size, offset) ||
		    !index_.get(offsets + line * units_ + i * entry_size, size))
			return false;
		for (std::size_t k = 0; k < parts; k++)
			if (kind != 0 && kind == (version_ == 2 ?
			    kinds[k].two : kinds[k].five))
				to[k] = {offset, size};
	}
	return to[0].size != 0;
}

bool
package_file::copy(std::size_t which, const part &p, std::vector<char> &to)
    const
{
	const bytes &from = sections_[which];
	if (p.offset > from.size || p.size > from.size - p.offset ||
	    !process::may_read(from.fd, from.base + p.offset, p.size,
	    budgets::split_file))
		return false;
	to.resize(p.size);
	return from.read(p.offset, to.data(), p.size) == p.size;
}

// Replaces each offset by that in the new section.  64-bit DWARF is left alone:
// nobody needs it for one unit.
bool
package_file::copy_strings(std::vector<char> &offsets, std::string &to) const
{
	std::uint32_t length = 0;
	if (version_ == 5 && offsets.size() >= entry_size)
		std::memcpy(&length, offsets.data(), entry_size);
	if (length == UINT32_MAX)
		return false;
	const auto reader = std::make_unique<text_reader>(strings_);
	for (std::size_t at = version_ == 5 ? 2 * entry_size : 0;
	    at + entry_size <= offsets.size(); at += entry_size) {
		std::uint32_t was;
		std::memcpy(&was, offsets.data() + at, entry_size);
		const auto is = static_cast<std::uint32_t>(to.size());
		std::memcpy(offsets.data() + at, &is, entry_size);
		if (!reader->add(was, to))
			return false;
	}
	return true;
}

unique_fd
package_file::unit(std::uint64_t id, budgets::share &share)
{
	std::uint32_t number;
	row has;
	if (!std::exchange(sought_, true))
		open(share);
	if (!file_ || !find_row(id, number) || !find_parts(number, has))
		return unique_fd();
	elf_writer out;
	std::vector<char> content;
	std::string strings;
	std::uint64_t all = 0;
	for (std::size_t i = 0; i < parts; i++) {
		if (has[i].size == 0)
			continue;
		all += has[i].size;
		if (budgets::exceeds(all, budgets::split_file) ||
		    !copy(i, has[i], content) || (i == string_offsets &&
		    !copy_strings(content, strings))) {
			leave_out(left_out::debug_sections);
			return unique_fd();
		}
		out.add(kinds[i].name, {content.data(), content.size()});
	}
	if (!strings.empty())
		out.add(strings_name, strings);
	return out.write_out();
}

} // namespace stack9
