// Keeps what could not be read of files, once for each file, until a program
// asks for it.  stack9_file_notes() reports it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>

namespace stack9 {

enum class lacking : std::uint8_t {
	split_files, readable_sections, common_file, written_over, permission,
};

struct lacking_kind {
	lacking		 what;
	const char	*name, *meaning;
};

inline constexpr lacking_kind lacking_kinds[] = {
	{lacking::split_files, "split-files",
	    "its .dwo files are missing, so inlined calls are not known; what "
	    "helps: the .dwo files where they were compiled to, or beside it a "
	    ".dwp file of its name (dwp -e FILE)"},
	{lacking::readable_sections, "readable-sections",
	    "its debug information is compressed in a way that the libelf here "
	    "cannot read, so lines are not known; what helps: elfutils 0.189 "
	    "or later, built with zstd, or objcopy --decompress-debug-sections "
	    "FILE"},
	{lacking::common_file, "common-file",
	    "the file that has a part of its debug information (dwz -m) is "
	    "missing, so some inlined calls have no name; what helps: the rest "
	    "of its package of debug symbols"},
	{lacking::written_over, "written-over",
	    "it was written over while a program had it mapped, so functions "
	    "that it had before have no names; what helps: to replace it by "
	    "rename(2), as mv(1) and install(1) do"},
	{lacking::permission, "permission",
	    "this user may not open it, so its functions have no names; "
	    "what helps: to look as a user who may"},
};

struct file_note {
	lacking		what;
	std::string	path;
};

// There is no lock, so a fork(2) finds all whole.  A note is never freed.
class file_notes {
public:
	static constexpr std::size_t many = 64, longest = 4096;

	// True: it is new.  It may be lost for want of memory, or where there
	// are many already.
	bool
	add(lacking what, std::string_view path) noexcept
	try {
		const file_note *fresh = nullptr;
		path = path.substr(0, longest);
		for (std::atomic<const file_note *> &at : all_) {
			const file_note *is = at.load();
			if (is == nullptr && fresh == nullptr)
				fresh = new file_note{what, std::string(path)};
			if (is == nullptr && at.compare_exchange_strong(is,
			    fresh))
				return true;
			if (is->what == what && is->path == path)
				break;
		}
		delete fresh;
		return false;
	} catch (const std::bad_alloc &) {
		return false;
	}
	// The note of that number; NULL: there are no more.
	const file_note *
	at(std::size_t number) const noexcept
	{
		return number < many ? all_[number].load() : nullptr;
	}

private:
	std::array<std::atomic<const file_note *>, many> all_{};
};

inline constinit file_notes the_file_notes;

} // namespace stack9
