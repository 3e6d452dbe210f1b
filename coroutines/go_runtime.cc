// Searches the data of a process for runtime.allgs and for
// runtime.waitReasonStrings.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_runtime.h"

#include <algorithm>
#include <array>

#include "budgets/budgets.h"

namespace stack9::coroutines {
namespace {

// Both lie in .data and at the beginning of .bss.  These have up to 2 MB in the
// largest programs.
constexpr std::size_t searched_at_once = 256 * budgets::KiB;
// A slice has a pointer, a length and a capacity.
constexpr std::size_t slice_words = 3, table_words = 6;
constexpr std::uint64_t count_max = std::uint64_t{1} << 32;
constexpr std::size_t tried = 16, learned = 256;
constexpr std::size_t word_max = 64;

std::vector<goroutine>
read_goroutines(const memory &m, std::span<const std::uint64_t> at)
{
	std::vector<goroutine> all(at.size());
	std::vector<wanted> places;
	for (std::size_t i = 0; i < at.size(); i++)
		if (at[i] != 0)
			places.push_back({at[i], &all[i].bytes,
			    goroutine::size});
	m.read_all(places);
	for (std::size_t i = at.size(); i-- > 0;)
		if (at[i] == 0 || !all[i].may_be_at(at[i]))
			all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
	return all;
}

} // namespace

// Calls f with the address and the words of one part after the other.  Parts
// overlap, and f returns false to end it.
template <class F>
void
go_runtime::each_part(std::uint64_t from, std::uint64_t to, F f)
{
	constexpr std::size_t words = searched_at_once / 8 + table_words;
	if (part_ == nullptr)
		part_ = std::make_unique_for_overwrite<std::uint64_t[]>(words);
	for (bool more = true; more && from < to && left_ != 0;
	    from += searched_at_once) {
		const std::size_t got = memory_.read_some(from, part_.get(),
		    std::min<std::uint64_t>({to - from, left_, words * 8}));
		left_ -= std::min<std::uint64_t>(left_, searched_at_once);
		more = f(from, std::span(part_.get(), got / 8));
	}
}

// Only where the words are is the list searched for: the words lie in what
// comes from the file, so that little is read of other programs.
//
// The garbage collector has a copy of the list while it works.  It may be older
// and shorter.  So a part is searched to its end, and the longest list counts.
bool
go_runtime::find()
{
	left_ = budgets::of(budgets::goroutine_search);
	for (const data_region &r : memory_.data()) {
		each_part(r.start, r.file_end, [&](std::uint64_t at, auto in) {
			search_words(at, in);
			return words_ == 0;
		});
		if (words_ == 0)
			continue;
		each_part(r.start, r.end, [&](std::uint64_t, auto in) {
			search_list(in);
			return list_ == 0;
		});
		if (list_ != 0)
			return true;
		words_ = 0;
	}
	return false;
}

void
go_runtime::search_words(std::uint64_t from, std::span<const std::uint64_t> in)
{
	for (std::size_t i = 0; i + table_words <= in.size(); i++)
		if (in[i + 1] == 0 && is_table(in.subspan(i, table_words))) {
			words_ = from + i * 8;
			return;
		}
}

void
go_runtime::search_list(std::span<const std::uint64_t> in)
{
	for (std::size_t i = 0; i + slice_words <= in.size(); i++) {
		const std::uint64_t at = in[i], count = in[i + 1],
		    capacity = in[i + 2];
		if (count > count_ && count <= capacity &&
		    capacity <= count_max && at % 8 == 0 &&
		    memory_.may_be_heap(at, count * 8) && is_list(at, count)) {
			list_ = at;
			count_ = count;
		}
	}
}

// The first words are those of the first goroutines; most of these live as long
// as the program.
bool
go_runtime::is_list(std::uint64_t at, std::uint64_t count)
{
	std::array<std::uint64_t, learned> some;
	const auto list = std::span(some).first(std::min<std::uint64_t>(count,
	    learned));
	const auto first = list.first(std::min(list.size(), tried));
	if (!memory_.read(at, list.data(), list.size_bytes()))
		return false;
	for (std::uint64_t &a : list)
		if (a % 8 != 0 || !memory_.may_be_heap(a))
			a = 0;
	if (first[0] == 0 ||
	    read_goroutines(memory_, first.first(1)).empty() ||
	    read_goroutines(memory_, first).size() * 4 < first.size() * 3)
		return false;
	layout l;
	if (!l.find(read_goroutines(memory_, list)))
		return false;
	layout_ = l;
	return true;
}

// The first three words are "", "GC assist marking" and "IO wait".
bool
go_runtime::is_table(std::span<const std::uint64_t> w) const
{
	std::string second, third;
	return w[3] == 17 && w[5] == 7 && read_word(w[2], w[3], second) &&
	    second == "GC assist marking" && read_word(w[4], w[5], third) &&
	    third == "IO wait";
}

bool
go_runtime::read_word(std::uint64_t at, std::uint64_t size, std::string &to)
    const
{
	to.assign(size <= word_max ? size : 0, '\0');
	return !to.empty() && memory_.read(at, to.data(), to.size()) &&
	    std::all_of(to.begin(), to.end(), [](char c) {
		return c >= ' ' && c <= '~';
	});
}

// The words after the end of the table are some others of the program; a
// goroutine has no such number.
const std::string &
go_runtime::wait_word(std::uint8_t number)
{
	const auto [at, is_new] = known_.try_emplace(number);
	std::array<std::uint64_t, 2> header;
	if (is_new && (number == 0 ||
	    !memory_.read(words_ + 16 * std::uint64_t{number}, header.data(),
	    sizeof header) || !read_word(header[0], header[1], at->second)))
		at->second = "waiting";
	return at->second;
}

const char *
go_runtime::state(const goroutine &g)
{
	switch (layout_.state(g)) {
	case status::runnable:
		return "runnable";
	case status::running:
		return "running";
	case status::syscall:
		return "syscall";
	case status::copystack:
		return "copystack";
	case status::preempted:
		return "preempted";
	case status::waiting:
	case status::leaked:
		return wait_word(layout_.reason(g)).c_str();
	default:
		return "dead";
	}
}

std::size_t
go_runtime::list(std::uint64_t n, std::span<std::uint64_t> to) const noexcept
{
	const auto part = to.first(std::min<std::uint64_t>(to.size(),
	    count_ - std::min(n, count_)));
	if (!memory_.read(list_ + n * 8, part.data(), part.size_bytes()))
		return 0;
	for (std::uint64_t &a : part)
		if (a % 8 != 0 || !memory_.may_be_heap(a))
			a = 0;
	return part.size();
}

} // namespace stack9::coroutines
