// Makes calls, chosen by bytes, that the real sbuf and its model both get.
// The property test and the fuzzer share it.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include "model.h"

namespace stack9_test {

// Bytes that decide what happens next; 0 when there are none left.
class script {
public:
	explicit script(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

	bool	done() const { return bytes_.empty(); }

	unsigned int
	below(unsigned int n)
	{
		if (bytes_.empty())
			return 0;
		const unsigned int byte = bytes_.front();
		bytes_ = bytes_.subspan(1);
		return byte % n;
	}

	std::string
	text(unsigned int longest)
	{
		static constexpr char letters[] = "ab \n\t%z7";
		std::string s(below(longest + 1), ' ');
		for (char &c : s)
			c = letters[below(8)];
		return s;
	}

private:
	std::span<const std::uint8_t> bytes_;
};

// The two side by side.
class duel {
public:
	explicit duel(script &from) : from_(from)
	{
		static constexpr int drains[][4] = {
			{99, 99, 99, 99}, {1, 1, 1, 1}, {3, 40, 1, 7},
			{2, 0, 2, 2}, {5, 1, -EIO, 1},
		};
		const unsigned int size = 2 + from_.below(63);
		const int flags = static_cast<int>(from_.below(16));
		const unsigned int plan = from_.below(6);

		storage_ = std::make_unique<char[]>(size);
		sbuf_new(&real_, storage_.get(), static_cast<int>(size), flags);
		model_ = std::make_unique<model>(size, flags);
		if (plan == 5)
			return;
		for (tap *t : {&real_tap_, &model_tap_})
			t->plan.assign(std::begin(drains[plan]),
			    std::end(drains[plan]));
		sbuf_set_drain(&real_, tap::drain, &real_tap_);
		model_->drain_to = &model_tap_;
	}

	~duel() { sbuf_delete(&real_); }

	// Returns what went wrong, or "".
	std::string
	run()
	{
		while (!from_.done()) {
			const unsigned int call = from_.below(14);
			step(call);
			steps_++;
			if (const std::string s = difference(); !s.empty())
				return s + " after call " +
				    std::to_string(call);
		}
		return {};
	}

	unsigned long	steps() const { return steps_; }

private:
	void	step(unsigned int call);
	void	print();
	void	section_end();
	std::string	difference();

	void
	returned(long real, long wanted)
	{
		real_result_ = real;
		wanted_result_ = wanted;
	}

	script			&from_;
	struct sbuf		 real_;
	std::unique_ptr<char[]>	 storage_;	// exact, so that ASan guards it
	std::unique_ptr<model>	 model_;
	tap			 real_tap_, model_tap_;
	std::vector<ssize_t>	 outer_;
	long			 real_result_ = 0, wanted_result_ = 0;
	unsigned long		 steps_ = 0;
};

inline void
duel::step(unsigned int call)
{
	const std::string text = from_.text(call < 3 ? 70 : 3);
	const char c = text.empty() ? '\0' : text[0];

	switch (call) {
	case 0:
		returned(sbuf_cat(&real_, text.c_str()), model_->append(text));
		break;
	case 1:
		returned(sbuf_bcat(&real_, text.data(), text.size()),
		    model_->append(text));
		break;
	case 2:
		sbuf_cpy(&real_, text.c_str());
		model_->clear();
		model_->append(text);
		break;
	case 3:
		returned(sbuf_putc(&real_, c), model_->append({c}));
		break;
	case 4:
		returned(sbuf_nl_terminate(&real_), model_->newline());
		break;
	case 5:
		returned(sbuf_trim(&real_), model_->trim());
		break;
	case 6: {
		const long pos = static_cast<long>(from_.below(80)) - 2;
		returned(sbuf_setpos(&real_, pos), model_->cut(pos));
		break;
	}
	case 7:
		sbuf_clear(&real_);
		model_->clear();
		break;
	case 8:
		returned(sbuf_finish(&real_), model_->finish());
		break;
	case 9: {
		ssize_t real = 0, wanted = 0;
		sbuf_start_section(&real_, &real);
		model_->begin(wanted);
		returned(real, wanted);
		if (!model_->finished)
			outer_.push_back(wanted);
		break;
	}
	case 10:
		section_end();
		break;
	case 11:
		returned(sbuf_drain(&real_), model_->drain_once());
		break;
	default:
		print();
	}
}

inline void
duel::section_end()
{
	const ssize_t outer = outer_.empty() ? -1 : outer_.back();
	const unsigned int pad = from_.below(9);

	if (!outer_.empty() && !model_->finished)
		outer_.pop_back();
	returned(sbuf_end_section(&real_, outer, pad, '.'),
	    model_->end(outer, pad, '.'));
}

// Formats in which the kernel and C agree.
inline void
duel::print()
{
	const std::string text = from_.text(40);
	const char *const str = text.c_str();
	const int n = static_cast<int>(from_.below(256)) * 65537 - 8388608;
	const int cut = static_cast<int>(from_.below(50));
	char wanted[256];

#define	BOTH(...) do {							\
	std::snprintf(wanted, sizeof wanted, __VA_ARGS__);		\
	returned(sbuf_printf(&real_, __VA_ARGS__), model_->append(wanted)); \
} while (0)
	switch (from_.below(8)) {
	case 0: BOTH("%d %u %o %x %X", n, n, n, n, n); break;
	case 1: BOTH("[%12d|%-12d|%012d]", n, n, n); break;
	case 2: BOTH("%#x %#lx %#o %p", n | 1, long{n} << 8 | 1, n | 1, str);
		break;
	case 3: BOTH("%s%%%s", str, "tail"); break;
	case 4: BOTH("%.*s|%*s|%-*s|", cut, str, cut, "r", cut, "l"); break;
	case 5: BOTH("%hhd %hd %ld %jd", static_cast<signed char>(n),
		    static_cast<short>(n), long{n}, std::intmax_t{n});
		break;
	case 6: BOTH("%c%5c%-5c", 'a', 'b', 'c'); break;
	default: BOTH("%.12d %*.*x", n, cut, cut / 2 + 1, n);
	}
#undef BOTH
}

inline std::string
duel::difference()
{
	if (real_result_ != wanted_result_)
		return "returned " + std::to_string(real_result_) + ", not " +
		    std::to_string(wanted_result_);
	if (sbuf_error(&real_) != model_->error)
		return "error";
	if ((sbuf_done(&real_) != 0) != model_->finished)
		return "finished";
	if (sbuf_len(&real_) != model_->len())
		return "length";
	const char *const data = sbuf_data(&real_);
	if (std::string(data, static_cast<std::size_t>(real_.s_len)) !=
	    model_->text)
		return "text";
	if (model_->drain_to == nullptr && std::strlen(data) !=
	    std::strlen(model_->text.c_str()))
		return "final NUL";
	if (static_cast<std::size_t>(real_.s_size) != model_->size())
		return "size";
	if (real_tap_.offered != model_tap_.offered)
		return "what was drained";
	return {};
}

} // namespace stack9_test
