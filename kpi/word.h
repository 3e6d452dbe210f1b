// Gives the atomic view of an int, as std::atomic_ref<int> does.  LLVM's C++
// library lacks that before its version 19.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>

namespace stack9 {

#ifdef __cpp_lib_atomic_ref

using word = std::atomic_ref<int>;

#else

class word {
public:
	explicit word(int &value) noexcept : value_(value) {}

	int load() const noexcept { return __atomic_load_n(&value_, order); }
	void
	store(int to) const noexcept
	{
		__atomic_store_n(&value_, to, order);
	}
	int
	fetch_add(int by) const noexcept
	{
		return __atomic_fetch_add(&value_, by, order);
	}
	int
	fetch_sub(int by) const noexcept
	{
		return __atomic_fetch_sub(&value_, by, order);
	}
	bool
	compare_exchange_strong(int &was, int to) const noexcept
	{
		return __atomic_compare_exchange_n(&value_, &was, to, false,
		    order, order);
	}
	bool
	compare_exchange_weak(int &was, int to) const noexcept
	{
		return __atomic_compare_exchange_n(&value_, &was, to, true,
		    order, order);
	}

private:
	static constexpr int order = __ATOMIC_SEQ_CST;
	int	&value_;
};

#endif

} // namespace stack9
