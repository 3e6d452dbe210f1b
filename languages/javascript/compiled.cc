// Reads code objects (src/objects/code.h), the table from baseline code to
// bytecode (src/baseline/bytecode-offset-iterator.h), and the tables of safe
// points after the instructions of optimised code (src/codegen/
// safepoint-table.h, maglev-safepoint-table.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "compiled.h"

#include <algorithm>
#include <array>

namespace stack9::languages::javascript {
namespace {

constexpr std::uint64_t alignment = 32, largest_code = 4 << 20,
    code_of_stream = 8;
constexpr std::uint32_t kind_mask = 15;

std::uint64_t
unsigned_of(std::int32_t offset) noexcept
{
	return static_cast<std::uint64_t>(offset);
}

// Returns true if a code object has its instructions here, and the address is
// in them.
bool
read_code(heap &h, tagged code, std::uint64_t start, std::uint64_t pc,
    compiled &to)
{
	const layout &l = h.known();
	std::uint32_t flags;
	std::uint64_t its_start = start;
	if (h.type_of(code) != l.code ||
	    !h.bytes(code, unsigned_of(l.code_size), &to.size,
	    sizeof to.size) || pc - start > to.size ||
	    to.size > largest_code ||
	    !h.bytes(code, unsigned_of(l.code_flags), &flags, sizeof flags) ||
	    (!l.is_code_stream && !h.field(code, unsigned_of(l.code_start),
	    its_start)) || its_start != start)
		return false;
	to.code = code;
	to.start = start;
	to.kind = static_cast<std::int32_t>(flags & kind_mask);
	return true;
}

// The numbers of a table of positions, 7 bits a byte, without a sign.
class offsets {
public:
	explicit offsets(const std::vector<std::uint8_t> &b) noexcept
	    : bytes_(b) {}

	bool empty() const noexcept { return at_ >= bytes_.size(); }
	std::uint64_t
	next() noexcept
	{
		std::uint64_t n = 0, b = 0x80;
		for (unsigned int shift = 0; (b & 0x80) != 0 && !empty();
		    shift += 7) {
			b = bytes_[at_++];
			n |= shift < 32 ? (b & 0x7f) << shift : 0;
		}
		return n;
	}

private:
	const std::vector<std::uint8_t>	&bytes_;
	std::size_t			at_ = 0;
};

// The size of the instruction of bytecode at an index; 0: there is none.  A
// prefix says that operands have two or four bytes: Wide, ExtraWide, and these
// two of a breakpoint.
std::size_t
bytecode_size(const std::vector<std::uint8_t> &sizes,
    const std::vector<std::uint8_t> &code, std::size_t at)
{
	constexpr std::uint8_t prefixes = 4;
	const std::size_t count = sizes.size() / 3;
	std::size_t scale = 0, before = 0;
	if (code[at] < prefixes) {
		scale = 1u + (code[at] & 1);
		before = 1;
	}
	if (at + before >= code.size() || code[at + before] >= count)
		return 0;
	const std::uint8_t size = sizes[scale * count + code[at + before]];
	return size != 0 ? before + size : 0;
}

} // namespace

compiled
code_at(heap &h, std::uint64_t pc)
{
	const layout &l = h.known();
	const std::uint64_t header = unsigned_of(l.stream_header);
	std::array<tagged, 2> words;
	compiled found;
	for (std::uint64_t start = pc & ~(alignment - 1);
	    pc - start < largest_code && start > header;
	    start -= alignment) {
		// An object begins with two pointers.
		if (!h.memory().read(start - header, words.data(),
		    sizeof words))
			break;
		if (!heap::is_object(words[0]) || !heap::is_object(words[1]))
			continue;
		static_assert(code_of_stream == sizeof words[0]);
		if (read_code(h, l.is_code_stream ? start - header + 1 :
		    words[1], start, pc, found))
			return found;
	}
	return {};
}

const compiled &
codes::of(std::uint64_t pc)
{
	const auto [known, is_new] = known_.try_emplace(pc);
	if (is_new && q_.code.is_made(pc))
		known->second = code_at(heap_, pc);
	return known->second;
}

std::int32_t
baseline_offset(heap &h, const compiled &c, tagged bytecode, std::uint64_t pc)
{
	constexpr std::int32_t largest_bytecode = 1 << 24;
	const layout &l = h.known();
	tagged table;
	std::vector<std::uint8_t> steps, code;
	std::int32_t length;
	if (l.bytecode_sizes.empty() ||
	    !h.field(c.code, unsigned_of(l.code_positions), table) ||
	    !h.bytes_of(table, steps) ||
	    !h.small_field(bytecode, heap::length_at, length) || length <= 0 ||
	    length > largest_bytecode)
		return -1;
	code.resize(static_cast<std::size_t>(length));
	if (!h.bytes(bytecode, unsigned_of(l.bytecodes), code.data(),
	    code.size()))
		return -1;
	offsets o(steps);
	const std::uint64_t wanted = pc - c.start;
	std::uint64_t end = o.next();
	std::int32_t at = -1;
	for (std::size_t next = 0; end < wanted && !o.empty();) {
		const std::size_t size = next < code.size() ?
		    bytecode_size(l.bytecode_sizes, code, next) : 0;
		if (size == 0)
			return -1;
		end += o.next();
		at = static_cast<std::int32_t>(next);
		next += size;
	}
	return end >= wanted ? at : -1;
}

// An entry has a pc, and if there is deoptimization, an index plus 1, and plus
// 1 the pc that is returned to after the code was left.  After that come, in
// Maglev's code, a byte, and registers.
safe_point
safe_point_of(heap &h, const compiled &c, std::uint64_t pc)
{
	constexpr std::uint32_t most_entries = 1 << 16;
	const bool is_maglev = c.is_maglev(h.known());
	const std::uint64_t table = c.start + c.size +
	    unsigned_of(h.known().safe_points);
	std::array<std::uint32_t, 2> header;
	if (!h.memory().read(table, header.data(), sizeof header) ||
	    header[0] == 0 || header[0] > most_entries || (header[1] & 1) == 0)
		return {};
	const std::uint32_t registers = header[1] >> 1 & 7;
	const std::uint32_t pc_size = header[1] >> 4 & 7;
	const std::uint32_t index_size = header[1] >> 7 & 7;
	const std::size_t entry = 2 * pc_size + index_size + registers +
	    is_maglev;
	std::vector<std::uint8_t> all(entry * header[0]);
	if (all.empty() || pc_size > 4 || index_size > 4 ||
	    !h.memory().read(table + sizeof header + (is_maglev ?
	    unsigned_of(h.known().maglev_header) : 0), all.data(), all.size()))
		return {};
	const auto number = [&](std::size_t at, std::uint32_t size) {
		std::int64_t n = 0;
		for (std::uint32_t i = 0; i < size; i++)
			n |= std::int64_t{all[at + i]} << 8 * i;
		return n;
	};
	const auto wanted = static_cast<std::int64_t>(pc - c.start);
	std::int64_t found = -1;
	bool is_left = false, is_here = false;
	for (std::size_t at = 0; at < all.size(); at += entry) {
		const std::int64_t its = number(at, pc_size);
		const std::int64_t index = number(at + pc_size, index_size) - 1;
		const std::int64_t after = number(at + pc_size + index_size,
		    pc_size) - 1;
		is_here |= its == wanted || after == wanted;
		if (after >= 0 && after <= wanted) {
			found = index;
			is_left = true;
		} else if (its <= wanted && !is_left) {
			found = index;
		}
	}
	return {static_cast<std::int32_t>(std::min<std::int64_t>(found,
	    INT32_MAX)), is_here};
}

} // namespace stack9::languages::javascript
