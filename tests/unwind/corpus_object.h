// Lays out one ELF object in memory as the loader would, with its functions as
// its unwind information lists them, and libdw's handle on it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include <elfutils/libdw.h>
#include <gelf.h>
#include "unwind/cfi.h"

// One FDE.
struct function {
	std::size_t	fde;	// its place in the section
	std::uintptr_t	begin, end;
};

// .eh_frame or .debug_frame.
struct frame_section {
	stack9::unwind::cfi_section	cfi;
	std::vector<function>		functions;
	Dwarf_CFI			*libdw = nullptr;
};

// A file's segments, each where it belongs relative to the others.
class laid_out {
public:
	laid_out() = default;
	laid_out(int fd, Elf *);
	laid_out(const laid_out &) = delete;
	laid_out &operator=(const laid_out &) = delete;
	~laid_out();

	stack9::unwind::cfi_section image() const;

private:
	void	*at_ = nullptr;
	std::size_t	size_ = 0;
	std::uintptr_t	address_ = 0;
};

class object {
public:
	explicit object(const std::string &path);
	// One in this process's memory.
	object(const std::string &name, void *at, std::size_t size);
	object(const object &) = delete;
	object &operator=(const object &) = delete;
	~object();

	const std::string name;
	std::uintptr_t	header = 0;	// of .eh_frame_hdr, or 0
	frame_section	eh_frame, debug_frame;

	stack9::unwind::cfi_section image() const { return laid_.image(); }

private:
	void find_sections();
	void find_header();

	int		fd_ = -1;
	Elf		*elf_ = nullptr;
	laid_out	laid_;
	Dwarf		*dwarf_ = nullptr;
};

// The functions of a section, in its order; header is .eh_frame_hdr's address,
// to which pointers may be relative.
std::vector<function> functions_of(Elf *, Elf_Data *,
    const stack9::unwind::cfi_section &, std::uintptr_t header);
