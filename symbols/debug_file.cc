// Searches the folders of debug files and checks that a debug file is the right
// one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "debug_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <sys/stat.h>

namespace stack9 {

const char *debug_root = "/usr/lib/debug";

namespace {

// O_NONBLOCK, because the name may be that of a FIFO.
unique_fd
open_regular(const std::string &path) noexcept
{
	unique_fd fd(open(path.c_str(),
	    O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
	struct stat st;
	if (fd && (fstat(fd.get(), &st) != 0 || !S_ISREG(st.st_mode)))
		return unique_fd();
	return fd;
}

opened_elf
open_image(const std::string &path)
{
	opened_elf f{path, {}, {}};
	f.fd = open_regular(path);
	if (f.fd)
		f.elf = open_elf(f.fd.get());
	if (f.elf && elf_kind(f.elf.get()) != ELF_K_ELF)
		f.elf.reset();
	return f;
}

id_bytes
id_of(Elf *elf) noexcept
{
	const void *id;
	const ssize_t n = dwelf_elf_gnu_build_id(elf, &id);
	return n > 0 ? id_bytes(static_cast<const unsigned char *>(id),
	    static_cast<std::size_t>(n)) : id_bytes();
}

bool
equal(id_bytes a, id_bytes b) noexcept
{
	return std::ranges::equal(a, b);
}

// Computes the checksum of .gnu_debuglink, which is zlib's CRC.
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
	crc = ~0u;
	std::uint64_t at = 0;
	for (std::size_t n; (n = b.read(at, part.data(), part.size())) != 0;
	    at += n)
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
	if (f && !equal(id_of(f.elf.get()), id))
		f.elf.reset();
	return f;
}

struct link {
	std::string	name;
	std::uint32_t	crc;
};

// Compares build IDs if the file has one.  The checksum would read the whole of
// a file that may have a gigabyte.
bool
is_meant(const opened_elf &f, const link &l, id_bytes id)
{
	const id_bytes its = id_of(f.elf.get());
	if (!id.empty() && !its.empty())
		return equal(id, its);
	std::uint32_t crc;
	return checksum(f.fd.get(), crc) && crc == l.crc;
}

// The link may name the file itself; that one is no debug file.
bool
has_more(Elf *elf) noexcept
{
	for (Elf_Scn *s = nullptr; (s = elf_nextscn(elf, s)) != nullptr;) {
		GElf_Shdr sh;
		if (gelf_getshdr(s, &sh) != nullptr &&
		    sh.sh_type == SHT_SYMTAB)
			return true;
		std::size_t names;
		const char *name;
		if (elf_getshdrstrndx(elf, &names) == 0 &&
		    (name = elf_strptr(elf, names, sh.sh_name)) != nullptr &&
		    std::string_view(name).starts_with(".debug_info"))
			return true;
	}
	return false;
}

opened_elf
open_by_link(const link &l, id_bytes id, const std::string &path)
{
	const std::string dir = path.substr(0, path.rfind('/') + 1);
	if (dir.empty() || l.name.empty() || l.name.find('/') != l.name.npos)
		return {};
	for (const std::string &at : {dir + l.name, dir + ".debug/" + l.name,
	    debug_root + dir + l.name}) {
		opened_elf f = open_image(at);
		if (f && has_more(f.elf.get()) && is_meant(f, l, id))
			return f;
	}
	return {};
}

} // namespace

opened_elf
open_debug_file(Elf *elf, id_bytes id, const std::string &path)
{
	opened_elf f = open_by_id(id);
	if (f || elf == nullptr)
		return f;
	GElf_Word crc;
	const char *const name = dwelf_elf_gnu_debuglink(elf, &crc);
	return name != nullptr ? open_by_link({name, crc}, id, path) :
	    opened_elf();
}

opened_elf
open_alternate(Dwarf *debug, const std::string &path)
{
	const char *name;
	const void *id;
	const ssize_t n = dwelf_dwarf_gnu_debugaltlink(debug, &name, &id);
	if (n <= 0)
		return {};
	const id_bytes wanted(static_cast<const unsigned char *>(id),
	    static_cast<std::size_t>(n));
	opened_elf f = open_by_id(wanted);
	if (f)
		return f;
	f = open_image(*name == '/' ? name :
	    path.substr(0, path.rfind('/') + 1) + name);
	if (f && !equal(id_of(f.elf.get()), wanted))
		f.elf.reset();
	return f;
}

} // namespace stack9
