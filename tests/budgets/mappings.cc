// Tests that a list of mappings that is too long is cut.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/unique_fd.h"
#include "process/maps.h"

#include "hostile.h"

using boost::unit_test::description;

namespace {

constexpr std::size_t stripes = 2000, stripe = 4096;

// No two of its pages can share a line of the list.
class striped {
public:
	striped() : at_(static_cast<char *>(mmap(nullptr, stripes * stripe,
	    PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)))
	{
		BOOST_REQUIRE(at_ != MAP_FAILED);
		for (std::size_t i = 0; i < stripes; i += 2)
			BOOST_REQUIRE(mprotect(at_ + i * stripe, stripe,
			    PROT_READ) == 0);
	}
	striped(const striped &) = delete;
	~striped() { munmap(at_, stripes * stripe); }

private:
	char *const at_;
};

// The list of this process.
struct own_list {
	stack9::byte_buffer	text;
	int			error;
	std::size_t		lines = 0;
	std::string		of_directory;	// the path that has one
	bool			whole;		// all of its lines

	own_list()
	{
		const stack9::unique_fd self(open("/proc/self",
		    O_PATH | O_DIRECTORY | O_CLOEXEC));
		error = stack9::process::read_maps(self.get(), text);
		std::string_view left(
		    reinterpret_cast<const char *>(text.data()), text.size());
		stack9::process::maps_line l;
		for (; stack9::process::next_line(left, l); lines++) {
			bool deleted;
			if (l.path.find("/dddd") != l.path.npos)
				of_directory = stack9::process::path_of(l,
				    deleted);
		}
		whole = left.empty();
	}
};

std::size_t
lines_of_own()
{
	const own_list own;
	BOOST_REQUIRE(own.error == 0);
	BOOST_TEST(own.whole);
	return own.lines;
}

} // namespace

BOOST_AUTO_TEST_SUITE(mappings)

BOOST_AUTO_TEST_CASE(a_list_is_cut_behind_a_whole_line, *description(
    "A process's list of mappings may have 16 MiB."))
{
	const striped held;
	const counted left(left_out::mappings);
	BOOST_TEST(lines_of_own() > stripes);
	BOOST_TEST(left.now() == 0u);
	const budgets_by little(1.0f / 512);	// 32 KiB
	const std::size_t lines = lines_of_own();
	BOOST_TEST(lines > 200u);
	BOOST_TEST(lines < 1000u);
	BOOST_TEST(left.now() == 1u);
}

// The process has changed into many directories, one in the other.
BOOST_AUTO_TEST_CASE(a_long_path_takes_little_memory)
{
	const lib::scratch dir;
	const pid_t pid = fork();
	if (pid == 0) {
		const std::string name(250, 'd');
		bool ok = chdir((dir / "").c_str()) == 0;
		for (int i = 0; i < 400 && ok; i++)
			ok = mkdir(name.c_str(), 0700) == 0 &&
			    chdir(name.c_str()) == 0;
		const stack9::unique_fd fd(open("file", O_RDWR | O_CREAT |
		    O_CLOEXEC, 0600));
		ok = ok && mmap(nullptr, stripe, PROT_READ, MAP_PRIVATE,
		    fd.get(), 0) != MAP_FAILED;
		const own_list own;
		_exit(!ok || own.error != 0 ? 1 :
		    own.text.size() > 64 * KiB ? 2 :
		    own.of_directory.size() > 4096 ? 3 :
		    !own.of_directory.ends_with("/file") ? 4 : 0);
	}
	int status = -1;
	BOOST_REQUIRE(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
}

BOOST_AUTO_TEST_SUITE_END()
