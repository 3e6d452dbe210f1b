// Puts into few lines what threads that have the same stack wait for.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "waits.h"

#include <algorithm>
#include <map>
#include <utility>

#include "columns.h"
#include "printer.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

struct several {
	const found_wait	*first;
	std::size_t		 threads = 0;
};

// The most frequent ones first.
std::vector<std::pair<std::string, several>>
sorted(const std::map<std::string, several> &by_words)
{
	std::vector<std::pair<std::string, several>> all(by_words.begin(),
	    by_words.end());
	std::stable_sort(all.begin(), all.end(),
	    [](const auto &a, const auto &b) {
		    return a.second.threads > b.second.threads;
	    });
	return all;
}

std::map<std::string, several>
by_words(const found_waits &waits, const std::vector<thread_facts> &threads)
{
	std::map<std::string, several> all;
	for (const thread_facts &m : threads) {
		const found_wait *const w = waits.of(m.thread.tid);
		const std::string words = w == nullptr ? std::string() :
		    waits.untimed_text(*w);
		if (!words.empty())
			all.try_emplace(words, several{w}).first->
			    second.threads++;
	}
	return all;
}

} // namespace

void
put_waits(fmt::memory_buffer &out, const found_waits &waits,
    const std::vector<thread_facts> &threads)
{
	constexpr std::size_t most = 4;
	const auto all = sorted(by_words(waits, threads));
	std::size_t rest = 0;
	for (std::size_t i = 0; i < all.size(); i++) {
		const auto &[words, s] = all[i];
		if (i >= most) {
			rest += s.threads;
			continue;
		}
		append(out, "{}", i == 0 ? "  waits   " : margin);
		if (s.threads != threads.size())
			append(out, "{} ", amount(s.threads, "thread"));
		append(out, "for {}\n", words);
	}
	if (rest != 0)
		append(out, "{}{} for others\n", margin,
		    amount(rest, "thread"));
	const std::size_t moved = waits.only_known() ? 0 :
	    static_cast<std::size_t>(
	    std::count_if(threads.begin(), threads.end(),
	    [&](const thread_facts &m) {
		const found_wait *const w = waits.of(m.thread.tid);
		return w != nullptr && w->has_moved();
	    }));
	if (moved != 0)
		append(out, "{}{} moved meanwhile\n", all.empty() ?
		    "  waits   " : margin, amount(moved, "thread"));
}

void
put_wait_members(fmt::memory_buffer &out, const found_waits &waits,
    const std::vector<thread_facts> &threads)
{
	const char *comma = "";
	append_text(out, ",\"waits\":[");
	for (const auto &[words, s] : sorted(by_words(waits, threads))) {
		append(out, "{}{{\"count\":{},\"wait\":{}}}", comma,
		    s.threads, wait_object(*s.first));
		comma = ",";
	}
	append_text(out, "]");
}

} // namespace stackprint
