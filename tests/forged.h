// Forges what a walk of a language's frames is given: memory, native frames,
// unwind information and a file with symbols.  All of it is recorded of a real
// thread, or is the bytes of a fuzzer.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/seam/space.h"
#include "languages/runtime.h"
#include "process/file.h"

#include "forged_file.h"

namespace forged {

struct function {
	std::uint64_t	begin, end;
};

struct stack {
	facts		known{};
	std::vector<std::uint64_t> pcs;
	std::vector<function> functions;
	std::vector<symbol> symbols;
	std::map<std::uint64_t, std::uint64_t> words;	// by address
};

template <class T>
void
put(std::vector<std::uint8_t> &to, const T &what)
{
	const auto *const bytes = reinterpret_cast<const std::uint8_t *>(&what);
	to.insert(to.end(), bytes, bytes + sizeof what);
}

template <class T>
void
put_all(std::vector<std::uint8_t> &to, const std::vector<T> &all)
{
	put(to, std::uint64_t{all.size()});
	for (const T &one : all)
		put(to, one);
}

// Memory follows in parts: an address, a number of words, and these.
inline std::vector<std::uint8_t>
bytes_of(const stack &s)
{
	std::vector<std::uint8_t> to;
	put(to, s.known);
	put_all(to, s.pcs);
	put_all(to, s.functions);
	put_all(to, s.symbols);
	for (auto at = s.words.begin(); at != s.words.end();) {
		std::vector<std::uint64_t> part;
		const std::uint64_t begin = at->first;
		for (; at != s.words.end() &&
		    at->first == begin + 8 * part.size(); ++at)
			part.push_back(at->second);
		put(to, begin);
		put_all(to, part);
	}
	return to;
}

class bytes {
public:
	explicit bytes(std::span<const std::uint8_t> all) noexcept
	    : rest_(all) {}

	template <class T>
	bool
	take(T &to) noexcept
	{
		if (rest_.size() < sizeof to)
			return false;
		std::memcpy(&to, rest_.data(), sizeof to);
		rest_ = rest_.subspan(sizeof to);
		return true;
	}
	template <class T>
	bool
	take_all(std::vector<T> &to, std::uint64_t most)
	{
		std::uint64_t n;
		if (!take(n) || n > most)
			return false;
		for (T one; n > 0 && take(one); n--)
			to.push_back(one);
		return n == 0;
	}

private:
	std::span<const std::uint8_t>	rest_;
};

// False: the bytes are not a stack.
inline bool
stack_of(std::span<const std::uint8_t> all, stack &to)
{
	bytes from(all);
	if (!from.take(to.known) || !from.take_all(to.pcs, 1024) ||
	    !from.take_all(to.functions, 1024) ||
	    !from.take_all(to.symbols, 64))
		return false;
	to.known.path.back() = '\0';
	for (symbol &s : to.symbols)
		s.name.back() = '\0';
	std::uint64_t at;
	for (std::vector<std::uint64_t> part; from.take(at); part.clear()) {
		from.take_all(part, 1 << 20);
		for (std::uint64_t i = 0; i < part.size(); i++)
			to.words[(at & ~std::uint64_t{7}) + 8 * i] = part[i];
	}
	return true;
}

// A page that has a word has zeros around it.  Counts what is read.
class memory final : public stack9::languages::memory {
public:
	explicit memory(const stack &s) : words_(s.words)
	{
		for (const auto &[at, word] : words_)
			if (pages_.empty() || pages_.back() != at / page)
				pages_.push_back(at / page);
	}

	bool
	read(std::uintptr_t from, void *to, std::size_t size) noexcept override
	{
		auto *at = static_cast<std::uint8_t *>(to);
		reads++;
		while (size > 0) {
			const auto found = words_.find(from &
			    ~std::uint64_t{7});
			const std::size_t offset = from & 7;
			const std::size_t n = std::min(size, 8 - offset);
			const std::uint64_t word = found == words_.end() ? 0 :
			    found->second;
			if (found == words_.end() && !std::binary_search(
			    pages_.begin(), pages_.end(), from / page))
				return false;
			std::memcpy(at, reinterpret_cast<const std::uint8_t *>(
			    &word) + offset, n);
			at += n;
			from += n;
			size -= n;
		}
		return true;
	}
	void prefetch(std::span<const range>) noexcept override {}

	std::uint64_t	reads = 0;

private:
	static constexpr std::uint64_t page = 4096;

	const std::map<std::uint64_t, std::uint64_t> &words_;
	std::vector<std::uint64_t> pages_;
};

class code final : public stack9::unwind::code {
public:
	explicit code(const stack &s) noexcept : functions_(s.functions) {}

	stack9::unwind::rule
	rule_of(std::uintptr_t) noexcept override
	{
		return {};
	}
	stack9::unwind::found
	row_of(std::uintptr_t pc, stack9::unwind::row &to) noexcept override
	{
		for (const function &f : functions_)
			if (pc >= f.begin && pc < f.end) {
				to.begin = f.begin;
				to.end = f.end;
				return stack9::unwind::found::yes;
			}
		return stack9::unwind::found::no;
	}
	bool covers(std::uintptr_t) noexcept override { return true; }

private:
	const std::vector<function> &functions_;
};

inline stack9_space &
own_space()
{
	static stack9_space *const its = [] {
		stack9_space *made = nullptr;
		const stack9_thread self{gettid(), getpid(), 0};
		if (stack9::space_open(self, made) != 0)
			throw std::runtime_error("no space");
		return made;
	}();
	return *its;
}

// Holds what came of a walk.
struct outcome {
	stack9::written_stack written;
	std::uint64_t	reads = 0;
};

inline void
walk(const stack9::languages::runtime &r, const stack &s, outcome &to)
{
	static std::uint16_t number = 0;
	std::vector<std::uintptr_t> pcs(s.pcs.begin(), s.pcs.end());
	stack9::process::file file(++number, file_of(s.known, s.symbols),
	    s.known.path.data());
	memory words(s);
	code functions(s);
	const stack9::user_copy copy;
	stack9::stack_record native{};
	native.pcs = pcs.data();
	native.depth = native.max = static_cast<std::uint32_t>(pcs.size());
	const stack9::written_question asked{.thread_pointer = s.known.pointer};
	to.written.clear();
	r.walk({own_space(), {}, copy, words, functions, asked, native},
	    {file, s.known.bias, s.known.mark}, to.written);
	to.written.sort();
	to.reads = words.reads;
}

} // namespace forged
