// Asks the runtimes of a process about frames, through the reader if there is
// one.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reported_frames.h"

#define	XXH_INLINE_ALL
#include <xxhash.h>

#include <bpf/bpf.h>

#include "core/seam/space.h"
#include "os/thread_pointer.h"

namespace stack9::events {
namespace {

constexpr std::size_t most_kept = 1 << 16, most_functions = 1 << 16;

// The words of the frame that begins there; none: it is not all there.
std::span<const __u64>
frame_at(std::span<const __u64> words, std::size_t i) noexcept
{
	const std::size_t n = (words[i] & S9_WORD_MOVED) != 0 ?
	    S9_MOVED_FRAME : 2;
	return i + n <= words.size() ? words.subspan(i, n) :
	    std::span<const __u64>();
}

// A function at an address, and not another one that was there before.
std::uint64_t
function_of(std::span<const __u64> frame) noexcept
{
	constexpr std::uint64_t bits = S9_WORD_BITS;
	return (frame[0] & ~bits) ^ frame[1] << 32;
}

} // namespace

// The answer has what the runtimes say of these words.
void
reported_frames::ask(stack9_space &space, const user_copy &copy,
    stack_record &native, std::span<const __u64> words,
    std::uint64_t thread_pointer)
{
	answer_.clear();
	static_assert(sizeof(__u64) == sizeof(std::uint64_t));
	if (walk_written(space, copy, {.thread_pointer = thread_pointer,
	    .at_event = true,
	    .reported = {reinterpret_cast<const std::uint64_t *>(words.data()),
	    words.size()}}, native, answer_) != written_search::done)
		answer_.clear();
}

void
reported_frames::ask(stack9_space &space, std::span<const __u64> words)
{
	stack_record none{};
	ask(space, none_, none, words, 0);
}

bool
reported_frames::prepare(stack9_space &space, pid_t pid)
{
	stack_record none{};
	ask(space, none_, none, {}, pid == 0 ? 0 : thread_pointer(pid));
	return answer_.chain.kind != S9_CHAIN_NONE &&
	    answer_.chain.kind != S9_CHAIN_ON_STACK;
}

// A runtime may be mapped later than the process is met.  The way from a thread
// to its frames is found with the first one.
bool
reported_frames::meet(const s9_space &key, seen_process &whose)
{
	if (!wanted_ || whose.space == nullptr)
		return false;
	const std::uint64_t snapshot = space_number(*whose.space);
	reported_runtimes &its = whose.runtimes;
	if (its.chain != S9_CHAIN_NONE || its.snapshot == snapshot)
		return false;
	its.snapshot = snapshot;
	if (is_silent(*whose.space))
		return false;
	stack_record none{};
	ask(*whose.space, none_, none, {}, thread_pointer(whose.thread.pid));
	const bool published = map_ >= 0 &&
	    answer_.chain.kind != S9_CHAIN_NONE && publish(key);
	if (map_ < 0 || published)
		its.chain = answer_.chain.kind;
	return published;
}

// The process that was met first gives room: it is the likeliest to have ended.
bool
reported_frames::publish(const s9_space &key)
{
	if (published_.size() == S9_CHAINS) {
		bpf_map_delete_elem(map_, &published_.front());
		published_.pop_front();
	}
	if (bpf_map_update_elem(map_, &key, &answer_.chain, BPF_ANY) != 0)
		return false;
	published_.push_back(key);
	return true;
}

void
reported_frames::learn(seen_process &whose, std::span<const __u64> words)
{
	if (whose.space == nullptr)
		return;
	auto &known = whose.runtimes.functions;
	if (known.size() > most_functions)
		known.clear();
	fresh_.clear();
	std::span<const __u64> one;
	for (std::size_t i = 0; i < words.size(); i += one.size()) {
		one = frame_at(words, i);
		if (one.empty())
			break;
		if (known.insert(function_of(one)).second)
			fresh_.insert(fresh_.end(), one.begin(), one.end());
	}
	if (!fresh_.empty())
		ask(*whose.space, fresh_);
}

void
reported_frames::weave(const stack_record &user, std::span<const __u64> words,
    bool is_whole, woven_frames &to)
{
	to.frames.clear();
	to.lacking = false;
	if (!wanted_ || user.space == nullptr || user.depth == 0 ||
	    is_silent(*user.space))
		return;
	XXH3_state_t state;
	XXH3_128bits_reset(&state);
	XXH3_128bits_update(&state, &user.space, sizeof user.space);
	XXH3_128bits_update(&state, user.pcs, user.depth * sizeof *user.pcs);
	XXH3_128bits_update(&state, words.data(), words.size_bytes());
	const XXH128_hash_t h = XXH3_128bits_digest(&state);
	if (woven_.size() > most_kept)
		woven_.clear();
	const auto [at, is_new] = woven_.try_emplace(
	    std::array<std::uint64_t, 2>{h.low64, h.high64});
	if (is_new) {
		stack_record rec = user;
		pcs_.assign(user.pcs, user.pcs + user.depth);
		rec.pcs = pcs_.data();
		rec.max = user.depth;
		ask(*user.space, none_, rec, words, 0);
		table_.put(answer_, at->second);
	}
	to = at->second;
	to.lacking |= !is_whole;
}

void
reported_frames::weave(const seen_process &whose, const user_copy &copy,
    stack_record &user, std::span<const __u64> words, bool is_whole,
    woven_frames &to)
{
	if (whose.runtimes.chain != S9_CHAIN_ON_STACK ||
	    user.space == nullptr || user.depth == 0)
		return weave(user, words, is_whole, to);
	ask(*user.space, copy, user, words, 0);
	table_.put(answer_, to);
}

} // namespace stack9::events
