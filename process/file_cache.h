// Declares the list of the files that are open, by what fstat(2) says of them.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <sys/stat.h>

#include "file.h"

namespace stack9::process {

using identity = std::pair<dev_t, ino_t>;

class file_cache {
public:
	std::shared_ptr<file> find(const identity &);
	void add(const identity &, std::shared_ptr<file>);
	std::shared_ptr<file> find(const std::vector<std::byte> &image) const;
	void add(std::vector<std::byte> image, std::shared_ptr<file>);
	// Closes files that no space uses, oldest first, until at most many are
	// left.  Returns true if it closed any.
	bool drop_unused(std::size_t many) noexcept;
	template <class F>
	void
	each(F f) const
	{
		for (const auto &[who, e] : entries_)
			f(*e.what);
		for (const auto &[bytes, what] : images_)
			f(*what);
	}

private:
	// The most files that are kept open without need: a process has 1024
	// descriptors, and most of them are not ours.
	static constexpr std::size_t many = 256;
	// A machine has one or two kinds of vdso, so this is plenty.
	static constexpr std::size_t many_images = 64;

	struct entry {
		std::shared_ptr<file>	what;
		std::uint64_t		used;	// the turn of its last use
	};

	std::map<identity, entry>	entries_;
	std::map<std::vector<std::byte>, std::shared_ptr<file>> images_;
	std::uint64_t			turn_ = 0;
};

} // namespace stack9::process
