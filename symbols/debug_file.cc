// Searches the folders of debug files and checks that a debug file is the right
// one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "debug_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <string_view>
#include <vector>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "core/seam/fetch_file.h"
#include "core/seam/outside.h"

#include "elf_notes.h"
#include "open_named.h"

namespace stack9 {

namespace {

opened_elf
open_image(const std::string &path)
{
	opened_elf f{path, {}, {}};
	const int error = open_named(path.c_str(), f.fd);
	if (error == EINVAL)
		leave_out(budgets::left_out::debug_files);
	if (error == 0)
		f.elf = open_elf(f.fd.get());
	if (f.elf && elf_kind(f.elf.get()) != ELF_K_ELF)
		f.elf.reset();
	return f;
}

std::vector<unsigned char>
id_of(const opened_elf &f)
{
	return build_id_of(f.fd.get(), f.elf.get());
}

bool
equal(id_bytes a, id_bytes b) noexcept
{
	return std::ranges::equal(a, b);
}

// Computes the checksum of .gnu_debuglink: zlib's CRC.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
	std::array<std::uint32_t, 256> t{};
	for (std::uint32_t i = 0; i < t.size(); i++) {
		t[i] = i;
		for (int bit = 0; bit < 8; bit++)
			t[i] = t[i] >> 1 ^ ((t[i] & 1) != 0 ? 0xedb88320 : 0);
	}
	return t;
}();

bool
checksum(int fd, std::uint32_t &crc)
{
	std::vector<unsigned char> part(1 << 16);
	const bytes b{fd};
	struct stat st;
	if (fstat(fd, &st) != 0 || !process::may_read(fd, 0,
	    static_cast<std::uint64_t>(st.st_size), budgets::checksummed)) {
		leave_out(budgets::left_out::debug_files);
		return false;
	}
	crc = ~0u;
	std::uint64_t at = 0;
	const auto size = static_cast<std::uint64_t>(st.st_size);
	for (std::size_t n; at < size &&
	    (n = b.read(at, part.data(), part.size())) != 0; at += n)
		for (std::size_t i = 0; i < n; i++)
			crc = crc >> 8 ^ crc_table[(crc ^ part[i]) & 0xff];
	crc = ~crc;
	return at != 0;
}

std::string
hex_path(id_bytes id)
{
	static constexpr char digits[] = "0123456789abcdef";
	std::string path = std::string(debug_root) + "/.build-id/";
	for (std::size_t i = 0; i < id.size(); i++) {
		if (i == 1)
			path += '/';
		path += digits[id[i] >> 4];
		path += digits[id[i] & 15];
	}
	return path + ".debug";
}

opened_elf
open_by_id(id_bytes id)
{
	if (id.size() < 2)
		return {};
	opened_elf f = open_image(hex_path(id));
	if (f && !equal(id_of(f), id))
		f.elf.reset();
	return f;
}

// Compares build IDs if the file has one.  The checksum would read the whole of
// a file that may have a gigabyte.
bool
is_meant(const opened_elf &f, const debug_link &l, id_bytes id)
{
	const auto its = id_of(f);
	if (!id.empty() && !its.empty())
		return equal(id, its);
	std::uint32_t crc;
	return checksum(f.fd.get(), crc) && crc == l.crc;
}

// The link may name the file itself; that one is not a debug file.
bool
has_more(const opened_elf &f) noexcept
{
	Elf *const elf = f.elf.get();
	std::size_t names = 0;
	const bool named = process::find_names(f.fd.get(), elf, names);
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		GElf_Shdr sh;
		if (gelf_getshdr(s, &sh) != nullptr &&
		    sh.sh_type == SHT_SYMTAB)
			return true;
		const char *name;
		if (named &&
		    (name = elf_strptr(elf, names, sh.sh_name)) != nullptr &&
		    std::string_view(name).starts_with(".debug_info"))
			return true;
	}
	return false;
}

opened_elf
open_by_link(const debug_link &l, id_bytes id, const std::string &path)
{
	const std::string dir = path.substr(0, path.rfind('/') + 1);
	if (dir.empty() || l.name.empty() || l.name.find('/') != l.name.npos)
		return {};
	for (const std::string &at : {dir + l.name, dir + ".debug/" + l.name,
	    debug_root + dir + l.name}) {
		opened_elf f = open_image(at);
		if (f && has_more(f) && is_meant(f, l, id))
			return f;
	}
	return {};
}

// A file of common parts has no build id, but a sum of what is in it.
bool
is_common_file(const opened_elf &f, id_bytes sum)
{
	common_link its;
	return find_common_link(f.fd.get(), f.elf.get(), its) &&
	    its.is_common && equal(its.sum, sum);
}

} // namespace

opened_elf
open_debug_file(int fd, Elf *elf, id_bytes id, const std::string &path)
{
	opened_elf f = open_by_id(id);
	return f || elf == nullptr ? std::move(f) :
	    open_by_link(debug_link_of(fd, elf), id, path);
}

opened_elf
open_alternate(Dwarf *debug, Elf *elf, const std::string &path, bool &wanted)
{
	const char *name;
	const void *id;
	const ssize_t n = dwelf_dwarf_gnu_debugaltlink(debug, &name, &id);
	common_link its;
	const bool gnu = n > 0;
	wanted = gnu || (find_common_link(-1, elf, its) && !its.is_common);
	if (!wanted)
		return {};
	const id_bytes wanted_id = gnu ? id_bytes(
	    static_cast<const unsigned char *>(id),
	    static_cast<std::size_t>(n)) : id_bytes(its.sum);
	opened_elf f = open_by_id(wanted_id);
	if (f)
		return f;
	const std::string as = gnu ? name : its.name;
	f = open_image(as.starts_with('/') ? as :
	    path.substr(0, path.rfind('/') + 1) + as);
	if (f && !(gnu ? equal(id_of(f), wanted_id) :
	    is_common_file(f, its.sum)))
		f.elf.reset();
	return f;
}

opened_elf
fetch_debug_file(id_bytes id) noexcept
{
	outside *const o = the_outside.load();
	opened_elf f{};
	f.fd = o != nullptr ? o->fetch(id) : fetch_by_id(id,
	    file_kind::debug);
	if (f.fd)
		f.elf = open_elf(f.fd.get());
	return f;
}

} // namespace stack9
