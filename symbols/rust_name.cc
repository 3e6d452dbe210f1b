// Reads a mangled name of Rust by the grammar of RFC 2603, as libiberty does,
// and keeps nothing.  The places that references point to are not read:
// libiberty follows references only where it shows the text, and ends when the
// buffer is full.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rust_name.h"

#include <cstdint>

namespace stack9 {
namespace {

constexpr std::uint64_t most_lifetimes = 1000;
constexpr int deepest = 256;

class rust_name {
public:
	explicit rust_name(std::string_view text) noexcept : rest_(text) {}

	bool
	is_good() noexcept
	{
		path();
		// The crate that has instantiated it, and a compiler's suffix.
		if (good_ && !rest_.empty() && rest_[0] != '.')
			path();
		return good_;
	}

private:
	// Each part that holds others counts as one level.
	struct level {
		explicit level(rust_name &n) noexcept : name(n)
		{
			if (++name.depth_ > deepest)
				name.good_ = false;
		}
		level(const level &) = delete;
		~level() { name.depth_--; }
		rust_name &name;
	};

	bool
	eat(char c) noexcept
	{
		if (rest_.empty() || rest_[0] != c)
			return false;
		rest_.remove_prefix(1);
		return true;
	}

	char
	next() noexcept
	{
		if (rest_.empty()) {
			good_ = false;
			return '\0';
		}
		const char c = rest_[0];
		rest_.remove_prefix(1);
		return c;
	}

	// Digits of base 62 up to "_"; none is 0.
	std::uint64_t
	number() noexcept
	{
		constexpr std::uint64_t enough = 1 << 20;
		if (eat('_'))
			return 0;
		std::uint64_t n = 0;
		while (good_ && !eat('_')) {
			const char c = next();
			const int digit = c >= '0' && c <= '9' ? c - '0' :
			    c >= 'a' && c <= 'z' ? c - 'a' + 10 :
			    c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
			good_ &= digit >= 0;
			n = n >= enough ? enough :
			    n * 62 + static_cast<std::uint64_t>(digit);
		}
		return n + 1;
	}

	void
	disambiguator() noexcept
	{
		if (eat('s'))
			number();
	}

	void
	binder() noexcept
	{
		if (eat('G') && number() >= most_lifetimes)
			good_ = false;
	}

	void
	identifier() noexcept
	{
		eat('u');
		std::size_t length = 0;
		if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9')
			good_ = false;
		// A length of 0 has no further digit.
		if (!eat('0'))
			while (!rest_.empty() && rest_[0] >= '0' &&
			    rest_[0] <= '9' && length <= rest_.size())
				length = length * 10 +
				    static_cast<std::size_t>(next() - '0');
		eat('_');
		if (length > rest_.size())
			good_ = false;
		else
			rest_.remove_prefix(length);
	}

	void
	path() noexcept
	{
		const level here(*this);
		if (!good_)
			return;
		switch (next()) {
		case 'C':
			disambiguator();
			identifier();
			break;
		case 'N':
			next();
			path();
			disambiguator();
			identifier();
			break;
		case 'M':
			disambiguator();
			path();
			type();
			break;
		case 'X':
			disambiguator();
			path();
			[[fallthrough]];
		case 'Y':
			type();
			path();
			break;
		case 'I':
			path();
			while (good_ && !eat('E'))
				argument();
			break;
		case 'B':
			number();
			break;
		default:
			good_ = false;
		}
	}

	void
	argument() noexcept
	{
		if (eat('L'))
			number();
		else if (eat('K'))
			constant();
		else
			type();
	}

	void
	constant() noexcept
	{
		if (eat('B')) {
			number();
			return;
		}
		if (next() == 'p')
			return;
		while (good_ && next() != '_')
			continue;
	}

	void
	lifetime() noexcept
	{
		if (eat('L'))
			number();
	}

	void
	type() noexcept
	{
		const level here(*this);
		if (!good_ || rest_.empty()) {
			good_ = false;
			return;
		}
		const char tag = rest_[0];
		if (tag >= 'a' && tag <= 'z') {
			next();
			return;
		}
		switch (tag) {
		case 'R':
		case 'Q':
			next();
			lifetime();
			type();
			break;
		case 'P':
		case 'O':
		case 'S':
			next();
			type();
			break;
		case 'A':
			next();
			type();
			constant();
			break;
		case 'T':
			next();
			while (good_ && !eat('E'))
				type();
			break;
		case 'F':
			next();
			function();
			break;
		case 'D':
			next();
			dynamic();
			break;
		default:
			path();
		}
	}

	void
	function() noexcept
	{
		binder();
		eat('U');
		if (eat('K') && !eat('C'))
			identifier();
		while (good_ && !eat('E'))
			type();
		type();
	}

	void
	dynamic() noexcept
	{
		binder();
		while (good_ && !eat('E')) {
			path();
			while (good_ && eat('p')) {
				identifier();
				type();
			}
		}
		lifetime();
	}

	std::string_view rest_;
	int	depth_ = 0;
	bool	good_ = true;
};

} // namespace

bool
is_rust_name(std::string_view name) noexcept
{
	return rust_name(name.substr(2)).is_good();
}

} // namespace stack9
