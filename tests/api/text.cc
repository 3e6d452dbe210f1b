// Tests stack9_text(3): a stack that is written in one place is named in
// another one, where only files with its build-ids are.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <unistd.h>

#include "child.h"
#include "lib/scratch.h"
#include "require.h"
#include "text_help.h"

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(text)

namespace {

namespace fs = std::filesystem;
using lib::scratch, texts::read, texts::space_of, texts::text_of;

// The build-id of this program, from its own frames.
std::string
own_build_id()
{
	std::string id;
	const auto take = [](void *arg, const stack9_frame *f) {
		std::string &to = *static_cast<std::string *>(arg);
		for (std::uint32_t i = 0; i < f->build_id_size; i++) {
			char both[3];
			std::snprintf(both, sizeof both, "%02x",
			    f->build_id[i]);
			to += both;
		}
		return 1;
	};
	stack9_frame_at(nullptr, reinterpret_cast<std::uintptr_t>(
	    &own_build_id), 0, take, &id);
	return id;
}

// Gives the text of a process that has ended.
std::string
text_of_a_child()
{
	const api::child c(api::child_waits);
	c.wait_for_sleep();
	const api::sample s = api::save(c.thread(), STACK9_BOTH);
	BOOST_TEST(api::has(api::names_of(s->user),
	    "api::child_waits(int)"));
	return text_of(s.get());
}

const fs::path &
own_file()
{
	static const fs::path file = fs::read_symlink("/proc/self/exe");
	return file;
}

// Puts this program where debug files are found.
void
copy_as_debug_file(const fs::path &root)
{
	const std::string id = own_build_id();
	const fs::path dir = root / ".build-id" / id.substr(0, 2);
	fs::create_directories(dir);
	fs::copy_file(own_file(), dir / (id.substr(2) + ".debug"));
}

} // namespace

BOOST_AUTO_TEST_CASE(named_later, *needs("bpf") * description(
    "name it as they name any other sample, on another machine and years "
    "later, as long as the files are found by their build-ids."))
{
	const std::string text = text_of_a_child();
	BOOST_TEST(text.find("child_waits") == text.npos);
	const scratch debug, plain, none;
	copy_as_debug_file(debug.path());
	fs::copy_file(own_file(), plain / "renamed");
	for (const std::vector<std::string> &paths :
	    {std::vector<std::string>{debug.path()}, {plain.path()},
	    {none.path(), plain / "renamed"}}) {
		const api::space by = space_of(paths);
		api::sample s;
		BOOST_TEST_REQUIRE(read(by, text, s) == 0, stack9_reason());
		BOOST_TEST(api::has(api::names_of(s->user),
	    "api::child_waits(int)"),
		    paths.front());
		BOOST_TEST(s->user->why == STACK9_WHY_NONE);
	}
	const api::space by = space_of({none.path()});
	api::sample s;
	BOOST_TEST_REQUIRE(read(by, text, s) == 0, stack9_reason());
	for (const std::string &name : api::names_of(s->user))
		BOOST_TEST(name == "");
}

BOOST_AUTO_TEST_CASE(another_build_id, *needs("bpf") * description(
    "A file that has another build-id names nothing."))
{
	std::string text = text_of_a_child();
	const std::string id = own_build_id();
	const std::string other = std::string(id.size() - 1, '5') + '6';
	for (std::size_t at = 0; (at = text.find(id, at)) != text.npos;)
		text.replace(at, id.size(), other);
	const scratch debug;
	copy_as_debug_file(debug.path());
	// Even at the place of that build-id.
	const fs::path dir = fs::path(debug / ".build-id") / other.substr(0, 2);
	fs::create_directories(dir);
	fs::copy_file(own_file(), dir / (other.substr(2) + ".debug"));
	const api::space by = space_of({debug.path()});
	api::sample s;
	BOOST_TEST_REQUIRE(read(by, text, s) == 0, stack9_reason());
	BOOST_TEST(!api::has(api::names_of(s->user),
	    "api::child_waits(int)"));
}

BOOST_AUTO_TEST_CASE(written_again, *needs("bpf") * description(
    "A text is read back as an equal sample each time, and written again as "
    "the same text."))
{
	const std::string text = text_of_a_child();
	const api::space by = space_of({own_file()});
	api::sample one, two;
	BOOST_TEST_REQUIRE(read(by, text, one) == 0, stack9_reason());
	BOOST_TEST(text_of(one.get()) == text);
	BOOST_TEST_REQUIRE(read(by, text, two) == 0, stack9_reason());
	BOOST_TEST(stack9_sample_same(one.get(), two.get()) == 1);
	BOOST_TEST(one->thread.tid > 0);
	BOOST_TEST(one->state == 'S');
	BOOST_TEST(one->kernel->depth > 0u);
}

BOOST_AUTO_TEST_CASE(places, *description(
    "The address stays the same as long as the space."))
{
	const scratch debug;
	copy_as_debug_file(debug.path());
	const api::space by = space_of({debug.path()});
	std::vector<unsigned char> id;
	const std::string hex = own_build_id();
	for (std::size_t i = 0; i < hex.size(); i += 2)
		id.push_back(static_cast<unsigned char>(std::stoul(
		    hex.substr(i, 2), nullptr, 16)));
	stack9_place p{};
	p.size = sizeof p;
	p.build_id = id.data();
	p.build_id_size = static_cast<std::uint32_t>(id.size());
	p.module = "/somewhere";
	const auto vaddr_of = [](void *arg, const stack9_frame *f) {
		*static_cast<std::uint64_t *>(arg) = f->vaddr;
		return 0;
	};
	stack9_frame_at(nullptr, reinterpret_cast<std::uintptr_t>(
	    &api::child_waits), 0, vaddr_of, &p.vaddr);
	std::uint64_t pc = 0, again = 0;
	BOOST_TEST_REQUIRE(stack9_space_place(by.get(), &p, &pc) == 0);
	BOOST_TEST(stack9_space_place(by.get(), &p, &again) == 0);
	BOOST_TEST(pc == again);
	const auto check = [](void *arg, const stack9_frame *f) {
		BOOST_TEST(std::string(f->linkage).find("child_waits") !=
		    std::string::npos);
		BOOST_TEST(std::string(f->module) == "/somewhere");
		BOOST_TEST(f->vaddr ==
		    static_cast<const stack9_place *>(arg)->vaddr);
		return 0;
	};
	BOOST_TEST(stack9_frame_at(by.get(), pc, 0, check, &p) == 0);
	p.vaddr = std::uint64_t{1} << 47;
	BOOST_TEST(stack9_space_place(by.get(), &p, &pc) == EINVAL);
	stack9_space *other = nullptr;
	BOOST_TEST(stack9_space_open_file("/proc/self/exe", &other) == 0);
	const api::space file(other);
	p.vaddr = 1;
	BOOST_TEST(stack9_space_place(other, &p, &pc) == EINVAL);
	api::sample s;
	BOOST_TEST(read(file, "stack9 1\nuser\nnone gone\n", s) == EINVAL);
}

BOOST_AUTO_TEST_SUITE_END()
