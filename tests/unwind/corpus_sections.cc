// Finds the functions that a section of unwind information describes: libdw
// cuts it into entries, the addresses are read here.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "corpus_object.h"

#include <cstring>
#include <map>

using stack9::unwind::cfi_section;

namespace {

// DW_EH_PE_*: the low four bits are the form, the next three what it is
// relative to.
constexpr unsigned int form_mask = 0x0f, relative_mask = 0x70;
constexpr unsigned int relative_to_itself = 0x10, relative_to_data = 0x30;
constexpr unsigned int indirect = 0x80;

template <class T> std::uint64_t
load(const std::uint8_t *from)
{
	T value;
	std::memcpy(&value, from, sizeof value);
	return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
}

// 0 if there is no such form.
std::size_t
read_form(unsigned int form, const std::uint8_t *from, std::uint64_t &value)
{
	switch (form) {
	case 0x00: case 0x04: case 0x0c:
		value = load<std::uint64_t>(from);
		return 8;
	case 0x03:
		value = load<std::uint32_t>(from);
		return 4;
	case 0x0b:
		value = load<std::int32_t>(from);
		return 4;
	case 0x02:
		value = load<std::uint16_t>(from);
		return 2;
	case 0x0a:
		value = load<std::int16_t>(from);
		return 2;
	default:
		return 0;
	}
}

std::size_t
size_of_form(unsigned int form)
{
	const std::uint8_t zeros[8]{};
	std::uint64_t value;
	return read_form(form, zeros, value);
}

// The encoding of a CIE's code addresses: what its R says.
unsigned int
encoding_of(const Dwarf_CIE &cie)
{
	const char *what = cie.augmentation;
	const std::uint8_t *data = cie.augmentation_data;
	if (*what != 'z')
		return 0;
	for (what++; *what != '\0'; what++) {
		if (*what == 'R')
			return *data;
		if (*what == 'L')
			data++;
		if (*what == 'P')
			data += 1 + size_of_form(*data & form_mask);
	}
	return 0;
}

class addresses {
public:
	addresses(const Elf_Data *data, const cfi_section &section,
	    std::uintptr_t header)
	    : data_(data), section_(section), header_(header) {}

	bool
	read(const Dwarf_FDE &fde, unsigned int encoding, function &f) const
	{
		std::uint64_t begin = 0, size = 0;
		const unsigned int form = encoding & form_mask;
		const std::size_t n = size_of_form(form);
		if (n == 0 || fde.start + 2 * n > fde.end ||
		    (encoding & indirect) != 0)
			return false;
		read_form(form, fde.start, begin);
		// A length has no sign.
		read_form(form & 7, fde.start + n, size);
		f.begin = begin + base(fde.start, encoding & relative_mask);
		f.end = f.begin + size;
		return begin != 0 && size != 0;
	}

private:
	std::uintptr_t
	base(const std::uint8_t *at, unsigned int relative) const
	{
		if (relative == relative_to_itself)
			return section_.address + static_cast<std::uintptr_t>(
			    at - static_cast<std::uint8_t *>(data_->d_buf));
		return relative == relative_to_data ? header_ : 0;
	}

	const Elf_Data		*data_;
	const cfi_section	&section_;
	std::uintptr_t		header_;
};

} // namespace

std::vector<function>
functions_of(Elf *elf, Elf_Data *data, const cfi_section &section,
    std::uintptr_t header)
{
	const addresses where(data, section, header);
	const auto *ident = reinterpret_cast<const unsigned char *>(
	    elf_getident(elf, nullptr));
	std::vector<function> all;
	std::map<Dwarf_Off, unsigned int> encodings;
	Dwarf_Off at = 0, next = 0;
	for (; at < data->d_size; at = next) {
		Dwarf_CFI_Entry entry;
		const int error = dwarf_next_cfi(ident, data,
		    !section.debug_frame, at, &next, &entry);
		if (error > 0 || next <= at)
			break;
		function f{at, 0, 0};
		if (error < 0)
			continue;
		if (dwarf_cfi_cie_p(&entry))
			encodings[at] = section.debug_frame ? 0 :
			    encoding_of(entry.cie);
		else if (where.read(entry.fde,
		    encodings[entry.fde.CIE_pointer], f))
			all.push_back(f);
	}
	return all;
}
