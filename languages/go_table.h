// Reads .gopclntab, as Go 1.2, 1.16, 1.18 and 1.20 laid it out: functions by
// their address, and for each of them some tables of values by pc.
//
// Most of it is read only on demand: in a large program it has 60 MB.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "budgets/kept.h"
#include "process/file.h"
#include "process/file_part.h"

namespace stack9::languages {

using process::attachment;
using process::file;
using process::file_part;

// The places in an ELF file that are needed to read the table.
struct go_image {
	struct part {
		std::uint64_t	vaddr;
		file_part	bytes;
	};

	std::vector<part> tables;	// the parts that may be the table
	std::vector<part> segments;	// the loaded parts
	// The beginning of Go's code, one for each of tables; for tables that
	// leave it to the loader.
	std::vector<std::uint64_t> texts;
};

// Takes the file's lock.  Throws std::bad_alloc.
go_image go_image_of(file &);

// The offset, in the header of a table, of the address of the code; since Go
// 1.18.
inline constexpr std::uint64_t go_text_at = 8 + 2 * 8;

struct go_function {
	enum : std::uint8_t { top_frame = 1, writes_sp = 2 };

	std::uint64_t	begin = 0, end = 0;	// p_vaddr
	std::uint32_t	name = 0, sp = 0, file = 0, line = 0;	// offsets
	std::uint32_t	unit = 0;	// of files; unused before 1.16
	std::uint8_t	flags = 0;	// 0 before 1.17
};

class go_table final : public attachment {
public:
	// Throws std::bad_alloc.
	explicit go_table(const go_image &);

	// Gives the table of a file.  NULL: the file has none.  Throws
	// std::bad_alloc.
	static const go_table *of(file &);
	const go_table *
	or_null() const noexcept
	{
		return begins_.empty() ? nullptr : this;
	}

	bool find(std::uint64_t vaddr, go_function &) const noexcept;
	bool name(const go_function &, std::string &) const;
	bool line(const go_function &, std::uint64_t vaddr, std::string &path,
	    unsigned int &) const;
	// Finds how far sp is below the return address; a damaged table may say
	// a negative number.
	bool frame(const go_function &, std::uint64_t vaddr,
	    std::int32_t &bytes) const noexcept;
	// Does what file_part::some() does, by address.
	std::size_t code(std::uint64_t vaddr, void *to, std::size_t capacity)
	    const noexcept;

private:
	enum class layout : std::uint8_t { none, v1_2, v1_16, v1_18, v1_20 };
	bool read(const file_part &);
	bool count_fits() const noexcept;
	bool read_offsets() noexcept;
	bool read_functions();
	bool read_old_files() noexcept;
	bool value(const go_function &, std::uint32_t table,
	    std::uint64_t vaddr, std::int32_t &) const noexcept;

	layout			layout_ = layout::none;
	std::uint8_t		quantum_ = 1;
	std::uint64_t		text_ = 0;	// base of the offsets
	std::uint64_t		count_ = 0;	// of functions
	file_part		table_, names_, units_, files_, values_,
				functions_;
	std::vector<std::uint64_t> begins_;	// and, last, the end
	std::vector<std::uint32_t> offsets_;	// in functions_
	std::vector<go_image::part> segments_;
	budgets::share		share_;
};

} // namespace stack9::languages
