// Adds up the runs of each thread in each stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "segment_values.h"

#include <map>
#include <tuple>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "tools/record/model_frames.h"

namespace servers {
namespace {

// A file of an enemy could ask for any amount of memory by pairs of long
// stacks.
constexpr std::size_t most_frames = std::size_t{1} << 25;

class maker {
public:
	explicit maker(const recording::segment &s)
	    : segment_(s), known_(s.frames().size()) {}

	profiles::profile	make(const batch &);

private:
	void		add_side(std::uint32_t stack,
			    std::vector<std::uint32_t> &to);
	void		add_sides(std::uint32_t kernel, std::uint32_t user,
			    std::vector<std::uint32_t> &to);
	std::uint32_t	frame(std::uint32_t number);
	std::uint32_t	note(const std::string &);

	const recording::segment &segment_;
	profiles::profile	 to_;
	std::vector<std::uint32_t> known_;	// number + 1, by frame
	std::map<std::string, std::uint32_t> notes_;
	std::size_t		 frames_ = 0;	// of all stacks
};

std::uint32_t
maker::frame(std::uint32_t number)
{
	std::uint32_t &known = known_[number - 1];
	if (known == 0) {
		to_.frames.push_back(recording::to_model(segment_, number));
		known = static_cast<std::uint32_t>(to_.frames.size());
	}
	return known - 1;
}

std::uint32_t
maker::note(const std::string &text)
{
	const auto [at, is_new] = notes_.try_emplace(text,
	    static_cast<std::uint32_t>(to_.frames.size()));
	if (is_new) {
		profiles::frame &f = to_.frames.emplace_back();
		f.kind = profiles::frame_kind::note;
		f.name = text;
	}
	return at->second;
}

void
maker::add_side(std::uint32_t stack, std::vector<std::uint32_t> &to)
{
	if (stack == 0)
		return;
	const recording::stack &from = segment_.stack_of(stack);
	if (const std::string text = recording::note_of(from); !text.empty())
		to.push_back(note(text));
	for (auto f = from.frames.rbegin(); f != from.frames.rend(); ++f)
		to.push_back(frame(*f));
}

void
maker::add_sides(std::uint32_t kernel, std::uint32_t user,
    std::vector<std::uint32_t> &to)
{
	if (frames_ > most_frames) {
		to.push_back(note("[too many stacks]"));
		return;
	}
	add_side(user, to);
	add_side(kernel, to);
	frames_ += to.size();
}

profiles::profile
maker::make(const batch &b)
{
	using key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t,
	    std::string>;
	std::map<key, std::uint64_t> sums;
	for (const run &r : b.runs)
		if (r.event == 0)
			sums[{r.thread, r.kernel, r.user, r.comm}] += r.weight;
	for (const auto &[k, ticks] : sums) {
		const auto &[thread, kernel, user, comm] = k;
		profiles::stack &s = to_.stacks.emplace_back();
		add_sides(kernel, user, s.frames);
		s.comm = comm;
		s.tid = segment_.thread_of(thread).tid;
		s.pid = segment_.process_of(thread).pid;
		s.cgroup = segment_.process_of(thread).cgroup;
		s.events = s.weight = ticks;
	}
	return std::move(to_);
}

} // namespace

std::uint64_t
boot_number(const recording::segment_info &i)
{
	const std::string all = i.host + '\n' + i.machine_id + '\n' +
	    i.boot_id;
	return XXH3_64bits(all.data(), all.size());
}

profiles::profile
profile_of(const recording::segment &s, const batch &b)
{
	profiles::profile p = maker(s).make(b);
	const recording::segment_info &i = s.info();
	p.event = "threads";
	p.unit = "samples";
	p.host = i.host;
	p.period_ns = i.period_ns;
	p.began_ns = static_cast<std::uint64_t>(b.first_ns);
	p.took_ns = static_cast<std::uint64_t>(b.last_ns - b.first_ns) +
	    i.period_ns;
	const std::uint64_t which = i.boot_ns ^ b.minute << 1 ^
	    std::uint64_t{b.part} << 48;
	for (std::uint64_t half : {boot_number(i), which})
		for (unsigned int byte = 0; byte < 8; byte++, half >>= 8)
			p.id += static_cast<char>(half);
	return p;
}

} // namespace servers
