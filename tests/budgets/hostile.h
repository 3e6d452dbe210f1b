// Opens hostile files as the files of a process are opened.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/file.h"

#include "elf_builder.h"
#include "program.h"

using stack9::budgets::left_out;

inline constexpr std::uint64_t KiB = stack9::budgets::KiB,
    MiB = stack9::budgets::MiB, GiB = stack9::budgets::GiB;

// The address of the code of these files, and its section.
inline constexpr std::uint64_t code_at = 0x1000;
made_section code_section();

// The name of the function at an address, or "".
std::string name_at(stack9::process::file &, std::uint64_t vaddr);
// "function file:line", innermost first, or "".
std::string line_at(stack9::process::file &, std::uint64_t vaddr);

std::unique_ptr<stack9::process::file> opened(const std::string &path);

// A file in a directory of its own, and what it has cost since it was opened.
struct hostile {
	lib::scratch		dir;
	std::string		path;
	cost			since;
	std::unique_ptr<stack9::process::file> file;

	explicit hostile(const elf_builder &);
	std::string name(std::uint64_t at) { return name_at(*file, at); }
	std::string line(std::uint64_t at) { return line_at(*file, at); }
	// Checks that it has cost little.
	void is_cheap(std::uint64_t memory = 8 * MiB) const;
};

// Says how often it was counted since.
class counted {
public:
	explicit counted(left_out what)
	    : what_(what), before_(stack9::budgets::how_many(what)) {}
	std::uint64_t
	now() const
	{
		return stack9::budgets::how_many(what_) - before_;
	}

private:
	left_out	what_;
	std::uint64_t	before_;
};
