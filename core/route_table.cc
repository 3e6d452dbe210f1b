// Builds the table of routes from the lists of the backends.  If the table does
// not hold all of them, the library was built wrongly, and the program ends
// with a sentence.  Rejected: to leave out a route that does not fit, because
// that would pass unnoticed.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "route_table.h"

#include <cstdlib>
#include <cstring>

#include <unistd.h>

namespace stack9 {
namespace {

template <job J>
bool
add_list(const backend &b, job_row<interface_of<J>> &row) noexcept
{
	for (interface_of<J> *const r : routes_of<J>(b))
		if (!row.add(r))
			return false;
	return true;
}

// The library prints nothing else: without its table it cannot report an error.
[[noreturn]] void
refuse(const backend &b, const char *why) noexcept
{
	for (const char *text : {"stack9: backend ", b.name, ": ", why, "\n"})
		if (write(STDERR_FILENO, text, std::strlen(text)) < 0)
			break;
	std::abort();
}

route_table
build() noexcept
{
	static name_route *const names[] = {&table_route()};
	static async_route *const queues[] = {&retry_route()};
	static sibling_route *const siblings[] = {&sibling_copy_route()};
	const backend core{.name = "core", .sibling = siblings,
	    .names = names, .async = queues};
	route_table table;
	const auto add = [&](const backend &b) {
		if (const char *const why = table.add(b))
			refuse(b, why);
	};
	for (const backend *b : backends)
		add(*b);
	add(core);
	return table;
}

} // namespace

const char *
route_table::add(const backend &b) noexcept
{
	const bool fits = [&]<std::size_t... J>(std::index_sequence<J...>) {
		return (add_list<static_cast<job>(J)>(b, std::get<J>(rows_)) &&
		    ...);
	}(std::make_index_sequence<job_count>{});
	if (!fits)
		return "a job has more routes than the table holds: see "
		    "most_routes_of_a_job";
	unsigned int bits = 0;
	std::apply([&](auto &...row) {
		((row.first_bit = bits, bits += row.count), ...);
	}, rows_);
	return bits < most_routes ? nullptr :
	    "there are more routes than a mask has bits: see most_routes";
}

const route_table &
all_routes() noexcept
{
	static const route_table built = build();
	return built;
}

} // namespace stack9
