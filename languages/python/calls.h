// Finds the native frames that run the interpreter's loop.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/runtime.h"
#include "languages/symbols.h"

#include "layout.h"

namespace stack9::languages::python {

// Says what the file of a runtime has, by addresses of its image.
struct places final : process::attachment {
	found_symbol	loop, cold_loop, version;
};

// The functions of a file that are as large as a loop, by addresses in them.
// Each is looked up once: the unwind information of a loop is long, and how
// often that is read has a limit.
class large_functions final : public process::attachment {
public:
	// False: it is not known.
	bool find(std::uint64_t vaddr, bool &is_large) const;
	// Throws std::bad_alloc.
	void keep(std::uint64_t vaddr, bool is_large) const;

private:
	mutable std::mutex lock_;
	mutable std::unordered_map<std::uint64_t, bool> all_;
};

// Gives the places of a file.  Throws std::bad_alloc.
std::unique_ptr<process::attachment> find_places(process::file &);

// A call of the loop.
struct call {
	std::uint32_t	at = 0;		// index of the native frame
	bool		is_loop = true;	// it does nothing else
};

// The calls of the loop, innermost first.
//
// A compiler may move most of the loop out of the function that has its name,
// to where code is that seldom runs, and a stripped file does not name that.
// Since 3.12 the frame without code that stands for a call is a variable of the
// loop, so that the native frame is known by it.
class calls {
public:
	calls(const question &, const loaded &, const places &, const layout &);
	// Without the stack's memory, where large functions are taken for the
	// loop that is split.
	calls(const question &, const loaded &, const places &);

	// Gives the next call.  entry: the frame that ends its functions.
	// False: there is none.
	bool next(std::uint64_t entry, call &);
	// True if there can be any.
	bool may_follow() const noexcept { return is_split_ || !at_.empty(); }
	// How many are known beforehand.
	std::size_t count() const noexcept { return at_.size(); }

private:
	bool is_named(std::uint32_t i) const;
	bool is_loop(std::uint32_t i) const;
	bool find_host(std::uint64_t variable);

	const question		&q_;
	const places		&places_;
	const process::file	&backing_;
	const large_functions	&large_;
	const std::uint64_t	bias_;
	const bool		is_split_;
	std::vector<std::uint32_t> at_;		// of loops
	std::size_t		n_ = 0;
	// By addresses, with their indices.
	std::vector<std::pair<std::uint64_t, std::uint32_t>> pcs_;
	std::uint32_t		host_ = 0;
};

} // namespace stack9::languages::python
