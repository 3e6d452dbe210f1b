// Reads the words of frames that were reported, and computes a number by which
// a function differs from another one at its address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "reported.h"

#include <algorithm>

namespace stack9::languages {

bool
next_reported(std::span<const std::uint64_t> &words, reported_frame &to)
{
	constexpr std::uint64_t bits = S9_WORD_BITS;
	if (words.size() < 2)
		return false;
	const bool is_moved = (words[0] & S9_WORD_MOVED) != 0;
	const std::size_t n = is_moved ? S9_MOVED_FRAME : 2;
	if (words.size() < n)
		return false;
	to = {words[0] & ~bits, static_cast<std::uint32_t>(words[1] >> 32),
	    static_cast<std::uint32_t>(words[1]),
	    (words[0] & S9_WORD_ENDS) != 0, (words[0] & S9_WORD_MARKED) != 0,
	    words.subspan(2, n - 2)};
	words = words.subspan(n);
	return true;
}

code_words
moved_code_words(const s9_frame_chain &c, const reported_frame &f)
{
	code_words all{};
	all[c.moved[0] / 8 % all.size()] = f.code;
	for (std::size_t i = 0; i < f.moved.size(); i++)
		all[c.moved[i + 1] / 8 % all.size()] = f.moved[i];
	return all;
}

namespace {

using led_words = std::array<std::uint64_t, S9_CHAIN_LED / 8>;

// The programs do the same in s9_mix_text().
std::uint64_t
mix_text(unwind::memory &m, const s9_reported_object &o, std::uint64_t at,
    std::uint64_t mixed)
{
	led_words led{};
	const auto byte = [&](unsigned short offset) {
		return led[offset / 8 % led.size()] >> 8 * (offset % 8) & 0xff;
	};
	const auto word = [&](std::size_t offset) {
		return led[offset / 8 % led.size()];
	};
	if (!m.read(at, led.data(), sizeof led))
		led.fill(0);
	const bool is_short = byte(o.text.kind) == o.text.is_short;
	const std::uint64_t size = is_short ? byte(o.text.short_length) :
	    word(o.text.length);
	if (!is_short)
		mixed = s9_cookie_on(mixed, word(o.text.bytes),
		    word(o.text.bytes + 8u), word(o.text.bytes + 16u));
	led.fill(0);
	const auto n = std::min<std::uint64_t>(size, sizeof led);
	if (!m.read(at + o.text.bytes + size - n, led.data(), n))
		return mixed;
	mixed = s9_cookie_on(mixed, size, led[0], led[1]);
	mixed = s9_cookie_on(mixed, led[2], led[3], led[4]);
	return s9_cookie_on(mixed, led[5], led[6], led[7]);
}

} // namespace

// The programs do the same in s9_cookie_of().
std::uint32_t
cookie_of(unwind::memory &m, const s9_reported_object &o,
    const code_words &code)
{
	const auto word = [&](unsigned short offset) {
		return code[offset / 8 % code.size()];
	};
	auto mixed = s9_cookie_on(0, word(o.cookie[0]), word(o.cookie[1]),
	    word(o.cookie[2]));
	led_words led{};
	for (const auto &lead : o.leads) {
		if (lead.at == S9_NOT_THERE)
			break;
		const std::uint64_t at = (lead.at & S9_IN_LED) != 0 ?
		    led[lead.at / 8 % led.size()] : word(lead.at);
		if (!m.read(at, led.data(), sizeof led))
			led.fill(0);
		mixed = s9_cookie_on(mixed, led[lead.words[0] / 8 % led.size()],
		    led[lead.words[1] / 8 % led.size()],
		    led[lead.words[2] / 8 % led.size()]);
	}
	for (unsigned int i = 0; i < o.mixed; i += 3)
		mixed = s9_cookie_on(mixed, code[i], code[i + 1], code[i + 2]);
	if (o.text.bytes != 0)
		mixed = mix_text(m, o, word(o.text.at), mixed);
	return static_cast<std::uint32_t>(mixed);
}

std::uint32_t
cookie_at(unwind::memory &m, const s9_reported_object &o, std::uint64_t at)
{
	code_words all{};
	return (o.through == S9_NOT_THERE || m.word(at + o.through, at)) &&
	    o.bytes <= sizeof all && m.read(at + o.from, all.data(), o.bytes) ?
	    cookie_of(m, o, all) : 0;
}

} // namespace stack9::languages
