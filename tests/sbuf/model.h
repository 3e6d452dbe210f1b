// Makes a second sbuf in its simplest form: a std::string, one byte at a time.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include <stack9/sys/sbuf.h>

namespace stack9_test {

// A drain that takes as much as its plan says and keeps what it was offered.
struct tap {
	std::vector<int>		plan;	// 0 and below: returned as is
	std::vector<std::string>	offered;

	int
	take(const char *data, int len)
	{
		const int wanted = plan.empty() ? len :
		    plan[offered.size() % plan.size()];
		offered.emplace_back(data, static_cast<std::size_t>(len));
		return wanted;
	}

	static int
	drain(void *arg, const char *data, int len)
	{
		return static_cast<tap *>(arg)->take(data, len);
	}
};

class model {
public:
	model(std::size_t size, int flags) : size_(size), flags_(flags) {}

	std::string	text;
	int		error = 0;
	bool		finished = false;
	bool		line_start = true;	// of what was drained
	tap		*drain_to = nullptr;

	std::size_t	size() const { return size_; }
	int		result() const { return error || finished ? -1 : 0; }

	int
	append(const std::string &s)
	{
		if (!finished)
			for (char c : s)
				byte(c);
		return result();
	}

	int
	newline()
	{
		const bool there = text.empty() ? line_start :
		    text.back() == '\n';
		return append(there ? "" : "\n");
	}

	int
	trim()
	{
		while (result() == 0 && !text.empty() &&
		    std::string(" \t\n\v\f\r").find(text.back()) !=
		    std::string::npos) {
			text.pop_back();
			section_ -= depth_ > 0 && section_ > 0;
		}
		return result();
	}

	int
	cut(long pos)
	{
		if (finished || depth_ > 0 || pos < 0 ||
		    static_cast<std::size_t>(pos) > text.size())
			return -1;
		text.resize(static_cast<std::size_t>(pos));
		return 0;
	}

	void
	clear()
	{
		text.clear();
		error = 0;
		finished = false;
		record_ = 0;
		section_ = 0;
	}

	void
	begin(ssize_t &outer)
	{
		if (finished)
			return;
		if (depth_++ == 0) {
			outer = -1;
			record_ = text.size();
		} else
			outer = section_;
		section_ = 0;
	}

	ssize_t
	end(ssize_t outer, unsigned int pad, char c)
	{
		if (finished || depth_ == 0)
			return -1;
		while (pad > 1 && section_ > 0 && section_ % pad != 0 && !error)
			byte(c);
		const ssize_t len = section_;
		if (--depth_ == 0)
			section_ = 0;
		else
			section_ += outer;
		return error ? -1 : len;
	}

	int
	drain_once()
	{
		if (drain_to != nullptr && !text.empty() && !error)
			drain();
		return error;
	}

	int
	finish()
	{
		if (finished)
			return error;
		if (flags_ & SBUF_INCLUDENUL)
			text += '\0';
		while (drain_to != nullptr && !text.empty() && !error)
			drain();
		finished = true;
		return error;
	}

	ssize_t
	len() const
	{
		if (error)
			return -1;
		return static_cast<ssize_t>(text.size()) +
		    ((flags_ & SBUF_INCLUDENUL) && !finished);
	}

private:
	void
	byte(char c)
	{
		if (!error && text.size() + 1 >= size_) {
			if (drain_to != nullptr)
				drain();
			else if (flags_ & SBUF_AUTOEXTEND)
				size_ = larger(size_);
			else
				error = ENOMEM;
		}
		if (error)
			return;
		text += c;
		section_ += depth_ > 0;
	}

	void
	drain()
	{
		const bool records = depth_ > 0 && (flags_ & SBUF_DRAINTOEOR);
		const std::size_t offer = records ?
		    std::min(record_, text.size()) : text.size();
		if (offer == 0) {
			error = EDEADLK;
			return;
		}
		const int took = drain_to->take(text.data(),
		    static_cast<int>(offer));
		if (took <= 0) {
			error = took == 0 ? EDEADLK : -took;
			return;
		}
		const std::size_t n = std::min(offer,
		    static_cast<std::size_t>(took));
		line_start = text[n - 1] == '\n';
		text.erase(0, n);
		record_ -= std::min(record_, n);
	}

	static std::size_t
	larger(std::size_t size)
	{
		std::size_t n = 16;
		while (n <= size)
			n += n < 4096 ? n : 4096;
		return n;
	}

	std::size_t	size_;
	int		flags_;
	std::size_t	record_ = 0;
	ssize_t		section_ = 0;
	unsigned int	depth_ = 0;
};

} // namespace stack9_test
