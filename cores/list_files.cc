// Reads the list of the dynamic loader from a core, for cores of kernels and
// programs that write no list of mapped files.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cstring>
#include <iterator>

#include <elf.h>

#include "mappings.h"

namespace stack9::cores {
namespace {

constexpr std::uint64_t page_size = 4096;
constexpr unsigned int most_objects = 4096, most_entries = 1024;
constexpr std::size_t longest_path = 4096;

class lister {
public:
	lister(core_process &p, contents &to) noexcept : core_(p), to_(to) {}

	void run();

private:
	bool word(std::uint64_t at, std::uint64_t &to) noexcept;
	// gdb reads all five words of both structs.  A dump has what was read.
	void
	read_whole(std::uint64_t at) noexcept
	{
		std::uint64_t words[5];
		core_.read_kept(at, words, std::size(words) * size_);
	}
	std::string text(std::uint64_t at);
	std::uint64_t find_list(const image &);
	void add(std::uint64_t base, const std::string &path);
	std::uint64_t base_of(std::uint64_t bias) noexcept;

	core_process	&core_;
	contents	&to_;
	const std::uint64_t size_ = core_.has().about.is_32 != 0 ? 4 : 8;
};

bool
lister::word(std::uint64_t at, std::uint64_t &to) noexcept
{
	to = 0;		// the lower byte comes first
	return core_.read_kept(at, &to, size_);
}

std::string
lister::text(std::uint64_t at)
{
	std::string all;
	for (char c; all.size() < longest_path &&
	    core_.read_kept(at + all.size(), &c, 1) && c != '\0';)
		all += c;
	return all;
}

// DT_DEBUG of the program has the address of struct r_debug, whose second word
// leads to the first struct link_map.
std::uint64_t
lister::find_list(const image &program)
{
	std::uint64_t at = program.dynamic + program.bias, tag, value, list;
	for (unsigned int n = 0; program.dynamic != 0 && n < most_entries; n++,
	    at += 2 * size_) {
		if (!word(at, tag) || tag == DT_NULL ||
		    !word(at + size_, value))
			return 0;
		if (tag == DT_DEBUG) {
			read_whole(value);
			return word(value + size_, list) ? list : 0;
		}
	}
	return 0;
}

// The headers of nearly all files are at their address 0; those of a program
// that is not moved lie in its first segment.
std::uint64_t
lister::base_of(std::uint64_t bias) noexcept
{
	char magic[SELFMAG];
	return bias != 0 && core_.read_kept(bias, magic, sizeof magic) &&
	    std::memcmp(magic, ELFMAG, SELFMAG) == 0 ? bias : 0;
}

void
lister::add(std::uint64_t base, const std::string &path)
{
	const image i = read_image(core_, base);
	if (!i.is_read || path.empty())
		return;
	const auto at = static_cast<std::uint32_t>(to_.texts.size());
	to_.texts += path;
	for (const image::load &l : i.loads) {
		const std::uint64_t start = l.vaddr + i.bias,
		    end = start + l.size + page_size - 1;
		constexpr std::uint64_t whole = ~(page_size - 1);
		to_.files.push_back({start & whole, end & whole,
		    l.offset & whole, at,
		    static_cast<std::uint32_t>(path.size())});
	}
}

void
lister::run()
{
	const facts &f = core_.has().about;
	if (f.headers == 0)
		return;
	const std::uint64_t base = f.headers & ~(page_size - 1);
	const image program = read_image(core_, base);
	if (!program.is_read)
		return;
	const std::string arguments = f.arguments;
	add(base, f.program != 0 ? text(f.program) :
	    arguments.substr(0, arguments.find(' ')));
	std::uint64_t at = find_list(program);
	for (unsigned int n = 0; at != 0 && n < most_objects; n++) {
		std::uint64_t bias, name;
		read_whole(at);
		if (!word(at, bias) || !word(at + size_, name) ||
		    !word(at + 3 * size_, at))
			return;
		const std::uint64_t from = base_of(bias);
		if (from != 0 && from != base && from != f.vdso)
			add(from, text(name));
	}
}

} // namespace

void
list_files(core_process &p, contents &to)
{
	lister(p, to).run();
}

} // namespace stack9::cores
