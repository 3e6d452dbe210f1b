// Reads the tables in which HotSpot describes its structures: an array of
// members and one of types, whose own members have offsets in variables beside
// them.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "tables.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "languages/symbols.h"

#include "layout_names.h"

namespace stack9::languages::java {
namespace {

// The variables of the tables, and what they are called.
enum variable : std::size_t {
	member_stride, member_type, member_name, member_type_name,
	member_is_static, member_offset, member_address, types, type_stride,
	type_name, type_size, variables
};
constexpr std::string_view names[variables] = {
	"gHotSpotVMStructEntryArrayStride",
	"gHotSpotVMStructEntryTypeNameOffset",
	"gHotSpotVMStructEntryFieldNameOffset",
	"gHotSpotVMStructEntryTypeStringOffset",
	"gHotSpotVMStructEntryIsStaticOffset",
	"gHotSpotVMStructEntryOffsetOffset",
	"gHotSpotVMStructEntryAddressOffset",
	"gHotSpotVMTypes",
	"gHotSpotVMTypeEntryArrayStride",
	"gHotSpotVMTypeEntryTypeNameOffset",
	"gHotSpotVMTypeEntrySizeOffset",
};

// The bounds of the tables.  JDK 28 has 1,400 members and 800 types.
constexpr unsigned int most_entries = 8192;
constexpr std::size_t largest_entry = 128, longest_name = 96;
constexpr std::uint64_t largest_offset = 1 << 20;

class reader {
public:
	reader(unwind::memory &m, layout &to) noexcept : m_(m), to_(to) {}

	bool find_tables(process::file &, std::uint64_t bias);
	bool read_members(std::uint64_t table);
	bool read_types();

private:
	bool
	is_entry_sound(variable stride, std::initializer_list<variable> of)
	    const noexcept
	{
		return v_[stride] <= largest_entry &&
		    std::all_of(of.begin(), of.end(), [&](variable each) {
			return v_[each] + sizeof(std::uint64_t) <= v_[stride];
		});
	}
	std::uint64_t
	of(const std::byte *entry, variable which) const noexcept
	{
		std::uint64_t value;
		std::memcpy(&value, entry + v_[which], sizeof value);
		return value;
	}
	bool append_name(std::uint64_t at, std::string &to) noexcept;
	void take_member(const std::byte *entry, const std::string &name);

	unwind::memory	&m_;
	layout		&to_;
	std::uint64_t	v_[variables]{};
};

bool
reader::find_tables(process::file &f, std::uint64_t bias)
{
	found_symbol found[variables];
	find_symbols(f, names, found);
	for (std::size_t i = 0; i < variables; i++)
		if (found[i].vaddr == 0 ||
		    !m_.word(found[i].vaddr + bias, v_[i]))
			return false;
	return true;
}

// A name that is too long is none that is looked for.
bool
reader::append_name(std::uint64_t at, std::string &to) noexcept
{
	constexpr std::size_t step = 32;
	char part[step];
	for (std::size_t done = 0; done < longest_name;) {
		const std::size_t n = step - at % step;
		if (!m_.read(at, part, n))
			return false;
		const std::size_t length = strnlen(part, n);
		to.append(part, length);
		if (length < n)
			return true;
		done += n;
		at += n;
	}
	return true;
}

void
reader::take_member(const std::byte *entry, const std::string &name)
{
	std::int32_t is_static;
	std::memcpy(&is_static, entry + v_[member_is_static],
	    sizeof is_static);
	if (is_static != 0) {
		if (const auto a = named_addresses().find(name);
		    a != named_addresses().end())
			to_.*a->second = of(entry, member_address);
		return;
	}
	const auto o = named_offsets().find(name);
	const std::uint64_t offset = of(entry, member_offset);
	if (o == named_offsets().end() || offset > largest_offset)
		return;
	to_.*o->second = static_cast<std::uint32_t>(offset);
	std::string type;
	if (o->second == &layout::frame_complete &&
	    append_name(of(entry, member_type_name), type))
		to_.complete_is_short = type == "int16_t";
}

// The names of a structure's members lie together, mostly with one pointer to
// the structure's name.
bool
reader::read_members(std::uint64_t table)
{
	std::byte entry[largest_entry];
	std::uint64_t last_type = 0;
	std::string name;
	std::size_t type_length = 0;
	if (!is_entry_sound(member_stride, {member_type, member_name,
	    member_type_name, member_is_static, member_offset,
	    member_address}))
		return false;
	for (unsigned int i = 0; i < most_entries; i++) {
		if (!m_.read(table + i * v_[member_stride], entry,
		    v_[member_stride]))
			return false;
		const std::uint64_t type = of(entry, member_type);
		if (type == 0)
			return true;
		if (type != last_type) {
			name.clear();
			if (!append_name(type, name))
				return false;
			name += "::";
			type_length = name.size();
			last_type = type;
		}
		name.resize(type_length);
		if (!append_name(of(entry, member_name), name))
			return false;
		take_member(entry, name);
	}
	return false;
}

bool
reader::read_types()
{
	std::byte entry[largest_entry];
	std::string name;
	if (!is_entry_sound(type_stride, {type_name, type_size}))
		return false;
	for (unsigned int i = 0; i < most_entries; i++) {
		if (!m_.read(v_[types] + i * v_[type_stride], entry,
		    v_[type_stride]))
			return false;
		if (of(entry, type_name) == 0)
			return true;
		name.clear();
		if (!append_name(of(entry, type_name), name))
			return false;
		const auto s = named_sizes().find(name);
		const std::uint64_t size = of(entry, type_size);
		if (s != named_sizes().end() && size <= largest_offset)
			to_.*s->second = static_cast<std::uint32_t>(size);
	}
	return false;
}

// Returns true if all is known without which no frame can be named or left.
bool
is_whole(const layout &l) noexcept
{
	for (const std::uint32_t each : {l.memory, l.segment_map,
	    l.segment_shift, l.low, l.high, l.blob_name, l.blob_size,
	    l.frame_size, l.compiled_method, l.scopes_pcs, l.const_method,
	    l.access_flags, l.constants, l.method_flags, l.method_code_size,
	    l.name_index, l.pool_holder, l.pool_length, l.class_name,
	    l.symbol_body, l.sizeof_const_method, l.sizeof_pool,
	    l.sizeof_block})
		if (each == none)
			return false;
	return l.call_stub_return != 0 && l.version != 0 &&
	    (l.code_heap != 0 || (l.code_heaps != 0 &&
	    l.array_length != none && l.array_data != none)) &&
	    (l.code_begin != none || l.code_offset != none) &&
	    (l.symbol_length != none || l.symbol_counted_length != none);
}

// The tables leave out the fields of Java's objects.  The machine has them in
// variables.  These are found by their names.
struct variable_of_java {
	std::string_view	 name;
	layout::offset layout::*to;
};
constexpr variable_of_java field_variables[] = {
	{"_ZN16java_lang_Thread20_park_blocker_offsetE",
	&layout::park_blocker},
	{"_ZN54java_util_concurrent_locks_AbstractOwnableSynchronizer13_owner_"
	"offsetE", &layout::exclusive_owner},
	{"_ZN54java_util_concurrent_locks_AbstractOwnableSynchronizer12owner_"
	"offsetE", &layout::exclusive_owner},	// up to JDK 13
	{"_ZN16java_lang_Thread13_eetop_offsetE", &layout::native_thread},
	{"_ZN16java_lang_Thread12_name_offsetE", &layout::thread_name},
	{"_ZN16java_lang_String13_value_offsetE", &layout::string_value},
	{"_ZN16java_lang_String12value_offsetE", &layout::string_value},
	{"_ZN16java_lang_String13_coder_offsetE", &layout::string_coder},
	{"_ZN16java_lang_String12coder_offsetE", &layout::string_coder},
};
struct flag_of_java {
	std::string_view name;
	bool layout::*to;
};
constexpr flag_of_java flag_variables[] = {
	{"UseCompressedOops", &layout::oops_are_short},
	{"UseCompressedClassPointers", &layout::classes_are_short},
};

// A stripped machine has none of them; then only who owns a lock of
// java.util.concurrent, and what threads are called, is not known.
void
read_variables(unwind::memory &m, process::file &f, std::uint64_t bias,
    layout &to)
{
	constexpr std::size_t fields = std::size(field_variables),
	    flags = std::size(flag_variables);
	std::string_view wanted[fields + flags];
	found_symbol found[fields + flags];
	for (std::size_t i = 0; i < fields; i++)
		wanted[i] = field_variables[i].name;
	for (std::size_t i = 0; i < flags; i++)
		wanted[fields + i] = flag_variables[i].name;
	find_symbols(f, wanted, found);
	for (std::size_t i = 0; i < fields; i++) {
		std::int32_t offset;
		if (found[i].vaddr != 0 && get(m, found[i].vaddr + bias,
		    offset) && offset > 0 && offset < 4096)
			to.*field_variables[i].to =
			    static_cast<layout::offset>(offset);
	}
	for (std::size_t i = 0; i < flags; i++) {
		std::uint8_t flag;
		if (found[fields + i].vaddr != 0 &&
		    get(m, found[fields + i].vaddr + bias, flag))
			to.*flag_variables[i].to = flag != 0;
	}
}

} // namespace

bool
read_layout(unwind::memory &m, process::file &f, std::uint64_t bias,
    std::uint64_t mark, layout &to)
{
	reader r(m, to);
	std::uint64_t table;
	std::int32_t major;
	if (!r.find_tables(f, bias) || !m.word(mark, table) || table == 0 ||
	    !r.read_members(table) || !r.read_types() || !is_whole(to) ||
	    !get(m, to.version, major) || major <= 0)
		return false;
	read_variables(m, f, bias, to);
	// The machine of JDK 8 has a version of its own: 25.
	to.major = to.code_heap != 0 ? 8 : static_cast<unsigned int>(major);
	return true;
}

} // namespace stack9::languages::java
