// Declares address spaces and lists of addresses as values of C++.  Programs
// include <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_SPACE_HPP
#define STACK9_CXX_SPACE_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <stack9/cxx/frame.hpp>
#include <stack9/cxx/thread.hpp>

namespace stack9 {
inline namespace v0 {

// A snapshot of the address space of a process.  It names the addresses in its
// stacks and outlives the process.  Copies share it; equal spaces are equal
// mappings of code.  A default one is false: the kernel, or the calling
// process.
class space {
public:
	space() noexcept = default;
	explicit space(::stack9_space *c) noexcept
	    : c_(c != nullptr ? ::stack9_space_hold(c) : nullptr) {}
	space(const space &o) noexcept : space(o.c_) {}
	space(space &&o) noexcept : c_(std::exchange(o.c_, nullptr)) {}
	space &
	operator=(space o) noexcept
	{
		std::swap(c_, o.c_);
		return *this;
	}
	~space() { ::stack9_space_close(c_); }

	// The space that td's process has now.
	static result<space>
	of(const thread &td, as_result_t)
	{
		space s;
		const int error = ::stack9_space_open(&td.c(), &s.c_);
		return detail::result_of(error, std::move(s));
	}
	static space of(const thread &td) { return of(td, as_result).value(); }

	// A space of one ELF file, in which addresses are those of its image.
	static result<space>
	of_file(const char *path, as_result_t)
	{
		space s;
		const int error = ::stack9_space_open_file(path, &s.c_);
		return detail::result_of(error, std::move(s));
	}
	static space
	of_file(const char *path)
	{
		return of_file(path, as_result).value();
	}

	// A space without a process.  It names places in files that are found
	// by their build-ids in these directories and files.
	static result<space>
	of_build_ids(const std::vector<std::string> &paths, as_result_t)
	{
		std::vector<const char *> all;
		for (const std::string &path : paths)
			all.push_back(path.c_str());
		space s;
		const int error = ::stack9_space_open_build_ids(all.data(),
		    static_cast<std::uint32_t>(all.size()), &s.c_);
		return detail::result_of(error, std::move(s));
	}
	static space
	of_build_ids(const std::vector<std::string> &paths)
	{
		return of_build_ids(paths, as_result).value();
	}
	// The address that stands for a place in such a space, for frames_at().
	result<std::uint64_t>
	address_of(const place &p, as_result_t) const
	{
		const auto digit = [](char c) {
			return c >= 'a' ? c - 'a' + 10 : c - '0';
		};
		std::vector<unsigned char> id;
		for (std::size_t i = 0; i + 1 < p.build_id.size(); i += 2)
			id.push_back(static_cast<unsigned char>(
			    digit(p.build_id[i]) << 4 |
			    digit(p.build_id[i + 1])));
		::stack9_place c{};
		c.size = sizeof c;
		c.build_id = id.data();
		c.build_id_size = static_cast<std::uint32_t>(id.size());
		c.module = p.module.c_str();
		c.vaddr = p.vaddr;
		std::uint64_t pc = 0;
		const int error = ::stack9_space_place(c_, &c, &pc);
		return detail::result_of(error, pc);
	}
	std::uint64_t
	address_of(const place &p) const
	{
		return address_of(p, as_result).value();
	}

	explicit operator bool() const noexcept { return c_ != nullptr; }
	::stack9_space *c() const noexcept { return c_; }

	friend bool
	operator==(const space &a, const space &b) noexcept
	{
		return a.c_ == b.c_;
	}
	friend bool
	operator!=(const space &a, const space &b) noexcept
	{
		return a.c_ != b.c_;
	}

private:
	::stack9_space	*c_ = nullptr;
};

// Returns the frames of one address: of a process, by its space, or of the
// kernel or the calling process.  Say naming::return_address of a return
// address.
inline frame_list
frames_at(const space &s, std::uint64_t pc, naming how = naming::usual)
{
	return detail::list_frames([&](::stack9_frame_fn *fn, void *arg) {
		return ::stack9_frame_at(s.c(), pc,
		    static_cast<unsigned int>(how), fn, arg);
	});
}

inline frame_list
frames_at(std::uint64_t pc, naming how = naming::usual)
{
	return frames_at(space(), pc, how);
}

// Returns the frames of a place, by a space of of_build_ids().
inline frame_list
frames_at(const space &s, const place &p, naming how = naming::usual)
{
	return frames_at(s, s.address_of(p), p.exact ? how :
	    how | naming::return_address);
}

// The addresses of a stack, innermost first.  It is a range, and a view and a
// borrowed range of C++20.  It is valid as long as its stack.
class pc_list {
public:
	pc_list() noexcept = default;
	pc_list(const std::uint64_t *pcs, std::size_t n) noexcept
	    : begin_(pcs), end_(pcs + n) {}

	const std::uint64_t *begin() const noexcept { return begin_; }
	const std::uint64_t *end() const noexcept { return end_; }
	std::size_t
	size() const noexcept
	{
		return static_cast<std::size_t>(end_ - begin_);
	}
	bool empty() const noexcept { return begin_ == end_; }
	std::uint64_t
	operator[](std::size_t i) const noexcept
	{
		return begin_[i];
	}

private:
	const std::uint64_t	*begin_ = nullptr, *end_ = nullptr;
};

} // namespace v0
} // namespace stack9

template <>
struct std::hash<stack9::space> {
	std::size_t
	operator()(const stack9::space &s) const noexcept
	{
		return std::hash<const void *>()(s.c());
	}
};

#ifdef STACK9_CXX_RANGES
template <>
inline constexpr bool std::ranges::enable_view<stack9::pc_list> = true;
template <>
inline constexpr bool
    std::ranges::enable_borrowed_range<stack9::pc_list> = true;
#endif

#endif // STACK9_CXX_SPACE_HPP
