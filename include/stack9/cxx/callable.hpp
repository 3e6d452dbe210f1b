// Hands callables to the C calls.  No exception passes through these.  Programs
// include <stack9.hpp>; that includes this file.
//
// SPDX-License-Identifier: BSD-2-Clause
#ifndef STACK9_CXX_CALLABLE_HPP
#define STACK9_CXX_CALLABLE_HPP

#include <cerrno>
#include <exception>
#include <type_traits>

#include <stack9/cxx/result.hpp>

namespace stack9 {
inline namespace v0 {

// The answer of a callable that can end the call that called it.  Such a call
// returns stop if it was ended so, and on if the callable has seen everything.
enum class go { on, stop };

namespace detail {

// Calls fn with an argument that is lent.  An exception ends the C call that is
// under way, and finish() throws it again after that call.
template <typename Fn, typename Lent>
class relay {
	using answer = std::invoke_result_t<Fn &, const Lent &>;
	static_assert(std::is_void_v<answer> || std::is_same_v<answer, go>,
	    "the function returns void, or stack9::go: on or stop");

public:
	explicit relay(Fn &fn) noexcept : fn_(fn) {}

	int
	call(const Lent &lent) noexcept
	{
		return make([&]() -> const Lent & { return lent; });
	}
	// Calls fn with what make() gives.  make() may throw, too.
	template <typename Make>
	int
	make(Make make) noexcept
	{
		STACK9_TRY {
			if constexpr (std::is_void_v<answer>)
				return fn_(make()), 0;
			else
				return fn_(make()) == go::on ? 0 : 1;
		} STACK9_CATCH(...) {
			thrown_ = std::current_exception();
			return 1;
		}
	}
	void
	rethrow() const
	{
		if (thrown_)
			std::rethrow_exception(thrown_);
	}
	result<go>
	finish(int error) const
	{
		rethrow();
		return error == ECANCELED ? go::stop :
		    result_of(error, go::on);
	}

private:
	Fn			&fn_;
	std::exception_ptr	 thrown_;
};

} // namespace detail
} // namespace v0
} // namespace stack9

#endif // STACK9_CXX_CALLABLE_HPP
