// Reads the header of .gopclntab and the values for an address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "go_table.h"

#include <algorithm>
#include <new>
#include "budgets/budgets.h"
#include "budgets/left_out.h"
#include "process/memory_want.h"

namespace stack9::languages {
namespace {

enum : std::uint32_t {
	magic_1_2 = 0xfffffffb, magic_1_16 = 0xfffffffa,
	magic_1_18 = 0xfffffff0, magic_1_20 = 0xfffffff1
};

// A function's tables have an entry for each line or so.
constexpr int values_max = 1 << 18;

// Reads the bytes of a table of values, one after the other.
class stream {
public:
	stream(const file_part &from, std::uint64_t at) noexcept
	    : from_(from), at_(at) {}

	// False: the end.
	bool
	uleb(std::uint32_t &value) noexcept
	{
		value = 0;
		for (unsigned int shift = 0; shift < 35; shift += 7) {
			unsigned char byte;
			if (!next(byte))
				return false;
			value |= (byte & 0x7fu) << shift;
			if (byte < 0x80)
				return true;
		}
		return false;
	}

private:
	bool
	next(unsigned char &byte) noexcept
	{
		if (here_ == have_) {
			have_ = from_.some(at_, buffer_, sizeof buffer_);
			at_ += have_;
			here_ = 0;
			if (have_ == 0)
				return false;
		}
		byte = buffer_[here_++];
		return true;
	}

	const file_part	&from_;
	std::uint64_t	at_;
	unsigned char	buffer_[256];
	std::size_t	here_ = 0, have_ = 0;
};

constexpr char key = 0;	// of file::languages

} // namespace

const go_table *
go_table::of(file &f)
{
	std::unique_lock locked(f.lock());
	std::unique_ptr<attachment> &its = f.languages[&key];
	if (its == nullptr) {
		locked.unlock();
		const process::memory_want want;
		auto made = std::make_unique<go_table>(go_image_of(f));
		want.check();
		locked.lock();
		if (its == nullptr)
			its = std::move(made);
	}
	return static_cast<go_table *>(its.get())->or_null();
}

go_table::go_table(const go_image &image) : segments_(image.segments)
{
	for (std::size_t i = 0; i < image.tables.size(); i++) {
		text_ = image.texts[i];
		if (read(image.tables[i].bytes))
			return;
	}
	layout_ = layout::none;
}

bool
go_table::count_fits() const noexcept
{
	if (!budgets::exceeds(count_, budgets::go_functions))
		return true;
	leave_out(budgets::left_out::go_tables);
	return false;
}

bool
go_table::read(const file_part &table)
{
	std::uint32_t magic;
	unsigned char sizes[4];
	table_ = table;
	if (!table.value(0, magic) || !table.value(4, sizes) ||
	    sizes[0] != 0 || sizes[1] != 0 || sizes[2] == 0 ||
	    sizes[3] != sizeof(std::uint64_t))
		return false;
	quantum_ = sizes[2];
	layout_ = magic == magic_1_2 ? layout::v1_2 :
	    magic == magic_1_16 ? layout::v1_16 :
	    magic == magic_1_18 ? layout::v1_18 :
	    magic == magic_1_20 ? layout::v1_20 : layout::none;
	return layout_ != layout::none && table.value(8, count_) &&
	    count_ != 0 && count_fits() && read_offsets() &&
	    read_functions() && (layout_ != layout::v1_2 || read_old_files());
}

// Finds the parts of the table.  In a damaged table they may overlap.  That
// does no harm.
bool
go_table::read_offsets() noexcept
{
	if (layout_ == layout::v1_2) {
		names_ = values_ = functions_ = table_;
		return true;
	}
	const bool new_text = layout_ >= layout::v1_18;
	std::uint64_t text, at[5];
	if (new_text && !table_.value(go_text_at, text))
		return false;
	if (new_text && text != 0)
		text_ = text;
	if (!table_.value(new_text ? go_text_at + 8 : go_text_at, at))
		return false;
	names_ = table_.behind(at[0]);
	units_ = table_.behind(at[1]);
	files_ = table_.behind(at[2]);
	values_ = table_.behind(at[3]);
	functions_ = table_.behind(at[4]);
	return true;
}

// The functions are pairs of an address and an offset, of 8 bytes each or,
// since 1.18, of 4.
bool
go_table::read_functions()
{
	const bool narrow = layout_ >= layout::v1_18;
	const std::uint64_t at = layout_ == layout::v1_2 ? 16 : 0;
	const std::size_t words = 2 * count_ + 1;
	const std::size_t size = words * (narrow ? 4 : 8);
	if (functions_.size() < at || functions_.size() - at < size)
		return false;
	if (!functions_.is_there(at, size)) {
		leave_out(budgets::left_out::go_tables);
		return false;
	}
	std::vector<std::uint64_t> begins(count_ + 1);
	std::vector<std::uint32_t> offsets(count_);
	std::vector<std::uint64_t> wide(narrow ? 0 : words);
	std::vector<std::uint32_t> small(narrow ? words : 0);
	if (functions_.some(at, narrow ? static_cast<void *>(small.data()) :
	    wide.data(), size) != size)
		return false;
	const auto word = [&](std::size_t i) {
		return narrow ? small[i] : wide[i];
	};
	for (std::size_t i = 0; i <= count_; i++) {
		begins[i] = word(2 * i) + (narrow ? text_ : 0);
		if (i != 0 && begins[i] < begins[i - 1])
			return false;
		if (i != count_)
			offsets[i] = static_cast<std::uint32_t>(word(2 * i +
			    1));
	}
	if (!share_.take(count_ * (sizeof begins[0] + sizeof offsets[0]))) {
		leave_out(budgets::left_out::go_tables);
		return false;
	}
	begins_ = std::move(begins);
	offsets_ = std::move(offsets);
	return true;
}

// Up to 1.15 the offset of the files follows the functions.
bool
go_table::read_old_files() noexcept
{
	std::uint32_t at;
	if (!table_.value(16 + (2 * count_ + 1) * 8, at))
		return false;
	files_ = table_.behind(at);
	return true;
}

bool
go_table::find(std::uint64_t vaddr, go_function &f) const noexcept
{
	const auto after = std::upper_bound(begins_.begin(), begins_.end(),
	    vaddr);
	if (after == begins_.begin() || after == begins_.end())
		return false;
	const auto i = static_cast<std::size_t>(after - begins_.begin()) - 1;
	// A function has its address, of 8 or 4 bytes, then: name, arguments,
	// deferred return, the tables of sp, file and line, the number of
	// tables; since 1.16 the unit, since 1.20 a line; then two bytes.
	const std::uint64_t at = offsets_[i] +
	    (layout_ >= layout::v1_18 ? 4u : 8u);
	std::uint32_t word[8]{};
	unsigned char bytes[2]{};
	const bool has_unit = layout_ >= layout::v1_16;
	const std::size_t size = (has_unit ? 8 : 7) * sizeof *word;
	if (functions_.some(at, word, size) != size)
		return false;
	if (has_unit && !functions_.value(at + size +
	    (layout_ >= layout::v1_20 ? 4 : 0), bytes))
		return false;
	f = {begins_[i], *after, word[0], word[3], word[4], word[5], word[7],
	    bytes[1]};
	return true;
}

// A table of values has pairs: a number that is added to the value, and the
// number of bytes of code for which the sum holds.
bool
go_table::value(const go_function &f, std::uint32_t table,
    std::uint64_t vaddr, std::int32_t &to) const noexcept
{
	if (table == 0 || vaddr < f.begin)
		return false;
	stream s(values_, table);
	std::uint64_t pc = f.begin;
	std::uint32_t value = 0xffffffff, change, bytes;
	bool first = true;
	for (int n = 0; pc < f.end && n < values_max; n++, first = false) {
		if (!s.uleb(change) || (change == 0 && !first) ||
		    !s.uleb(bytes) || (bytes == 0 && !first))
			return false;
		value += (change & 1) != 0 ? ~(change >> 1) : change >> 1;
		pc += std::uint64_t{bytes} * quantum_;
		if (vaddr < pc) {
			to = static_cast<std::int32_t>(value);
			return true;
		}
	}
	return false;
}

bool
go_table::frame(const go_function &f, std::uint64_t vaddr,
    std::int32_t &bytes) const noexcept
{
	return value(f, f.sp, vaddr, bytes);
}

bool
go_table::name(const go_function &f, std::string &to) const
{
	return names_.text(f.name, to);
}

bool
go_table::line(const go_function &f, std::uint64_t vaddr, std::string &path,
    unsigned int &to) const
{
	std::int32_t number, in_unit;
	if (!value(f, f.line, vaddr, number) || number < 0 ||
	    !value(f, f.file, vaddr, in_unit) || in_unit < 0)
		return false;
	std::uint32_t at;
	const auto index = static_cast<std::uint64_t>(in_unit);
	if (layout_ == layout::v1_2 ? !files_.value(index * 4, at) :
	    !units_.value((f.unit + index) * 4, at))
		return false;
	if (!(layout_ == layout::v1_2 ? table_ : files_).text(at, path))
		return false;
	to = static_cast<unsigned int>(number);
	return true;
}

std::size_t
go_table::code(std::uint64_t vaddr, void *to, std::size_t capacity)
    const noexcept
{
	for (const go_image::part &s : segments_)
		if (vaddr - s.vaddr < s.bytes.size())
			return s.bytes.some(vaddr - s.vaddr, to, capacity);
	return 0;
}

} // namespace stack9::languages
