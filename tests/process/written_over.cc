// Writes over a file in its place while this program has it mapped.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "process/space.h"
#include "process/tables.h"
#include "process/written_over.h"

#include "copier.h"

namespace {

using stack9::process::is_another_program;
using stack9::process::is_written_over;

constexpr std::size_t page_size = 4096;

// The same file, and the same name of it.
void
write_over(const std::string &path, const std::string &bytes)
{
	const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
	const auto n = static_cast<ssize_t>(bytes.size());
	BOOST_REQUIRE(write(fd, bytes.data(), bytes.size()) == n);
	close(fd);
}

std::string
bytes_of(const std::string &path)
{
	std::string bytes(1 << 20, '\0');
	const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
	const ssize_t n = read(fd, bytes.data(), bytes.size());
	close(fd);
	BOOST_REQUIRE(n > 0);
	bytes.resize(static_cast<std::size_t>(n));
	return bytes;
}

// A file's first page, mapped as code.
class mapped_code {
public:
	explicit mapped_code(const std::string &path)
	{
		const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
		at_ = mmap(nullptr, page_size, PROT_READ | PROT_EXEC,
		    MAP_PRIVATE, fd, 0);
		close(fd);
		BOOST_REQUIRE(at_ != MAP_FAILED);
	}
	mapped_code(const mapped_code &) = delete;
	~mapped_code() { munmap(at_, page_size); }

	stack9::process::file &
	in(const opened &space) const
	{
		stack9::process::place p;
		BOOST_REQUIRE((*space).find(
		    reinterpret_cast<std::uintptr_t>(at_), p));
		BOOST_REQUIRE(p.backing != nullptr);
		return *p.backing;
	}

private:
	void	*at_;
};

stack9_thread
this_thread()
{
	return {gettid(), getpid(), 0};
}

bool
has_rows(stack9::process::file &f)
{
	stack9::unwind::row row;
	return stack9::process::tables::of(f)->eh_frame_row(f, f.entry(),
	    row) != stack9::unwind::found::malformed &&
	    !stack9::process::tables::of(f)->is_left_out();
}

} // namespace

BOOST_AUTO_TEST_SUITE(written_over)

BOOST_AUTO_TEST_CASE(another_program_is_another_file)
{
	const scratch dir;
	const std::string path = dir.take(program("plugin.so"));
	const mapped_code code(path);
	const opened space(this_thread()), before(this_thread());
	stack9::process::file &first = code.in(space);
	BOOST_TEST(!is_written_over(first));

	write_over(path, bytes_of(program("no_fp")));
	BOOST_TEST(is_written_over(first));
	BOOST_TEST(is_another_program(first));
	BOOST_TEST(!has_rows(first));
	const opened after(this_thread());
	BOOST_TEST(&code.in(after) != &first);
	BOOST_TEST(has_rows(code.in(after)));
	BOOST_TEST((*space).is_same_code(*before));
	BOOST_TEST(!(*space).is_same_code(*after));
	BOOST_TEST(stack9::space_renew(*space) == 0);
	BOOST_TEST(&code.in(space) == &code.in(after));
	BOOST_TEST(&code.in(before) == &first);
}

BOOST_AUTO_TEST_CASE(the_same_program_stays_the_same)
{
	const scratch dir;
	const std::string path = dir.take(program("plugin.so"));
	const mapped_code code(path);
	const opened space(this_thread());
	stack9::process::file &first = code.in(space);
	BOOST_REQUIRE(!first.build_id().empty());
	write_over(path, bytes_of(path));
	BOOST_TEST(!is_written_over(first));
	BOOST_TEST(has_rows(first));
}

// A JIT may write code into a file of its own.
BOOST_AUTO_TEST_CASE(what_is_no_program_is_no_other_one)
{
	const scratch dir;
	const std::string path = dir.take(program("plugin.so"));
	const mapped_code code(path);
	const opened space(this_thread());
	stack9::process::file &first = code.in(space);
	write_over(path, std::string(page_size, '\xcc'));
	BOOST_TEST(!is_another_program(first));
	BOOST_TEST(stack9::space_renew(*space) == 0);
	BOOST_TEST(&code.in(space) == &first);
}

BOOST_AUTO_TEST_SUITE_END()
