// Prints the frames of a user stack below each other, in columns for name,
// module and source line.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "printer.h"

namespace stackprint {

inline constexpr std::string_view margin = "          ";

class columns {
public:
	explicit columns(const view &v) : how_(v) {}

	// first: the text before the first frame, in place of the margin.
	void	put(fmt::memory_buffer &, const stack &,
		    std::string_view first);

	// Prints the modules of the last stack that were not printed yet.
	void	put_modules(fmt::memory_buffer &);

private:
	struct row {
		std::uint64_t		pc;	// 0: an inlined call, or no
						// address
		std::string_view	name, after, file, site;
	};

	bool	is_as_last(const stack &) const;
	void	keep_as_last(const stack &, std::string_view text);
	void	make(fmt::memory_buffer &, const stack &,
		    std::string_view first);
	void	add(const place &);
	std::size_t	name_width(const row &) const;
	void	put_row(fmt::memory_buffer &, const row &) const;

	const view		&how_;
	std::vector<row>	 rows_;
	std::vector<const module *>		modules_;
	std::unordered_set<const module *>	printed_;
	std::size_t		 name_width_ = 0, file_width_ = 0;

	// The threads of a pool have the same stack, one after the other.
	const void		*last_process_ = nullptr;
	std::uint32_t		 last_flags_ = 0;
	std::size_t		 last_written_ = 0;
	std::uint64_t		 last_hash_ = 0;
	std::vector<const place *> places_;	// of the stack
	std::vector<std::uint64_t> last_pcs_;
	std::string		 last_text_;
};

} // namespace stackprint
