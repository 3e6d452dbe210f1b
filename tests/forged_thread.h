// Records what a walk of a thread's frames reads, and damages it: all of it is
// a stranger's memory.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <gelf.h>

#include "languages/symbols.h"
#include "os/thread_pointer.h"
#include "process/space.h"
#include "remote/code.h"
#include "remote/memory.h"
#include "remote/present_memory.h"

#include <stack9.h>

#include "forged_record.h"

namespace forged {

inline int
add_pcs(void *to, const stack9_sample *s)
{
	auto &all = *static_cast<std::map<pid_t, std::vector<std::uint64_t>> *>(
	    to);
	all[s->thread.tid].assign(s->user->pcs, s->user->pcs + s->user->depth);
	return 0;
}

inline std::map<pid_t, std::vector<std::uint64_t>>
native_stacks(pid_t pid)
{
	std::map<pid_t, std::vector<std::uint64_t>> all;
	stack9_thread td;
	BOOST_REQUIRE(stack9_thread_find(pid, &td) == 0);
	BOOST_REQUIRE(stack9_each(&td, STACK9_USER, nullptr, add_pcs, &all) ==
	    0);
	return all;
}

// The file of the runtime, and the symbols that a walk asks it for.  The first
// is its mark.
using names = std::vector<std::string_view>;
struct runtime_file {
	stack9::process::file	*backing = nullptr;
	std::uint64_t	bias = 0;
	std::vector<stack9::languages::found_symbol> found;
};

inline runtime_file
find_runtime(stack9_space &space, const names &wanted)
{
	runtime_file to;
	space.each_mapping([&](const stack9::process::mapping &m) {
		std::vector<stack9::languages::found_symbol> found(
		    wanted.size());
		std::uint64_t vaddr;
		if (to.backing != nullptr || m.backing == nullptr ||
		    !m.backing->vaddr_of(m.offset, vaddr))
			return;
		find_symbols(*m.backing, wanted, found.data());
		if (found[0].vaddr != 0)
			to = {m.backing.get(), m.start - vaddr,
			    std::move(found)};
	});
	BOOST_REQUIRE(to.backing != nullptr);
	return to;
}

inline symbol
symbol_of(std::string_view name, const stack9::languages::found_symbol &s)
{
	symbol to{s.vaddr, s.size, {}};
	name.copy(to.name.data(), to.name.size() - 1);
	return to;
}

// Notes the segments that the walk asks the file for.
inline void
note_segments(stack9::process::file &f, facts &to)
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

// Records what a walk of the thread reads, and gives its frames.
inline stack
record(const stack9::languages::runtime &r, const names &wanted, pid_t pid,
    pid_t tid, const std::vector<std::uint64_t> &pcs,
    stack9::written_stack &written)
{
	stack9_space *opened = nullptr;
	stack9_thread td;
	BOOST_REQUIRE(stack9_thread_find(tid, &td) == 0);
	BOOST_REQUIRE(stack9::space_open({pid, pid, 0}, opened) == 0);
	stack9::unique_space space(opened);
	const runtime_file f = find_runtime(*space, wanted);
	const stack9::user_copy copy;
	stack s;
	s.known.pointer = stack9::thread_pointer(tid);
	s.known.bias = f.bias;
	s.known.mark = f.found[0].vaddr + f.bias;
	f.backing->path().copy(s.known.path.data(), s.known.path.size() - 1,
	    f.backing->path().rfind('/') + 1);
	note_segments(*f.backing, s.known);
	s.pcs = pcs;
	for (std::size_t i = 0; i < wanted.size(); i++)
		if (f.found[i].vaddr != 0)
			s.symbols.push_back(symbol_of(wanted[i], f.found[i]));
	std::vector<std::uintptr_t> natives(pcs.begin(), pcs.end());
	stack9::stack_record native{};
	native.pcs = natives.data();
	native.depth = native.max = static_cast<std::uint32_t>(pcs.size());
	const stack9::written_question asked{.thread_pointer =
	    s.known.pointer};
	const stack9::languages::loaded where{*f.backing, f.bias, s.known.mark};
	// The first walk finds what a language keeps with a file, so that the
	// second one reads no more than it has to.  A space takes what was
	// kept with it along.  Rows may be kept so, and are noted both times.
	for (const bool is_noted : {false, true}) {
		stack9::remote::copied_memory constant(*space, copy, td);
		stack9::remote::remote_code code(*space, constant);
		stack9::remote::present_memory words(copy, td);
		recording_memory noted_words(words, s);
		recording_code noted_code(code, s);
		written.clear();
		if (is_noted)
			r.walk({*space, td, copy, noted_words, noted_code,
			    asked, native}, where, written);
		else
			r.walk({*space, td, copy, words, noted_code, asked,
			    native}, where, written);
		space.reset();
		BOOST_REQUIRE(stack9::space_open({pid, pid, 0}, opened) == 0);
		space = stack9::unique_space(opened);
	}
	written.sort();
	return s;
}

inline std::vector<std::string>
texts_of(const stack9::written_stack &w)
{
	std::vector<std::string> all;
	for (const stack9::written_frame &f : w.frames)
		all.push_back(fmt::format("{} {} {} {}:{}", f.at, f.flags,
		    w.text_of(f.name), w.text_of(f.file), f.line));
	return all;
}

// The most that a walk may read, whatever there is to be read.
inline constexpr std::uint64_t most_reads = 1 << 21;

// Damages each word, one at a time, and walks.  The walk has to end soon, with
// frames of the native stack.  Gives the number of walks whose frames differ.
inline unsigned int
damage(const stack9::languages::runtime &r, stack &s,
    const std::vector<std::string> &whole)
{
	std::vector<std::uint64_t> addresses;
	for (const auto &[at, word] : s.words)
		addresses.push_back(at);
	unsigned int different = 0;
	std::size_t n = 0;
	std::uint64_t most = 0;
	outcome o;
	for (const std::uint64_t at : addresses) {
		const std::uint64_t was = s.words[at];
		const std::uint64_t other = addresses[n++ * 7919 %
		    addresses.size()];
		for (const std::uint64_t damaged : {std::uint64_t{0},
		    ~std::uint64_t{0}, at, other, was + 8, was ^ (1 << 13),
		    s.words[other], was << 32, was | std::uint64_t{1} << 62}) {
			s.words[at] = damaged;
			walk(r, s, o);
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

// Records a thread, compares the walk of the record with that of the thread,
// and damages it.  STACK9_SEEDS begins the name of a file for the record.
inline void
record_and_damage(const stack9::languages::runtime &r, const names &wanted,
    pid_t pid, pid_t tid, const std::vector<std::uint64_t> &pcs, std::size_t n)
{
	stack9::written_stack written;
	stack s = record(r, wanted, pid, tid, pcs, written);
	const std::vector<std::string> whole = texts_of(written);
	BOOST_TEST(whole.size() == n);
	if (const char *const seeds = std::getenv("STACK9_SEEDS");
	    seeds != nullptr) {
		const auto bytes = bytes_of(s);
		std::ofstream f(fmt::format("{}-{}", seeds, n),
		    std::ios::binary);
		f.write(reinterpret_cast<const char *>(bytes.data()),
		    static_cast<std::streamsize>(bytes.size()));
	}
	outcome o;
	walk(r, s, o);
	BOOST_TEST(texts_of(o.written) == whole,
	    boost::test_tools::per_element());
	const unsigned int different = damage(r, s, whole);
	BOOST_TEST(different > 0u);
	BOOST_TEST_MESSAGE(s.words.size() << " words, " << different <<
	    " walks of " << 8 * s.words.size() << " differ");
}

} // namespace forged
