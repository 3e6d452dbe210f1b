// Tests variables whose names take a large table of symbols, again and again.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/seam/space.h"
#include "core/seam/symbols.h"
#include "os/unique_fd.h"
#include "process/space.h"

#include "hostile.h"

using boost::unit_test::description;

namespace {

constexpr std::uint64_t page = 4096, data_at = 0x4000;

// Variables of 2 bytes in a page of data.
elf_builder
with_variables(std::uint64_t many)
{
	Elf64_Sym s{};
	std::string all(reinterpret_cast<const char *>(&s), sizeof s);
	s.st_name = 1;
	s.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
	s.st_shndx = 1;
	s.st_size = 2;
	for (std::uint64_t n = 0; n < many; n++) {
		s.st_value = data_at + n * s.st_size;
		all.append(reinterpret_cast<const char *>(&s), sizeof s);
	}
	elf_builder e;
	Elf64_Phdr p{};
	p.p_type = PT_LOAD;
	p.p_flags = PF_R | PF_W;
	p.p_vaddr = data_at;
	p.p_filesz = p.p_memsz = page;
	e.segment(p);
	e.add({".symtab", SHT_SYMTAB, all, 0, 0, 0, ".strtab", sizeof s});
	return e.add({".strtab", SHT_STRTAB, std::string("\0lock\0", 6)});
}

// The file's first page, mapped by this process as data, and as code: a file
// without code is not opened.
class mapped {
public:
	explicit mapped(const elf_builder &e)
	{
		e.write(dir_ / "data");
		const stack9::unique_fd fd(open((dir_ / "data").c_str(),
		    O_RDONLY | O_CLOEXEC));
		at_ = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE,
		    fd.get(), 0);
		code_ = mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE,
		    fd.get(), 0);
		BOOST_REQUIRE(at_ != MAP_FAILED);
		BOOST_REQUIRE(code_ != MAP_FAILED);
		const stack9_thread self{getpid(), getpid(), 0};
		stack9_space *opened = nullptr;
		BOOST_REQUIRE(stack9::space_open(self, opened) == 0);
		space_.reset(opened);
	}
	mapped(const mapped &) = delete;
	~mapped()
	{
		munmap(at_, page);
		munmap(code_, page);
	}

	std::string
	name(std::uint64_t distance)
	{
		std::string text, file;
		std::uintptr_t offset = 0, size = 0;
		stack9::space_variable(*space_,
		    reinterpret_cast<std::uintptr_t>(at_) + distance, text,
		    file, offset, size);
		return text;
	}

private:
	lib::scratch		dir_;
	void			*at_, *code_;
	stack9::unique_space	space_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(variables, *boost::unit_test::timeout(120))

BOOST_AUTO_TEST_CASE(symbols_are_read_for_some_variables_a_minute,
    *description("To name locks, 2 GiB of symbols are read in a minute."))
{
	constexpr std::uint64_t many = 2000;	// symbols of 24 bytes
	mapped data(with_variables(many));
	BOOST_TEST(data.name(0) == "lock");
	const counted left(left_out::variables);
	std::uint64_t named = 0;
	{
		// 64 KiB for a file's symbols, 512 KiB for a minute.
		const budgets_by little(1.0f / 4096);
		for (std::uint64_t n = 0; n < many; n++)
			named += data.name(n * 2) == "lock";
	}
	BOOST_TEST(named > 0u);
	BOOST_TEST(named < 12u);
	BOOST_TEST(left.now() == many - named);
	BOOST_TEST(data.name(0) == "lock");
}

BOOST_AUTO_TEST_SUITE_END()
