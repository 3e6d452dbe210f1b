// Tests stack9_core(3) on cores that the kernel has written.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

#include <elf.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <os/unique_fd.h>
#include <require.h>
#include <stack9_waits.h>

#include "made_core.h"

#define	SAYS(sentence) boost::unit_test::description(sentence)

BOOST_AUTO_TEST_SUITE(kernel_cores, *needs("cores", cores::lacks_kernel_cores))

namespace {

using namespace cores;
using stack9::unique_fd;
namespace fs = std::filesystem;

bool
has(const std::vector<std::string> &all, const std::string &part)
{
	return std::any_of(all.begin(), all.end(), [&](const auto &each) {
		return each.find(part) != each.npos;
	});
}

// Puts two bytes back.
struct restored {
	const unique_fd		&file;
	const bytes		&good;
	const std::size_t	at;
	~restored()
	{
		BOOST_TEST(pwrite(file.get(), &good[at], 2,
		    static_cast<off_t>(at)) == 2);
	}
};

std::string
refusal(const std::string &path)
{
	unique_core core;
	BOOST_TEST(open(path, core) == EINVAL);
	return stack9_reason();
}

} // namespace

BOOST_AUTO_TEST_CASE(the_thread_that_died_comes_first, *SAYS("First comes the "
    "thread that had the signal, then the others in the order of the core."))
{
	const scratch in;
	unique_core core;
	BOOST_REQUIRE(open(kernel_core(in), core) == 0);
	const stack9_core_facts &f = *stack9_core_info(core.get());
	const auto all = threads_of(core.get());
	check_threads(all);
	BOOST_TEST(f.signal == SIGSEGV);
	BOOST_TEST(f.tid == all[0].tid);
	BOOST_TEST(f.pid == f.tid);
	BOOST_TEST(f.has_address == 1u);
	BOOST_TEST(f.address == 0x10u);
	BOOST_TEST(f.threads == 4u);
	BOOST_TEST(f.notes == 0u);
	BOOST_TEST(f.comm == "program");
	BOOST_TEST(f.end == "SIGSEGV: nothing is mapped at 0x10");
}

BOOST_AUTO_TEST_CASE(a_sample_outlives_its_core, *SAYS("A sample that is held, "
    "and its space, outlive the core."))
{
	const scratch in;
	unique_core core;
	BOOST_REQUIRE(open(kernel_core(in), core) == 0);
	stack9_sample *kept = nullptr;
	stack9_core_each(core.get(), nullptr, [](void *arg,
	    const stack9_sample *s) {
		*static_cast<stack9_sample **>(arg) = stack9_sample_hold(s);
		return 1;
	}, &kept);
	core.reset();
	BOOST_REQUIRE(kept != nullptr);
	std::string name;
	stack9_frames(kept->user, 0, [](void *arg, const stack9_frame *f) {
		*static_cast<std::string *>(arg) = f->name;
		return 1;
	}, &name);
	BOOST_TEST(name == "innermost");
	stack9_sample *again = nullptr;
	BOOST_TEST(stack9_save(&kept->thread, STACK9_USER, nullptr, &again) ==
	    ESRCH);
	stack9_sample_close(again);
	stack9_sample_close(kept);
}

BOOST_AUTO_TEST_CASE(a_core_without_a_list_of_files, *SAYS("A core without "
    "such a list has that of the dynamic loader in its memory."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	bytes b = read_all(path);
	b[note_at(b, NT_FILE)] ^= 1;
	write_all(path, b);
	unique_core core;
	BOOST_REQUIRE(open(path, core) == 0);
	check_threads(threads_of(core.get()));
}

BOOST_AUTO_TEST_CASE(another_file_is_refused, *SAYS("A file that has another "
    "build-id than the core says is not read, and a note says so."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	const fs::path original = in / "elsewhere";
	fs::create_directory(original);
	fs::rename(in / "program", original / "program");
	fs::copy_file(OTHER_PROGRAM, in / "program");
	unique_core core;
	BOOST_REQUIRE(open(path, core) == 0);
	BOOST_TEST(has(notes_of(core.get()), "another file is there now"));
	for (const auto &t : threads_of(core.get()))
		for (const std::string &each : t.functions)
			BOOST_TEST((each != "innermost" && each != "main"));

	const std::string dir = original.string();
	const char *const dirs[] = {dir.c_str()};
	stack9_core_options o{};
	o.size = sizeof o;
	o.debug_dirs = dirs;
	o.debug_dir_count = 1;
	BOOST_REQUIRE(open(path, core, &o) == 0);
	BOOST_TEST(notes_of(core.get()).empty());
	check_threads(threads_of(core.get()));
}

BOOST_AUTO_TEST_CASE(files_of_a_sysroot, *SAYS("sysroot is where the paths of "
    "the core begin."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	const fs::path root = in / "root";
	const fs::path there = root / fs::path(in.path()).relative_path();
	fs::create_directories(there);
	fs::rename(in / "program", there / "program");
	const std::string dir = root.string();
	stack9_core_options o{};
	o.size = sizeof o;
	o.sysroot = dir.c_str();
	unique_core core;
	BOOST_REQUIRE(open(path, core, &o) == 0);
	BOOST_TEST(threads_of(core.get())[0].functions.at(0) == "innermost");
	BOOST_TEST(has(notes_of(core.get()), "libc.so.6: it is not here"));
}

BOOST_AUTO_TEST_CASE(cores_of_other_machines, *SAYS("A core of any other CPU, "
    "of another byte order, or of a program that is not known is refused in "
    "a sentence."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	const bytes good = read_all(path);
	const auto with = [&](std::size_t at, unsigned char value) {
		bytes b = good;
		b[at] = value;
		write_all(path, b);
		return refusal(path);
	};
	const auto has_part = [](const std::string &text, const char *part) {
		return text.find(part) != text.npos;
	};
	constexpr std::size_t machine = 18, type = 16;
	BOOST_TEST(has_part(with(EI_DATA, ELFDATA2MSB), "big-endian"));
	BOOST_TEST(has_part(with(machine, EM_ARM), "32-bit ARM"));
	BOOST_TEST(has_part(with(machine, 0x33), "does not know"));
	BOOST_TEST(has_part(with(EI_CLASS, ELFCLASS32), "x32"));
	BOOST_TEST(has_part(with(type, ET_DYN), "not a core"));
	BOOST_TEST(has_part(with(0, 0), "not an ELF file"));
}

BOOST_AUTO_TEST_CASE(a_core_that_was_cut, *SAYS("A core that was cut gives "
    "what it has, and a note says what is missing."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	for (std::size_t size = fs::file_size(path) - 1; size > 0;
	    size -= size / 4 + 1) {
		fs::resize_file(path, size);
		unique_core core;
		if (open(path, core) != 0) {
			BOOST_TEST(size < 10000u);
			continue;
		}
		BOOST_TEST(has(notes_of(core.get()), "the core was cut"));
		const auto all = threads_of(core.get());
		BOOST_TEST(!all.empty());
		BOOST_TEST(all[0].functions.size() >= 1u);
	}
}

BOOST_AUTO_TEST_CASE(owners_of_locks, *SAYS("For samples of a core the owners "
    "of locks are found in its memory."))
{
	const scratch in;
	unique_core core;
	BOOST_REQUIRE(open(kernel_core(in), core) == 0);
	std::vector<const stack9_sample *> all;
	stack9_core_each(core.get(), nullptr, [](void *arg,
	    const stack9_sample *s) {
		static_cast<std::vector<const stack9_sample *> *>(arg)->
		    push_back(stack9_sample_hold(s));
		return 0;
	}, &all);
	std::vector<std::pair<int, pid_t>> found;
	BOOST_TEST(stack9_waits(all.data(), static_cast<std::uint32_t>(
	    all.size()), 0, [](void *arg, const stack9_wait *w) {
		static_cast<std::vector<std::pair<int, pid_t>> *>(arg)->
		    emplace_back(w->kind, w->holders != 0 ?
		    w->holder[0].thread.tid : 0);
		return 0;
	}, &found) == 0);
	const pid_t first = stack9_core_info(core.get())->tid;
	BOOST_REQUIRE_EQUAL(found.size(), 4u);
	BOOST_TEST(found[0].first == STACK9_WAIT_NONE);
	for (std::size_t i = 1; i < found.size(); i++) {
		BOOST_TEST(found[i].first == STACK9_WAIT_MUTEX);
		BOOST_TEST(found[i].second == first);
	}
	for (const stack9_sample *s : all)
		stack9_sample_close(const_cast<stack9_sample *>(s));
}

// Every number of the headers and notes is a stranger's.
BOOST_AUTO_TEST_CASE(a_core_that_is_damaged)
{
	const scratch in;
	const std::string path = kernel_core(in);
	const bytes good = read_all(path);
	const std::size_t end = note_at(good, NT_FILE) + 2000;
	unsigned int opened = 0;
	const unique_fd file(::open(path.c_str(), O_RDWR));
	for (std::size_t at = 16; at < end; at += 61) {
		const unsigned char changed[] = {0xff, static_cast<unsigned
		    char>(good[at + 1] ^ 0x80)};
		BOOST_REQUIRE(pwrite(file.get(), changed, 2,
		    static_cast<off_t>(at)) == 2);
		const restored back{file, good, at};
		unique_core core;
		if (open(path, core) != 0)
			continue;
		opened++;
		threads_of(core.get());
	}
	BOOST_TEST(opened > 10u);
}

BOOST_AUTO_TEST_CASE(a_pipe_is_read, *SAYS("fd may be a pipe."))
{
	const scratch in;
	const std::string path = kernel_core(in);
	int ends[2];
	BOOST_REQUIRE(pipe(ends) == 0);
	const pid_t pid = fork();
	if (pid == 0) {
		const bytes b = read_all(path);
		for (std::size_t at = 0; at < b.size();) {
			const ssize_t n = write(ends[1], b.data() + at,
			    b.size() - at);
			if (n <= 0)
				_exit(1);
			at += static_cast<std::size_t>(n);
		}
		_exit(0);
	}
	close(ends[1]);
	stack9_core *core = nullptr;
	BOOST_TEST(stack9_core_open(nullptr, ends[0], nullptr, &core) == 0);
	const unique_core owner(core);
	close(ends[0]);
	int status = 0;
	BOOST_TEST(waitpid(pid, &status, 0) == pid);
	BOOST_TEST(status == 0);
	check_threads(threads_of(core));
}

BOOST_AUTO_TEST_SUITE_END()
