// Asks elfutils about a pc, to hold a row against its answer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include <elfutils/libdw.h>
#include "unwind/cfi.h"

class libdw_row {
public:
	libdw_row(Dwarf_CFI *, std::uintptr_t pc);
	libdw_row(const libdw_row &) = delete;
	libdw_row &operator=(const libdw_row &) = delete;
	~libdw_row();

	bool	found() const { return frame_ != nullptr; }
	bool	has_cfa() const { return cfa_ != nullptr; }
	// The row ends here, and the next may begin.
	std::uintptr_t end() const { return end_; }
	// True if the CFA is computed: it may then depend on the pc.
	bool	computes() const;
	// Names the part of the row that differs here; nullptr if none does.
	// A CFA that libdw does not have is not held against the row.
	const char *differs(const stack9::unwind::row &) const;
	std::string text() const;

private:
	bool same_cfa(const stack9::unwind::row &) const;
	bool same_place(int number, const stack9::unwind::place &) const;

	Dwarf_Frame	*frame_ = nullptr;
	Dwarf_Op	*cfa_ = nullptr;
	std::size_t	cfa_count_ = 0;
	std::uintptr_t	end_ = 0;
	int		return_column_ = -1;
	bool		signal_frame_ = false;
};

std::string text_of(const stack9::unwind::row &);
