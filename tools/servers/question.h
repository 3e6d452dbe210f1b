// Writes and reads what the process that speaks with servers is sent, and what
// it answers.  An answer may hold anything: a server may have taken over the
// process.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "answer.h"

namespace servers {

struct question {
	std::string	url, user, password;
	std::vector<std::string> headers;
	std::string	body;
};

inline constexpr std::size_t most_error = 1024,
    most_answer = most_body + most_error + 64;

template <class Number>
void
add_number(std::string &to, Number value)
{
	static_assert(std::is_integral_v<Number>);
	to.append(reinterpret_cast<const char *>(&value), sizeof value);
}

inline void
add_text(std::string &to, std::string_view text)
{
	add_number(to, std::uint64_t{text.size()});
	to += text;
}

// After the end there are zeros and empty texts.
class parts {
public:
	explicit parts(std::string_view all) : left_(all) {}

	template <class Number>
	Number
	number()
	{
		Number value{};
		const std::string_view bytes = take(sizeof value);
		if (bytes.size() == sizeof value)
			std::memcpy(&value, bytes.data(), sizeof value);
		return value;
	}
	std::string
	text()
	{
		return std::string(take(number<std::uint64_t>()));
	}

private:
	std::string_view
	take(std::uint64_t size)
	{
		const std::string_view is = left_.substr(0,
		    size > left_.size() ? 0 : static_cast<std::size_t>(size));
		left_.remove_prefix(is.size());
		return is;
	}

	std::string_view left_;
};

inline std::string
bytes_of(const question &q)
{
	std::string to;
	add_text(to, q.url);
	add_text(to, q.user);
	add_text(to, q.password);
	add_number(to, std::uint64_t{q.headers.size()});
	for (const std::string &each : q.headers)
		add_text(to, each);
	add_text(to, q.body);
	return to;
}

inline question
question_in(std::string_view bytes)
{
	parts from(bytes);
	question q;
	q.url = from.text();
	q.user = from.text();
	q.password = from.text();
	for (auto n = from.number<std::uint64_t>(); n > 0; n--)
		q.headers.push_back(from.text());
	q.body = from.text();
	return q;
}

// number: of the question; 0: of any, the process that had it is gone.
inline std::string
bytes_of(const answer &a, std::uint64_t number)
{
	std::string to;
	add_number(to, number);
	add_number(to, a.status);
	add_number(to, a.retry_after);
	add_text(to, std::string_view(a.error).substr(0, most_error));
	add_text(to, std::string_view(a.body).substr(0, most_body));
	return to;
}

// Text for people is made printable where it is printed.
inline answer
answer_in(std::string_view bytes, std::uint64_t &number)
{
	parts from(bytes);
	answer a;
	number = from.number<std::uint64_t>();
	a.status = std::clamp(from.number<int>(), 0, 999);
	a.retry_after = std::min(from.number<unsigned int>(), 3600u);
	a.error = from.text().substr(0, most_error);
	a.body = from.text().substr(0, most_body);
	if (a.status == 0 && a.error.empty())
		a.error = "there is no answer";
	return a;
}

} // namespace servers
