// Names addresses of files when the processes that had them are gone, and on
// other machines: by the build-id, in the files that this machine has.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <stack9.h>

namespace tools {

struct later_name {
	std::string	linkage, readable;	// "": as linkage
	std::uint64_t	offset = 0;	// from the function's start
};

class later_names {
public:
	// dirs: the folders of debug files; /usr/lib/debug comes last.
	explicit later_names(std::vector<std::string> dirs)
	    : dirs_(std::move(dirs)) {}

	// vaddr: in the ELF image.  False: no file here has the build-id and a
	// name.  Throws std::bad_alloc.
	bool	find(const std::string &build_id, const std::string &path,
		    std::uint64_t vaddr, bool exact, later_name &);

private:
	struct closer {
		void
		operator()(stack9_space *s) const
		{
			stack9_space_close(s);
		}
	};
	using space = std::unique_ptr<stack9_space, closer>;
	struct files {
		std::vector<std::string> paths;	// not opened yet
		std::vector<space>	 open;	// with the build-id
	};

	files	&files_of(const std::string &build_id,
		    const std::string &path);
	static bool	ask(stack9_space *, const std::string &build_id,
			    std::uint64_t vaddr, bool exact, bool &is_it,
			    later_name &);

	const std::vector<std::string>	dirs_;
	bool	begun_ = false, can_read_ = false;
	std::unordered_map<std::string, files> by_id_;
};

} // namespace tools
