// Declares what the memory of a core says of its files, and how these files are
// found here.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "process/build_id_files.h"
#include "process/file.h"

#include "core_process.h"

namespace stack9::cores {

using process::build_id_bytes;

// An ELF file, as its first page is in memory.
struct image {
	bool		is_read = false;	// its headers were kept
	std::uint64_t	bias = 0;	// addresses minus those of the file
	build_id_bytes	build_id;	// empty: none, or it was not kept
	bool		may_lack_id = true;	// there is no note that was not
						// kept
	std::string	headers;	// its first bytes
	struct load {
		std::uint64_t	vaddr, offset, size;
		std::uint32_t	flags;
	};
	std::vector<load> loads;
	std::uint64_t	dynamic = 0;	// PT_DYNAMIC's p_vaddr; 0: none
};

// Reads the headers of the file whose first byte is mapped at base.  Throws
// std::bad_alloc.
image read_image(core_process &, std::uint64_t base);

// Where files may be, beside where they were.
struct places {
	std::string		 sysroot;	// or ""
	std::vector<std::string> debug_dirs;
	bool			 fetches = false;	// asks servers, too
};

struct found_file {
	std::shared_ptr<process::file>	what;	// NULL: there is none
	bool				is_debug_file = false;
	std::string			note;	// a sentence, or ""
};

// Finds files of a core; none has another build-id than the core's.
class file_finder {
public:
	explicit file_finder(const places &p)
	    : places_(p), by_id_(p.debug_dirs) {}

	// path: as in the core.  Throws std::bad_alloc.
	found_file find(const std::string &path, bool deleted, const image &);

private:
	bool open_there(const std::string &path, unique_fd &,
	    std::string &as) const;
	bool find_where_it_was(const std::string &path, const image &,
	    found_file &) const;
	unique_fd find_by_id(const build_id_bytes &);

	const places		&places_;
	process::build_id_files	by_id_;
};

std::string hex_of(const build_id_bytes &);

} // namespace stack9::cores
