// Finds calls of the loop by the addresses of code on the native stack, or by
// return addresses around a variable of the loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "calls.h"

#include <algorithm>
#include <array>
#include <span>

namespace stack9::languages::python {
namespace {

// Code that has all bytecodes in it is larger.
constexpr std::uint64_t smallest_loop = 16384;
// The most words of a native frame to either side of the variable.
constexpr std::size_t reach = 256, word_bytes = sizeof(std::uint64_t);

using surroundings = std::array<std::uint64_t, reach>;

// Reads as many words as are there.
std::span<const std::uint64_t>
read_above(unwind::memory &m, std::uint64_t at, surroundings &to)
{
	for (std::size_t n = to.size(); n > 0; n /= 2)
		if (m.read(at, to.data(), n * word_bytes))
			return {to.data(), n};
	return {};
}

std::span<const std::uint64_t>
read_below(unwind::memory &m, std::uint64_t at, surroundings &to)
{
	for (std::size_t n = to.size(); n > 0; n /= 2)
		if (m.read(at - n * word_bytes, to.data(), n * word_bytes))
			return {to.data(), n};
	return {};
}

bool
has(std::span<const std::uint64_t> all, std::uint64_t one)
{
	return std::find(all.begin(), all.end(), one) != all.end();
}

} // namespace

std::unique_ptr<process::attachment>
find_places(process::file &f)
{
	static constexpr std::string_view names[] = {
		"_PyEval_EvalFrameDefault", "_PyEval_EvalFrameDefault.cold",
		"Py_Version",
	};
	found_symbol found[std::size(names)];
	find_symbols(f, names, found);
	auto made = std::make_unique<places>();
	made->loop = found[0];
	made->cold_loop = found[1];
	made->version = found[2];
	return made;
}

bool
large_functions::find(std::uint64_t vaddr, bool &is_large) const
{
	const std::lock_guard hold(lock_);
	const auto known = all_.find(vaddr);
	if (known != all_.end())
		is_large = known->second;
	return known != all_.end();
}

void
large_functions::keep(std::uint64_t vaddr, bool is_large) const
{
	constexpr std::size_t most = 4096;
	const std::lock_guard hold(lock_);
	if (all_.size() >= most)
		all_.clear();
	all_[vaddr] = is_large;
}

calls::calls(const question &q, const loaded &where, const places &p,
    const layout &l)
    : q_(q), places_(p), backing_(where.backing),
    large_(kept_with<large_functions>(where.backing)),
    bias_(where.bias), is_split_(l.minor >= 12 &&
    p.loop.vaddr != 0 && p.loop.size < smallest_loop)
{
	for (std::uint32_t i = 0; i < q.native.depth; i++)
		if (is_split_)
			pcs_.emplace_back(q.native.pcs[i], i);
		else if (is_named(i))
			at_.push_back(i);
	std::sort(pcs_.begin(), pcs_.end());
}

// Native frames of the runtime's own file only: a large function of another
// one is none of its loop.
calls::calls(const question &q, const loaded &where, const places &p)
    : q_(q), places_(p), backing_(where.backing),
    large_(kept_with<large_functions>(where.backing)),
    bias_(where.bias), is_split_(false)
{
	const bool is_split = p.loop.vaddr != 0 && p.loop.size < smallest_loop;
	for (std::uint32_t i = 0; i < q.native.depth; i++) {
		process::place at;
		if (is_named(i) || (is_split &&
		    q.space.find(q.native.pcs[i] - (i > 0), at) &&
		    at.backing == &where.backing && is_loop(i)))
			at_.push_back(i);
	}
}

bool
calls::is_named(std::uint32_t i) const
{
	const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
	const auto is_in = [&](const found_symbol &s) {
		return s.vaddr != 0 && pc - bias_ - s.vaddr < s.size;
	};
	return is_in(places_.loop) || is_in(places_.cold_loop);
}

// Where each bytecode is a function of its own (3.14 and later), the variable
// is in the function that calls the first of them, or in one that this has
// become a part of.
bool
calls::is_loop(std::uint32_t i) const
{
	const std::uint64_t pc = q_.native.pcs[i] - (i > 0);
	process::place at;
	unwind::row r;
	bool is_large = false;
	if (is_named(i))
		return true;
	const bool is_own = q_.space.find(pc, at) && at.backing == &backing_;
	if (is_own && large_.find(pc - bias_, is_large))
		return is_large;
	if (q_.code.row_of(pc, r) != unwind::found::yes)
		return false;
	is_large = r.end - r.begin >= smallest_loop;
	if (is_own)
		large_.keep(pc - bias_, is_large);
	return is_large;
}

// The variables of a native frame lie between the address that it returns to
// and the one that what it has called returns to.  Both are looked for, because
// a word alone may be left over from an earlier call.
bool
calls::find_host(std::uint64_t variable)
{
	surroundings in_above, in_below;
	if (pcs_.empty() || variable % word_bytes != 0)
		return false;
	const auto above = read_above(q_.words, variable, in_above);
	const auto below = read_below(q_.words, variable, in_below);
	for (const std::uint64_t w : above)
		for (auto i = std::lower_bound(pcs_.begin(), pcs_.end(),
		    std::pair{w, host_ + 1}); i != pcs_.end() && i->first == w;
		    ++i) {
			const std::uint32_t host = i->second - 1;
			if (host != 0 && !has(below, q_.native.pcs[host]))
				continue;
			host_ = i->second;
			return true;
		}
	return false;
}

bool
calls::next(std::uint64_t entry, call &to)
{
	if (!is_split_) {
		if (n_ == at_.size())
			return false;
		to = {at_[n_++], true};
		return true;
	}
	if (!find_host(entry)) {
		pcs_.clear();	// it is unknown how many were passed by
		return false;
	}
	to = {host_ - 1, is_loop(host_ - 1)};
	return true;
}

} // namespace stack9::languages::python
