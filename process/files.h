// Finds the files that processes are mapped from; each is opened once in this
// process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>

#include "unwind/table.h"

#include "mapping.h"

namespace stack9::process {

// The unwind rules of all files, kept for all processes at once.  A rule's key
// is the number of its file and an address in that file.
extern constinit unwind::rule_table file_rules;

// Forgets every rule: numbers of files that were given back are in use again.
void forget_rules() noexcept;

// A thread of the process to which a mapping belongs.
struct owner {
	int	task;		// its /proc/TID
	pid_t	tid;
};

// Finds the file of a mapping, and opens it if it is not open already.  NULL:
// it cannot be opened (refused is set), or not now.  Thread-safe.
std::shared_ptr<file> file_behind(const owner &, const mapping &,
    bool &refused) noexcept;

// Does the same for the one mapping of [vdso].
std::shared_ptr<file> vdso_behind(const owner &, const mapping &) noexcept;

// Makes a file of what another process has opened or copied.  Throws
// std::bad_alloc.
std::shared_ptr<file> file_of(unique_fd, const std::string &path,
    const file_state &opened = {});
std::shared_ptr<file> file_of(std::vector<std::byte> image,
    const std::string &path);

} // namespace stack9::process
