// Computes medians and percentiles of figures.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

// The figure that so many in a hundred do not exceed; NaN of none.
template <typename Number>
double
percentile(std::vector<Number> all, std::size_t percent)
{
	if (all.empty())
		return std::numeric_limits<double>::quiet_NaN();
	const auto at = all.begin() +
	    static_cast<std::ptrdiff_t>((all.size() - 1) * percent / 100);
	std::nth_element(all.begin(), at, all.end());
	return static_cast<double>(*at);
}

template <typename Number>
double
median(const std::vector<Number> &all)
{
	return percentile(all, 50);
}

template <typename Number>
double
lowest(const std::vector<Number> &all)
{
	return percentile(all, 0);
}
