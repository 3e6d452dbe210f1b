// Declares the errors of the C++ calls: as an exception, or as a result.
// Programs include <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_RESULT_HPP
#define STACK9_CXX_RESULT_HPP

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <stack9.h>

// A program that is compiled without exceptions asks calls for results: where
// an exception would be thrown, it aborts.
#ifdef __cpp_exceptions
#define	STACK9_TRY try
#define	STACK9_CATCH(what) catch (what)
#define	STACK9_THROW(...) throw __VA_ARGS__
#else
#define	STACK9_TRY if (true)
#define	STACK9_CATCH(what) else
#define	STACK9_THROW(...) std::abort()
#endif

namespace stack9 {
inline namespace v0 {

// The exception of a call that failed.  code() has the errno in
// std::generic_category(), and reason() has the sentence.
class error : public std::system_error {
public:
	error(int number, const std::string &reason)
	    : std::system_error(number, std::generic_category(), reason),
	      reason_(std::make_shared<const std::string>(reason)) {}

	int number() const noexcept { return code().value(); }
	const std::string &reason() const noexcept { return *reason_; }

private:
	std::shared_ptr<const std::string> reason_;	// copies do not throw
};

// Asks a call for a result instead of an exception: it is the last argument.
// Such a call may throw std::bad_alloc, and what a function of the caller's
// throws.
struct as_result_t {
	explicit as_result_t() = default;
};
inline constexpr as_result_t as_result{};

// The outcome of a call.  The result is true if there is no error.  Calls that
// say so give a value together with an error.
template <typename T>
class [[nodiscard]] result {
public:
	result(T value) : value_(std::move(value)) {}
	result(int error, std::string reason)
	    : error_(error), reason_(std::move(reason)) {}
	result(int error, std::string reason, T value)
	    : value_(std::move(value)), error_(error),
	      reason_(std::move(reason)) {}

	explicit operator bool() const noexcept { return error_ == 0; }
	int error() const noexcept { return error_; }	// errno; 0: none
	const std::string &reason() const noexcept { return reason_; }

	bool has_value() const noexcept { return value_.has_value(); }
	// Throw stack9::error if there is an error.
	T &value() & { return check(), *value_; }
	const T &value() const & { return check(), *value_; }
	T value() && { return check(), std::move(*value_); }
	// Need has_value().
	T &operator*() & noexcept { return *value_; }
	const T &operator*() const & noexcept { return *value_; }
	T operator*() && { return std::move(*value_); }
	T *operator->() noexcept { return &*value_; }
	const T *operator->() const noexcept { return &*value_; }

private:
	void check() const
	{
		if (error_ != 0)
			STACK9_THROW(stack9::error(error_, reason_));
	}

	std::optional<T>	value_;
	int			error_ = 0;
	std::string		reason_;
};

template <>
class [[nodiscard]] result<void> {
public:
	result() noexcept = default;
	result(int error, std::string reason)
	    : error_(error), reason_(std::move(reason)) {}

	explicit operator bool() const noexcept { return error_ == 0; }
	int error() const noexcept { return error_; }
	const std::string &reason() const noexcept { return reason_; }
	void value() const
	{
		if (error_ != 0)
			STACK9_THROW(stack9::error(error_, reason_));
	}

private:
	int		error_ = 0;
	std::string	reason_;
};

namespace detail {

// Returns the sentence about the calling thread's last call.  That call failed.
inline std::string
reason_of(int error)
{
	return error == EINVAL ? "an argument is wrong" : ::stack9_reason();
}

inline result<void>
result_of(int error)
{
	return error == 0 ? result<void>() :
	    result<void>(error, reason_of(error));
}

template <typename T>
result<T>
result_of(int error, T value)
{
	return error == 0 ? result<T>(std::move(value)) :
	    result<T>(error, reason_of(error));
}

} // namespace detail
} // namespace v0
} // namespace stack9

#endif // STACK9_CXX_RESULT_HPP
