// Tests names in other processes, by the files that they were mapped from.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sys/auxv.h>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include "core/seam/record.h"
#include "process/space.h"

#include "near.h"
#include "require.h"
#include "workshop.h"

using boost::unit_test::description;
namespace fs = std::filesystem;

namespace {

// A function after code that nothing describes, as that of makecontext(3) is,
// and one after code that has unwind information and no name.
asm(".text\n.p2align 4\nnop\nnop\n"
    ".globl names_planted\n.type names_planted,%function\n"
    "names_planted:\n.cfi_startproc\nnop\nnop\n.cfi_endproc\n"
    ".size names_planted,.-names_planted\n"
    ".cfi_startproc\nnop\nnop\n.cfi_endproc\n"
    ".globl names_behind\n.type names_behind,%function\n"
    "names_behind:\n.cfi_startproc\nnop\nnop\n.cfi_endproc\n"
    ".size names_behind,.-names_behind\n");
extern "C" const char names_planted[], names_behind[];

const std::string none = fmt::format("errno {}", ENOENT);

stack9::process::file *
file_at(const opened_space &s, std::uintptr_t address)
{
	stack9::process::place at;
	return s.space->find(address, at) ? at.backing : nullptr;
}

struct places {
	std::uintptr_t	fixed, hidden, libc;

	explicit places(const held &p)
	    : fixed(p.at("static")), hidden(p.at("hidden")),
	      libc(p.at("thread_caller")) {}
};

} // namespace

BOOST_AUTO_TEST_SUITE(space_names)

BOOST_AUTO_TEST_CASE(static_and_hidden_functions, *description(
    "stack9_frames: Names come from the symbol tables of the file that pc was "
    "mapped from"))
{
	const held p;
	const opened_space s(p.pid());
	BOOST_TEST(s.name(p.at("static")) == "held_static+0x0 symbols_held");
	BOOST_TEST(s.name(p.at("static") + 1) ==
	    "held_static+0x1 symbols_held");
	BOOST_TEST(s.name(p.at("hidden") + 1, true) ==
	    "held_hidden+0x1 symbols_held");
	BOOST_TEST(s.name(p.at("main")) == "main+0x0 symbols_held");
}

BOOST_AUTO_TEST_CASE(a_name_goes_no_further_than_its_function,
    *description("ENOENT: no symbol covers it"))
{
	const held p;
	const opened_space s(p.pid());
	stack9::symbol_name sym;
	BOOST_REQUIRE(stack9::space_find(*s.space, p.at("static"), false,
	    sym) == 0);
	const std::uintptr_t end = p.at("static") + sym.size;
	// A call in last position returns to right after it.
	BOOST_TEST(s.name(end, true) ==
	    fmt::format("held_static+{:#x} symbols_held", sym.size));
	BOOST_TEST(s.name(end + 1, true).find("held_static") ==
	    std::string::npos);
	BOOST_TEST(s.name(0) == none);
	BOOST_TEST(s.name(UINTPTR_MAX) == none);
}

BOOST_AUTO_TEST_CASE(a_planted_return_address_has_the_name_of_its_function)
{
	const opened_space s(getpid());
	const auto of = [&](const char *at) {
		return s.name(reinterpret_cast<std::uintptr_t>(at), true);
	};
	BOOST_TEST(of(names_planted).starts_with("names_planted+0x0 "));
	BOOST_TEST(of(names_behind) == none);
	BOOST_TEST(of(names_behind + 1).starts_with("names_behind+0x1 "));
}

BOOST_AUTO_TEST_CASE(stripped_libc_never_gives_a_neighbours_name)
{
	const lib::scratch empty;
	const debug_files_below nowhere(empty / "");
	const held p;
	const opened_space s(p.pid());
	const std::string name = s.name(p.at("thread_caller"), true);
	// One word of all those that are near it would do.
	BOOST_TEST((name == none || name.starts_with("start_thread+")), name);
}

BOOST_AUTO_TEST_CASE(the_vdso)
{
	const held p;
	const opened_space s(p.pid());
	const opened_space own(getpid());
	const std::uintptr_t here = getauxval(AT_SYSINFO_EHDR);
	int checked = 0;
	for (std::uintptr_t at = 0; at < 0x2000; at += 16) {
		const std::string name = s.name(p.at("vdso") + at);
		BOOST_TEST(own.name(here + at) == name);
		if (name == none)
			continue;
		BOOST_TEST(name.ends_with(" [vdso]"));
		checked++;
	}
	BOOST_TEST(checked > 0);
}

BOOST_AUTO_TEST_CASE(this_process)
{
	const opened_space s(getpid());
	stack9::symbol_name sym;
	for (void *f : {reinterpret_cast<void *>(probe),
	    reinterpret_cast<void *>(getauxval)}) {
		const auto pc = reinterpret_cast<std::uintptr_t>(f);
		BOOST_REQUIRE(stack9::elf_find(pc, false, sym) == 0);
		BOOST_TEST(s.name(pc) ==
		    fmt::format("{}+0x0 {}", sym.name, sym.module));
	}
}

BOOST_AUTO_TEST_CASE(a_deleted_program)
{
	const workshop w;
	fs::copy_file(HELD, w / "gone");
	const held p(w / "gone");
	fs::remove(w / "gone");
	const opened_space s(p.pid());
	BOOST_TEST(s.name(p.at("static")) == "held_static+0x0 gone");
}

// No server is asked whether the mark is a part of the name.
BOOST_AUTO_TEST_CASE(a_program_that_is_named_deleted,
    *needs("near files", [] { return why_far(fs::temp_directory_path()); }))
{
	const workshop w;
	for (const char *const name : {"x (deleted)", "y"}) {
		fs::copy_file(HELD, w / name);
		const held p(w / name);
		const opened_space s(p.pid());
		const auto at = p.at("static");
		stack9::mapped_module m;
		for (int look = 0; look < 2; look++) {
			BOOST_REQUIRE(space_module(*s.space, at, m) == 0);
			BOOST_TEST(m.path == w / name);
			BOOST_TEST(!m.deleted);
			stack9_space *again = nullptr;
			BOOST_REQUIRE(stack9::space_open({p.pid(), p.pid(), 0},
			    again) == 0);
			stack9::space_drop(again);
		}
		BOOST_TEST(s.name(at) == fmt::format("held_static+0x0 {}",
		    name));
		fs::remove(w / name);
		const opened_space gone(p.pid());
		BOOST_REQUIRE(space_module(*gone.space, at, m) == 0);
		BOOST_TEST(m.deleted);
		BOOST_TEST(m.path == w / name);
	}
}

BOOST_AUTO_TEST_CASE(a_process_that_has_exited, *description(
    "A space outlives the process, and names the addresses in its stacks"))
{
	held p;
	const opened_space s(p.pid());
	const std::uintptr_t at = p.at("static");
	p.end();
	BOOST_TEST(s.name(at) == "held_static+0x0 symbols_held");
}

BOOST_AUTO_TEST_CASE(processes_share_a_files_names, *description(
    "each file is opened once, no matter how many processes have it mapped"))
{
	const held p, q;
	const opened_space s(p.pid()), t(q.pid());
	BOOST_TEST(s.name(p.at("static")) == t.name(q.at("static")));
	auto *const f = file_at(s, p.at("static"));
	auto *const g = file_at(t, q.at("static"));
	BOOST_REQUIRE(f != nullptr);
	BOOST_TEST(f == g);
	BOOST_TEST(f->names != nullptr);
}

BOOST_AUTO_TEST_CASE(four_threads_at_once, *description(
    "All of these are thread-safe"))
{
	const held p, q;
	const opened_space s(p.pid()), t(q.pid());
	const places in_p(p), in_q(q);
	std::atomic<int> wrong{0};
	std::vector<std::thread> threads;
	for (int i = 0; i < 4; i++)
		threads.emplace_back([&, i] {
			const opened_space &mine = i % 2 ? s : t;
			const places &its = i % 2 ? in_p : in_q;
			for (int n = 0; n < 20000; n++) {
				wrong += mine.name(n % 3 ? its.fixed :
				    its.hidden) != (n % 3 ?
				    "held_static+0x0 symbols_held" :
				    "held_hidden+0x0 symbols_held");
				mine.name(its.libc + n * 16);
			}
		});
	for (std::thread &t2 : threads)
		t2.join();
	BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
