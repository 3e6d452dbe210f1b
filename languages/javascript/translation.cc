// Reads the translation of a place in optimised code: the operations that make
// the frames of the interpreter out of it (src/deoptimizer/
// translation-opcode.h, src/objects/deoptimization-data.cc).  Operations that
// are as those of an earlier translation are left out.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "translation.h"

namespace stack9::languages::javascript {
namespace {

constexpr unsigned int most_operations = 1 << 16, most_operands = 7;
constexpr std::uint64_t most_words = 1 << 18;

class operations {
public:
	operations(const std::vector<std::uint8_t> &bytes, const layout &l,
	    std::size_t at) noexcept : bytes_(bytes), l_(l), at_(at) {}

	// Goes to the next operation.  False: there is none.
	bool next() noexcept;
	std::int32_t code() const noexcept { return code_; }
	std::int32_t
	operand(std::size_t n) const noexcept
	{
		const auto half = static_cast<std::int32_t>(operands_[n] >> 1);
		return (operands_[n] & 1) != 0 ? -half : half;
	}

private:
	bool
	is_begin() const noexcept
	{
		return code_ == l_.begin || code_ == l_.begin_too;
	}
	std::uint32_t number(std::size_t &at) const noexcept;
	bool take(std::size_t &at) noexcept;
	bool follow_earlier() noexcept;

	const std::vector<std::uint8_t>	&bytes_;
	const layout		&l_;
	std::size_t		at_, earlier_ = 0;
	std::uint32_t		repeated_ = 0, since_ = 0;
	std::int32_t		code_ = -1;
	std::uint32_t		operands_[most_operands + 1] = {};
};

std::uint32_t
operations::number(std::size_t &at) const noexcept
{
	std::uint32_t n = 0, b = 0x80;
	for (unsigned int shift = 0; (b & 0x80) != 0 && at < bytes_.size();
	    shift += 7) {
		b = bytes_[at++];
		n |= shift < 32 ? (b & 0x7f) << shift : 0;
	}
	return n;
}

// Reads an operation where it is.
bool
operations::take(std::size_t &at) noexcept
{
	if (at >= bytes_.size())
		return false;
	code_ = l_.has_old_translations ?
	    static_cast<std::int32_t>(number(at) >> 1) : bytes_[at++];
	const auto n = static_cast<std::size_t>(code_);
	if (n >= l_.operand_counts.size())
		return false;
	for (std::size_t i = 0; i < l_.operand_counts[n]; i++)
		operands_[i] = number(at);
	return true;
}

// A run of operations of the earlier translation begins.
bool
operations::follow_earlier() noexcept
{
	for (; since_ > 0; since_--)
		if (!take(earlier_))
			return false;
	return take(earlier_);
}

bool
operations::next() noexcept
{
	if (l_.has_old_translations)
		return take(at_);
	if (repeated_ > 0)
		repeated_--;
	if (repeated_ > 0)
		return take(earlier_);
	if (at_ >= bytes_.size())
		return false;
	const std::size_t count = l_.operand_counts.size(), begun = at_;
	if (bytes_[at_] >= count) {
		repeated_ = static_cast<std::uint32_t>(bytes_[at_++] - count);
		return follow_earlier();
	}
	if (!take(at_))
		return false;
	if (code_ == l_.match_previous) {
		repeated_ = operands_[0];
		return follow_earlier();
	}
	if (is_begin()) {
		if (operands_[0] > begun)
			return false;
		earlier_ = begun - operands_[0];
		since_ = 1;
	} else {
		since_++;
	}
	return true;
}

class translation {
public:
	translation(heap &h, const compiled &c, std::uint64_t fp) noexcept
	    : h_(h), l_(h.known()), code_(c), fp_(fp) {}

	std::vector<inlined> read(std::int32_t deoptimization);
	bool has(tagged shared);

private:
	bool read_literals(std::vector<tagged> &data);
	bool read_data(std::int32_t deoptimization, std::size_t &at);
	tagged literal(std::int32_t) const noexcept;
	tagged value(const operations &) const noexcept;

	heap			&h_;
	const layout		&l_;
	const compiled		&code_;
	const std::uint64_t	fp_;
	std::vector<tagged>	literals_;
	std::vector<std::uint8_t> bytes_;
};

bool
translation::read_literals(std::vector<tagged> &data)
{
	const auto at = static_cast<std::size_t>(l_.literals_index);
	tagged array;
	return h_.field(code_.code, static_cast<std::uint64_t>(l_.code_data),
	    array) && h_.words_of(array, most_words, data) &&
	    at < data.size() && h_.words_of(data[at], most_words, literals_);
}

bool
translation::read_data(std::int32_t deoptimization, std::size_t &at)
{
	constexpr std::size_t entry_words = 3, translation_in_entry = 1;
	std::vector<tagged> data;
	if (deoptimization < 0 || !read_literals(data))
		return false;
	const std::size_t entry = static_cast<std::size_t>(
	    l_.first_entry_index) + entry_words * static_cast<std::size_t>(
	    deoptimization) + translation_in_entry;
	if (entry >= data.size() || !heap::is_small(data[entry]) ||
	    heap::small(data[entry]) < 0)
		return false;
	at = static_cast<std::size_t>(heap::small(data[entry]));
	return h_.bytes_of(data[0], bytes_);
}

bool
translation::has(tagged shared)
{
	std::vector<tagged> data;
	if (!read_literals(data))
		return false;
	for (std::size_t n = 0; n < literals_.size(); n++)
		if (literal(static_cast<std::int32_t>(n)) == shared)
			return true;
	return false;
}

// A literal may be a weak pointer: that has bit 1, too.
tagged
translation::literal(std::int32_t n) const noexcept
{
	constexpr tagged weak = 2;
	if (n < 0 || static_cast<std::size_t>(n) >= literals_.size())
		return 0;
	const tagged w = literals_[static_cast<std::size_t>(n)];
	return (w & 3) == 3 ? w & ~weak : w;
}

// Slots of the stack are counted from the return address down.
tagged
translation::value(const operations &o) const noexcept
{
	constexpr std::uint64_t word = 8;
	tagged w = 0;
	if (o.code() == l_.literal)
		return literal(o.operand(0));
	if (o.code() == l_.stack_slot)
		h_.memory().word(fp_ + 2 * word - word *
		    static_cast<std::uint64_t>(std::int64_t{o.operand(0)} + 1),
		    w);
	return w;
}

// A frame of the interpreter has the offset, what all instances of the function
// share, and values: the function, the receiver, and so on.
std::vector<inlined>
translation::read(std::int32_t deoptimization)
{
	std::vector<inlined> all;
	std::size_t at;
	std::uint32_t values = 0;
	bool is_construction = false;
	if (l_.operand_counts.empty() || !read_data(deoptimization, at))
		return all;
	operations o(bytes_, l_, at);
	for (unsigned int n = 0; n < most_operations && o.next(); n++) {
		const std::int32_t code = o.code();
		if (code == l_.begin || code == l_.begin_too) {
			if (n > 0)
				break;
		} else if (n == 0) {
			break;
		} else if (code == l_.frame || code == l_.frame_too) {
			all.push_back({literal(o.operand(1)), o.operand(0),
			    is_construction, 0, 0});
			is_construction = false;
			values = 0;
		} else if (code == l_.construct || code == l_.construct_too) {
			is_construction = true;
		} else if (++values <= 2 && !all.empty()) {
			(values == 1 ? all.back().function :
			    all.back().receiver) = value(o);
		}
	}
	return all;
}

} // namespace

std::vector<inlined>
functions_at(heap &h, const compiled &c, std::uint64_t pc, std::uint64_t fp)
{
	return translation(h, c, fp).read(safe_point_of(h, c, pc).
	    deoptimization);
}

bool
is_made_of(heap &h, const compiled &c, tagged shared)
{
	return c.code != 0 && shared != 0 && translation(h, c, 0).has(shared);
}

} // namespace stack9::languages::javascript
