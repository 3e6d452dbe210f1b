// Builds ELF files as a test needs them: with sections that claim to be larger
// than they are, and headers in any number.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <elf.h>

// Bytes of numbers and texts, one after the other.
class blob : public std::string {
public:
	using std::string::string;

	template <class T>
	blob &
	number(T value)
	{
		append(reinterpret_cast<const char *>(&value), sizeof value);
		return *this;
	}
	blob &
	text(const std::string &s)
	{
		append(s.c_str(), s.size() + 1);
		return *this;
	}
	blob &
	pad(std::size_t to)
	{
		resize((size() + to - 1) / to * to);
		return *this;
	}
};

struct made_section {
	std::string	name;
	std::uint32_t	type = SHT_PROGBITS;
	std::string	bytes;
	std::uint64_t	address = 0;
	std::uint64_t	size = 0;	// claimed; 0: that of the bytes
	std::uint64_t	flags = 0;
	std::string	link = "";	// another section's name
	std::uint64_t	entry = 0;
};

class elf_builder {
public:
	explicit elf_builder(std::uint16_t machine = EM_X86_64)
	    : machine_(machine) {}
	elf_builder &add(made_section);
	// A segment for the section of that name.
	elf_builder &segment(std::uint32_t type, const std::string &name);
	elf_builder &segment(const Elf64_Phdr &);
	// .symtab and .strtab of one function of 16 bytes at that address.
	elf_builder &function(const std::string &name, std::uint64_t at);

	// Headers that say something else than there is; 0: they do not.
	std::uint64_t	sections = 0, segments = 0, names_size = 0;
	std::uint64_t	file_size = 0;

	void write(const std::string &path) const;

private:
	struct wanted_segment {
		Elf64_Phdr	header;
		std::string	section;
	};

	std::uint16_t			machine_;
	std::vector<made_section>	sections_;
	std::vector<wanted_segment>	segments_;
};

// A section in zlib's compression, in ELF's form.
std::string packed(const std::string &bytes);

// Measures the bytes that read(2) and its like have given since it was made,
// and the most memory at one time.
class cost {
public:
	cost();
	std::uint64_t bytes_read() const;
	std::uint64_t memory() const;	// more than before

private:
	std::uint64_t	read_, memory_;
};

// Watches whether somebody opens the file, other than with O_PATH.
class opening_watch {
public:
	explicit opening_watch(const std::string &path);
	~opening_watch();
	opening_watch(const opening_watch &) = delete;
	bool opened() const;

private:
	int	fd_;
};

// The budgets are that large while it is there.
class budgets_by {
public:
	explicit budgets_by(float factor);
	~budgets_by();
	budgets_by(const budgets_by &) = delete;
};
