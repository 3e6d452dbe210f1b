// Compares the functions of kept cores with what the runtimes said of their own
// stacks when the cores were made, by corpus/make.  No runtime is needed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cores/plain_core.h>
#include <lib/scratch.h>
#include <os/unique_fd.h>
#include <require.h>
#include <stack9_core.h>
#include <stack9_frames.h>

BOOST_AUTO_TEST_SUITE(corpus)

namespace {

namespace fs = std::filesystem;
using stack9::unique_fd;
using lines = std::vector<std::string>;
using stacks = std::map<pid_t, lines>;

// A directory with the small files of a kept core by their build-ids.
class files {
public:
	explicit files(const fs::path &of);
	const std::string &at() const { return in_.path(); }

private:
	lib::scratch	in_;
};

// Copies a file with its zeros: a large section of which little is there is not
// read.
void
copy_whole(int from, const std::string &path)
{
	const unique_fd to(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL,
	    0600));
	std::vector<char> bytes(1 << 20);
	ssize_t n;
	for (off_t at = 0; (n = pread(from, bytes.data(), bytes.size(), at)) >
	    0; at += n)
		BOOST_REQUIRE(write(to.get(), bytes.data(),
		    static_cast<std::size_t>(n)) == n);
}

files::files(const fs::path &of)
{
	for (const auto &each : fs::directory_iterator(of)) {
		const std::string id = each.path().stem();
		const std::string dir = at() + "/.build-id/" + id.substr(0, 2);
		unique_fd plain;
		if (id == "core" || id == "frames")
			continue;
		BOOST_REQUIRE_EQUAL(stack9::cores::open_plain_core(
		    each.path().c_str(), -1, plain), 0);
		fs::create_directories(dir);
		copy_whole(plain.get(), dir + '/' + id.substr(2) + ".debug");
	}
}

int
take_frame(void *arg, const stack9_frame *f)
{
	// Those that corpus/plans.c and its like call.
	const std::string_view name = f->name;
	const bool is_planned = name.starts_with("plan_") ||
	    name.starts_with("main.plan_");
	if (f->kind == STACK9_FRAME_WRITTEN || is_planned)
		static_cast<lines *>(arg)->push_back(fmt::format(
		    "{}\t{}\t{}", f->name, is_planned ? "" : f->file,
		    is_planned ? 0 : f->line));
	return 0;
}

int
take_thread(void *arg, const stack9_sample *s)
{
	stack9_frames(s->user, STACK9_FRAMES_LINES, take_frame,
	    &(*static_cast<stacks *>(arg))[s->thread.tid]);
	return 0;
}

// An open core.  Nothing of this machine is read: its files have other names
// there.
class core_here {
public:
	core_here(const std::string &path, const files &in)
	{
		const std::string nowhere = in.at() + "/nowhere";
		const char *const dirs[] = {in.at().c_str()};
		stack9_core_options where{};
		where.size = sizeof where;
		where.sysroot = nowhere.c_str();
		where.debug_dirs = dirs;
		where.debug_dir_count = 1;
		BOOST_REQUIRE_EQUAL(stack9_core_open(path.c_str(), -1, &where,
		    &it_), 0);
	}
	~core_here() { stack9_core_close(it_); }
	core_here(const core_here &) = delete;
	core_here &operator=(const core_here &) = delete;
	stack9_core *get() const { return it_; }

private:
	stack9_core	*it_ = nullptr;
};

stacks
stacks_of(const std::string &path, const files &in)
{
	stack9_save_options o{};
	o.size = sizeof o;
	o.flags = STACK9_SAVE_LANGUAGES;
	stacks all;
	const core_here core(path, in);
	BOOST_TEST(stack9_core_each(core.get(), &o, take_thread, &all) == 0);
	return all;
}

stacks
said_in(const std::string &path)
{
	std::ifstream in(path);
	stacks all;
	lines *now = nullptr;
	for (std::string line; std::getline(in, line);)
		if (line.starts_with("thread "))
			now = &all[std::stoi(line.substr(7))];
		else if (now != nullptr)
			now->push_back(line);
	return all;
}

// Puts the lines into the form in which the runtime has them, as corpus/make
// does.  The stubs of Java have no class.  Node does not say the functions that
// read its input.  Ruby names no class before 3.4, and gives a function in C
// the place of its caller.
lines
in_words_of(const std::string &language, lines all, const lines &theirs)
{
	static const std::regex owner("(?:[A-Z]\\w*::)*[A-Z]\\w*[#.]"
	    "(?=[^ ]+$)");
	if (language == "java")
		std::erase_if(all, [](const std::string &l) {
			return l.substr(0, l.find('\t')).find('.') == l.npos;
		});
	if (language == "javascript")
		while (!all.empty() && all.front().find("\tnode:fs\t") !=
		    std::string::npos)
			all.erase(all.begin());
	for (std::size_t i = 0; language == "ruby" && i < all.size(); i++) {
		const std::size_t end = all[i].find('\t');
		const bool is_of_c = all[i].compare(end, 2, "\t\t") == 0;
		const std::string name = std::regex_replace(all[i].substr(0,
		    end), owner, "");
		all[i] = name + (is_of_c && i < theirs.size() ?
		    theirs[i].substr(std::min(theirs[i].find('\t'),
		    theirs[i].size())) : all[i].substr(end));
	}
	return all;
}

std::string
lacks_zstd()
{
	unique_fd plain;
	return stack9::cores::open_plain_core(CORPUS "/perl-5.36/core.zst", -1,
	    plain) == 0 ? "" : "libzstd.so.1 cannot be loaded";
}

} // namespace

BOOST_AUTO_TEST_CASE(functions_of_kept_cores, *needs("zstd", lacks_zstd) *
    boost::unit_test::description("With STACK9_SAVE_LANGUAGES the functions "
    "that interpreters ran are found in the memory of the core."))
{
	std::size_t cores = 0, compared = 0;
	for (const auto &each : fs::directory_iterator(CORPUS)) {
		if (!each.is_directory())
			continue;
		const std::string name = each.path().filename();
		const std::string language = name.substr(0, name.find('-'));
		const files in(each.path());
		const stacks ours = stacks_of(each.path() / "core.zst", in);
		for (const auto &[tid, theirs] : said_in(each.path() /
		    "frames")) {
			const auto at = ours.find(tid);
			BOOST_REQUIRE(at != ours.end());
			BOOST_TEST_CONTEXT(name << " tid " << tid)
			BOOST_TEST(in_words_of(language, at->second, theirs) ==
			    theirs, boost::test_tools::per_element());
			compared += theirs.size();
		}
		cores++;
	}
	BOOST_TEST(cores > 20u);
	BOOST_TEST(compared > 4000u);
}

// Return addresses are signed there, and each thread is in a signal's handler.
BOOST_AUTO_TEST_CASE(a_core_of_another_cpu, *needs("zstd", lacks_zstd) *
    boost::unit_test::description("If its CPU is not that of the library, its "
    "stacks are walked by their unwind information, and functions of "
    "languages, goroutines and waits are not found."))
{
	const files in(CORPUS "/aarch64-signals");
	const core_here core(CORPUS "/aarch64-signals/core.zst", in);
	BOOST_TEST(stack9_core_info(core.get())->signal == SIGABRT);
	bool is_said = false;
	for (std::uint32_t n = 0; const char *const note =
	    stack9_core_note(core.get(), n); n++)
		is_said |= std::string_view(note).starts_with(
		    "the core is of another CPU");
	BOOST_TEST(is_said);
	int whole = 0;
	BOOST_TEST(stack9_core_each(core.get(), nullptr, [](void *arg,
	    const stack9_sample *s) {
		BOOST_TEST(s->user->why == STACK9_WHY_NONE);
		BOOST_TEST((s->user->flags & STACK9_STACK_GUESSED) == 0u);
		++*static_cast<int *>(arg);
		return 0;
	}, &whole) == 0);
	BOOST_TEST(whole == 13);
}

BOOST_AUTO_TEST_SUITE_END()
