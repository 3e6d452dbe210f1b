// Finds functions, notes and places in an ELF file by libelf.  It reads only
// the parts that are asked for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "elf_image.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/seam/outside.h"
#include "os/strangers_file.h"

namespace stack9::events {
namespace {

// Tests the bit that hides a symbol from programs that are linked now.
bool
is_old(Elf_Data *versions, int i)
{
	GElf_Versym v;
	return versions != nullptr &&
	    gelf_getversym(versions, i, &v) != nullptr && (v & 0x8000) != 0;
}

} // namespace

int
elf_image::open(unique_fd fd, const std::string &path, std::string &why)
{
	file_.emplace(0, fd.release(), path);
	if (!file_->is_elf()) {
		why = path + " is not a program or library (ELF); the "
		    "functions of a script are its interpreter's";
		return EINVAL;
	}
	return 0;
}

bool
elf_image::segment(std::uint64_t address, unsigned int flags,
    std::uint64_t &off) const
{
	std::size_t n = 0;
	elf_getphdrnum(elf(), &n);
	for (std::size_t i = 0; i < n; i++) {
		GElf_Phdr p;
		if (gelf_getphdr(elf(), static_cast<int>(i), &p) == nullptr)
			break;
		if (p.p_type != PT_LOAD || (p.p_flags & flags) != flags ||
		    address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
			continue;
		off = address - p.p_vaddr + p.p_offset;
		return true;
	}
	return false;
}

bool
elf_image::offset(std::uint64_t address, std::uint64_t &off) const
{
	return segment(address, 0, off);
}

bool
elf_image::code_offset(std::uint64_t address, std::uint64_t &off) const
{
	return segment(address, PF_X, off);
}

Elf_Data *
elf_image::data_of(const char *name) const
{
	GElf_Shdr h;
	Elf_Scn *const s = section(name, h);
	return s == nullptr ? nullptr : elf_getdata(s, nullptr);
}

bool
elf_image::each(unsigned int type, const each_symbol &f) const
{
	for (Elf_Scn *s = nullptr;
	    (s = elf_nextscn(elf(), s)) != nullptr;) {
		GElf_Shdr h;
		if (gelf_getshdr(s, &h) == nullptr || h.sh_type != type ||
		    h.sh_entsize == 0)
			continue;
		Elf_Data *const data = elf_getdata(s, nullptr);
		const std::uint64_t n = data == nullptr ? 0 :
		    data->d_size / h.sh_entsize;
		Elf_Data *const versions = type == SHT_DYNSYM ?
		    data_of(".gnu.version") : nullptr;
		for (std::uint64_t i = 0; i < n; i++) {
			GElf_Sym sym;
			if (gelf_getsym(data, static_cast<int>(i), &sym) ==
			    nullptr)
				break;
			const int kind = GELF_ST_TYPE(sym.st_info);
			if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) ||
			    sym.st_shndx == SHN_UNDEF)
				continue;
			const char *const text = elf_strptr(elf(),
			    h.sh_link, sym.st_name);
			if (text == nullptr || *text == '\0')
				continue;
			const std::string_view name(text);
			if (f({name.substr(0, name.find('@')), sym.st_value,
			    sym.st_size, kind == STT_GNU_IFUNC,
			    GELF_ST_BIND(sym.st_info) == STB_GLOBAL,
			    is_old(versions, static_cast<int>(i))}))
				return true;
		}
	}
	return false;
}

Elf_Scn *
elf_image::section(const char *name, GElf_Shdr &h) const
{
	std::size_t names = 0;
	if (elf_getshdrstrndx(elf(), &names) != 0)
		return nullptr;
	for (Elf_Scn *s = nullptr;
	    (s = elf_nextscn(elf(), s)) != nullptr;) {
		if (gelf_getshdr(s, &h) == nullptr)
			continue;
		const char *const is = elf_strptr(elf(), names, h.sh_name);
		if (is != nullptr && std::strcmp(is, name) == 0)
			return s;
	}
	return nullptr;
}

bool
elf_image::open_debug(elf_image &to) const
{
	const std::vector<unsigned char> &id = file_->build_id();
	if (id.size() < 2)
		return false;
	std::string path = "/usr/lib/debug/.build-id/";
	for (std::size_t i = 0; i < id.size(); i++) {
		char hex[4];
		std::snprintf(hex, sizeof hex, i == 0 ? "%02x/" : "%02x",
		    id[i]);
		path += hex;
	}
	path += ".debug";
	unique_fd fd;
	std::string unused;
	outside *const o = the_outside.load();
	const int error = o != nullptr ? o->open_elf(path.c_str(), fd) :
	    open_regular(path.c_str(), fd);
	return error == 0 && to.open(std::move(fd), path, unused) == 0;
}

} // namespace stack9::events
