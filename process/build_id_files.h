// Finds files by their build-ids in directories, with no process that has them
// mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "file.h"

namespace stack9::process {

using build_id_bytes = std::vector<unsigned char>;

class build_id_files {
public:
	// So many files of directories are looked at.
	static constexpr std::size_t most_files = 4096;

	// Directories as for gdb (DIR/.build-id/xx/yyy.debug), as the client of
	// debuginfod keeps them (DIR/ID/debuginfo), or of plain files, and
	// files.
	explicit build_id_files(std::vector<std::string> paths)
	    : paths_(std::move(paths)) {}

	// NULL: no file there has this build-id.  Throws std::bad_alloc.
	std::shared_ptr<file> find(const build_id_bytes &);
	// Finds the program or library itself, where its place says that it is
	// not a debug file.
	std::shared_ptr<file> find_program(const build_id_bytes &);

private:
	void index();
	void add(const std::string &path);
	void add_directory(const std::string &path);

	const std::vector<std::string>		paths_;
	bool					indexed_ = false;
	std::size_t				looked_at_ = 0;
	std::map<build_id_bytes, std::string>	by_id_;	// of plain files
};

} // namespace stack9::process
