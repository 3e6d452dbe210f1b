// Damages each word of what a walk has read, one at a time, and walks again:
// all of it is a stranger's memory.
//
// Each walk has to end soon, and its frames are those of the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>

#include <fmt/format.h>
#include <gelf.h>

#include "languages/symbols.h"
#include "os/thread_pointer.h"
#include "process/space.h"
#include "remote/code.h"
#include "remote/memory.h"
#include "remote/present_memory.h"

#include <stack9.h>

#include "forged.h"
#include "ruby_program.h"

namespace stack9::languages {
extern const runtime &runtime_ruby;
}

namespace {

using stack9::languages::runtime_ruby;

int
add_pcs(void *to, const stack9_sample *s)
{
	auto &all = *static_cast<std::map<pid_t, std::vector<std::uint64_t>> *>(
	    to);
	all[s->thread.tid].assign(s->user->pcs, s->user->pcs + s->user->depth);
	return 0;
}

std::map<pid_t, std::vector<std::uint64_t>>
native_stacks(pid_t pid)
{
	std::map<pid_t, std::vector<std::uint64_t>> all;
	stack9_thread td;
	BOOST_REQUIRE(stack9_thread_find(pid, &td) == 0);
	BOOST_REQUIRE(stack9_each(&td, STACK9_USER, nullptr, add_pcs, &all) ==
	    0);
	return all;
}

// The file of the runtime, and what find_symbols() says of it.
struct runtime_file {
	stack9::process::file	*backing = nullptr;
	std::uint64_t	bias = 0;
	stack9::languages::found_symbol mark, machine;
};

runtime_file
find_runtime(stack9_space &space)
{
	static constexpr std::string_view names[] = {"ruby_version",
	    "ruby_current_vm_ptr"};
	runtime_file to;
	space.each_mapping([&](const stack9::process::mapping &m) {
		stack9::languages::found_symbol found[2];
		std::uint64_t vaddr;
		if (to.backing != nullptr || m.backing == nullptr ||
		    !m.backing->vaddr_of(m.offset, vaddr))
			return;
		find_symbols(*m.backing, names, found);
		if (found[0].vaddr != 0)
			to = {m.backing.get(), m.start - vaddr, found[0],
			    found[1]};
	});
	BOOST_REQUIRE(to.backing != nullptr);
	return to;
}

forged::symbol
symbol_of(const char *name, const stack9::languages::found_symbol &s)
{
	forged::symbol to{s.vaddr, s.size, {}};
	std::strncpy(to.name.data(), name, to.name.size() - 1);
	return to;
}

// Notes the segments that the walk asks the file for.
void
note_segments(stack9::process::file &f, forged::facts &to)
{
	std::size_t count;
	GElf_Phdr h;
	BOOST_REQUIRE(elf_getphdrnum(f.elf(), &count) == 0);
	for (int i = 0; i < static_cast<int>(count); i++) {
		BOOST_REQUIRE(gelf_getphdr(f.elf(), i, &h) != nullptr);
		if (h.p_type == PT_TLS) {
			to.thread_size = h.p_memsz;
		} else if (h.p_type == PT_LOAD && (h.p_flags & PF_W) != 0) {
			to.data = h.p_vaddr;
			to.data_size = h.p_memsz;
		}
	}
}

// What a walk of the thread reads and gives.
forged::stack
record(pid_t pid, pid_t tid, const std::vector<std::uint64_t> &pcs,
    stack9::written_stack &written)
{
	stack9_space *opened = nullptr;
	stack9_thread td;
	BOOST_REQUIRE(stack9_thread_find(tid, &td) == 0);
	BOOST_REQUIRE(stack9::space_open({pid, pid, 0}, opened) == 0);
	const stack9::unique_space space(opened);
	const runtime_file f = find_runtime(*space);
	const stack9::user_copy copy;
	stack9::remote::copied_memory constant(*space, copy, td);
	stack9::remote::remote_code code(*space, constant);
	stack9::remote::present_memory words(copy, td);
	forged::stack s;
	s.known.pointer = stack9::thread_pointer(tid);
	s.known.bias = f.bias;
	s.known.mark = f.mark.vaddr + f.bias;
	note_segments(*f.backing, s.known);
	s.pcs = pcs;
	s.symbols = {symbol_of("ruby_version", f.mark)};
	if (f.machine.vaddr != 0)
		s.symbols.push_back(symbol_of("ruby_current_vm_ptr",
		    f.machine));
	forged::recording_memory noted_words(words, s);
	forged::recording_code noted_code(code, s);
	std::vector<std::uintptr_t> natives(pcs.begin(), pcs.end());
	stack9::stack_record native{};
	native.pcs = natives.data();
	native.depth = native.max = static_cast<std::uint32_t>(pcs.size());
	// The first walk finds the table of names, of which the second one
	// reads no more than it has to.
	runtime_ruby.walk({*space, td, copy, words, code, s.known.pointer,
	    native}, {*f.backing, f.bias, s.known.mark}, written);
	written.clear();
	runtime_ruby.walk({*space, td, copy, noted_words, noted_code,
	    s.known.pointer, native}, {*f.backing, f.bias, s.known.mark},
	    written);
	written.sort();
	return s;
}

std::vector<std::string>
texts_of(const stack9::written_stack &w)
{
	std::vector<std::string> all;
	for (const stack9::written_frame &f : w.frames)
		all.push_back(fmt::format("{} {} {} {}:{}", f.at, f.flags,
		    w.text_of(f.name), w.text_of(f.file), f.line));
	return all;
}

// The most that a walk may read, whatever there is to be read.
constexpr std::uint64_t most_reads = 1 << 21;

// The number of walks whose frames differ.
unsigned int
damage(forged::stack &s, const std::vector<std::string> &whole)
{
	std::vector<std::uint64_t> addresses;
	for (const auto &[at, word] : s.words)
		addresses.push_back(at);
	unsigned int different = 0;
	std::size_t n = 0;
	std::uint64_t most = 0;
	forged::outcome o;
	for (const std::uint64_t at : addresses) {
		const std::uint64_t was = s.words[at];
		const std::uint64_t other = addresses[n++ * 7919 %
		    addresses.size()];
		for (const std::uint64_t damaged : {std::uint64_t{0},
		    ~std::uint64_t{0}, at, other, was + 8, was ^ (1 << 13),
		    s.words[other], was << 32, was | std::uint64_t{1} << 62}) {
			s.words[at] = damaged;
			forged::walk(runtime_ruby, s, o);
			BOOST_TEST(o.reads < most_reads,
			    fmt::format("{:x}: {:x}", at, damaged));
			BOOST_TEST(o.written.frames.size() <= 1 << 16);
			for (const stack9::written_frame &f : o.written.frames)
				if (f.at > s.pcs.size())
					BOOST_ERROR("a frame outside");
			most = std::max(most, o.reads);
			different += texts_of(o.written) != whole;
		}
		s.words[at] = was;
	}
	BOOST_TEST_MESSAGE("at most " << most << " reads");
	return different;
}

} // namespace

BOOST_AUTO_TEST_CASE(damaged_words, *has_ruby() *
    boost::unit_test::description("ISSUE: hostile heaps (cycles, wild pointers, "
    "huge lengths): bounded"))
{
	const ruby_program p("generated.rb", {"7", "12", "10"});
	const auto natives = native_stacks(p.pid());
	const char *const seeds = std::getenv("STACK9_SEEDS");
	int threads = 0;
	for (const auto &[tid, theirs] : p.printed()) {
		stack9::written_stack written;
		if (theirs.size() < 10 || theirs.size() > 30 ||
		    threads == 2)
			continue;
		threads++;
		forged::stack s = record(p.pid(), tid, natives.at(tid),
		    written);
		const std::vector<std::string> whole = texts_of(written);
		BOOST_TEST(whole.size() == theirs.size());
		if (seeds != nullptr) {
			const auto bytes = forged::bytes_of(s);
			std::ofstream f(fmt::format("{}-{}", seeds, threads),
			    std::ios::binary);
			f.write(reinterpret_cast<const char *>(bytes.data()),
			    static_cast<std::streamsize>(bytes.size()));
		}
		forged::outcome o;
		forged::walk(runtime_ruby, s, o);
		BOOST_TEST(texts_of(o.written) == whole,
		    boost::test_tools::per_element());
		const unsigned int different = damage(s, whole);
		BOOST_TEST(different > 0u);
		BOOST_TEST_MESSAGE(s.words.size() << " words, " << different
		    << " walks of " << 8 * s.words.size() << " differ");
	}
	BOOST_TEST(threads > 0);
}
