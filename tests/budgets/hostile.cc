// Opens hostile files, and asks them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "hostile.h"

#include <fcntl.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>

#include "process/tables.h"
#include "symbols/file_lines.h"
#include "symbols/file_names.h"

made_section
code_section()
{
	return {".text", SHT_PROGBITS, std::string(64, '\x90'), code_at};
}

std::string
name_at(stack9::process::file &f, std::uint64_t vaddr)
{
	stack9::function_name name;
	return stack9::file_names::of(f).find(vaddr, name) ?
	    std::string(name.name) : "";
}

std::string
line_at(stack9::process::file &f, std::uint64_t vaddr)
{
	std::string all;
	const auto levels = stack9::file_lines::of(f).find(vaddr, false);
	for (const auto &l : *levels)
		all += fmt::format("{}{} {}:{}", all.empty() ? "" : ", ",
		    l.function, l.file, l.line);
	return all;
}

std::unique_ptr<stack9::process::file>
opened(const std::string &path)
{
	const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
	BOOST_REQUIRE_MESSAGE(fd >= 0, path);
	auto f = std::make_unique<stack9::process::file>(1, fd, path);
	f->cfi = std::make_unique<stack9::process::tables>();
	return f;
}

hostile::hostile(const elf_builder &e)
    : path((e.write(dir / "hostile"), dir / "hostile")), file(opened(path))
{
}

void
hostile::is_cheap(std::uint64_t memory) const
{
	BOOST_TEST(since.bytes_read() < 8 * MiB);
	BOOST_TEST(since.memory() < memory);
}
