// Declares the reports and the settings of stack9 for C++: versions, routes,
// counts, pinned programs.  Programs include <stack9.hpp>; that includes this
// file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_MACHINE_HPP
#define STACK9_CXX_MACHINE_HPP

#include <cstdint>
#include <new>
#include <string>
#include <vector>

#include <stack9/cxx/result.hpp>
#include <stack9/cxx/thread.hpp>

namespace stack9 {
inline namespace v0 {

// The versions of this header, and of the library that runs: 10000 * major +
// 100 * minor + patch.
inline constexpr int header_version = STACK9_VERSION;

inline int
version() noexcept
{
	return ::stack9_version();
}

// A route of a job, and whether this machine and these rights allow it.
struct route {
	std::string	job, name;
	int		error;		// 0, EPERM, EOPNOTSUPP, ...
	std::string	reason;		// about the error, or what it does
};

// All routes, by job, in the order in which they are tried.
inline std::vector<route>
routes()
{
	std::vector<route> all;
	const auto append = [](void *arg, const char *job, const char *name,
	    int error, const char *reason) noexcept {
		STACK9_TRY {
			static_cast<std::vector<route> *>(arg)->push_back(
			    {job, name, error, reason});
			return 0;
		} STACK9_CATCH(const std::bad_alloc &) {
			return ENOMEM;
		}
	};
	if (::stack9_routes(append, &all) != 0)
		STACK9_THROW(std::bad_alloc());
	return all;
}

// A count of the unwinder of this process's stacks.
struct stat {
	std::string	name;
	std::uint64_t	value;
	std::string	meaning;
};

inline std::vector<stat>
stats()
{
	std::vector<stat> all;
	const auto append = [](void *arg, const char *name,
	    std::uint64_t value, const char *meaning) noexcept {
		STACK9_TRY {
			static_cast<std::vector<stat> *>(arg)->push_back(
			    {name, value, meaning});
			return 0;
		} STACK9_CATCH(const std::bad_alloc &) {
			return ENOMEM;
		}
	};
	if (::stack9_stats(append, &all) != 0)
		STACK9_THROW(std::bad_alloc());
	return all;
}

// A thing that names and lines lack because a file lacks it, or cannot be read
// here.
struct file_note {
	std::string	file;
	std::string	lacks;		// a word: "split-files"
	std::string	meaning;	// a sentence: what would help
};

inline std::vector<file_note>
file_notes()
{
	std::vector<file_note> all;
	const auto append = [](void *arg, const char *file, const char *lacks,
	    const char *meaning) noexcept {
		STACK9_TRY {
			static_cast<std::vector<file_note> *>(arg)->push_back(
			    {file, lacks, meaning});
			return 0;
		} STACK9_CATCH(const std::bad_alloc &) {
			return ENOMEM;
		}
	};
	if (::stack9_file_notes(append, &all) != 0)
		STACK9_THROW(std::bad_alloc());
	return all;
}

// Restricts the jobs to the named routes; "" means all routes.  ENOENT: no
// route has one of the names.
inline result<void>
force(const std::string &routes, as_result_t)
{
	return detail::result_of(::stack9_force(routes.c_str()));
}

inline void
force(const std::string &routes)
{
	force(routes, as_result).value();
}

// Keeps BPF programs in a bpffs directory, for later processes.
inline result<void>
pin(const std::string &dir, as_result_t)
{
	return detail::result_of(::stack9_pin(dir.c_str()));
}

inline void
pin(const std::string &dir)
{
	pin(dir, as_result).value();
}

// Loads what the first capture of a side needs.
inline result<void>
prepare(side of, as_result_t)
{
	return detail::result_of(::stack9_prepare(static_cast<int>(of)));
}

inline void
prepare(side of)
{
	prepare(of, as_result).value();
}

// Has the files of other processes read by a child without rights.
inline result<void>
read_apart(unsigned int flags, as_result_t)
{
	return detail::result_of(::stack9_read_apart(flags));
}

inline void
read_apart(unsigned int flags = 0)
{
	read_apart(flags, as_result).value();
}

// Sets the signal that asks a running sibling thread for its stack.  EINVAL:
// not a real-time signal; EBUSY: already in use.
inline result<void>
set_signal(int number, as_result_t)
{
	return detail::result_of(::stack9_set_signal(number));
}

inline void
set_signal(int number)
{
	set_signal(number, as_result).value();
}

// Returns a readable name, as in the source of C++, Rust or D; name itself if
// it is not mangled.
inline std::string
demangle(const std::string &name)
{
	std::string text(256, '\0');
	std::size_t need = 0;
	const int error = ::stack9_demangle(name.c_str(), text.data(),
	    text.size(), &need);
	if (error != 0 && error != ENOSPC)
		return name;
	text.resize(need);
	if (error == ENOSPC && ::stack9_demangle(name.c_str(), text.data(),
	    text.size(), &need) != 0)
		return name;
	text.resize(need - 1);
	return text;
}

} // namespace v0
} // namespace stack9

#endif // STACK9_CXX_MACHINE_HPP
