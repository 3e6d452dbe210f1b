// Finds the layout of a V8.  The build of Node generates variables with numbers
// of types and offsets of fields (tools/gen-postmortem-metadata.py); tables of
// bytecodes and of translations are exported, too.  The other offsets were
// taken from the sources of the releases that Node 18, 20, 22 and 24 have.  A
// release of Node keeps its V8.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"

#include <iterator>
#include <memory>

#include "languages/symbols.h"

#include "tables_13_6.h"

namespace stack9::languages::javascript {
namespace {

using process::file;

// A variable of the program, and the member that it gives.
struct description {
	std::string_view	symbol;
	std::int32_t		layout::*member;
};

constexpr description descriptions[] = {
	{"_ZN2v88internal7Version6major_E", &layout::major},
	{"_ZN2v88internal7Version6minor_E", &layout::minor},
	{"v8dbg_TaggedSize", &layout::tagged_size},
	{"v8dbg_type_JSFunction__JS_FUNCTION_TYPE", &layout::first_function},
	{"v8dbg_LastJSFunctionType", &layout::last_function},
	{"v8dbg_type_BytecodeArray__BYTECODE_ARRAY_TYPE",
	    &layout::bytecode_array},
	{"v8dbg_type_Code__CODE_TYPE", &layout::code},
	{"v8dbg_type_Script__SCRIPT_TYPE", &layout::script},
	{"v8dbg_type_ScopeInfo__SCOPE_INFO_TYPE", &layout::scope_info},
	{"v8dbg_type_ByteArray__BYTE_ARRAY_TYPE", &layout::byte_array},
	{"v8dbg_type_TrustedByteArray__TRUSTED_BYTE_ARRAY_TYPE",
	    &layout::trusted_byte_array},
	{"v8dbg_type_FixedArray__FIXED_ARRAY_TYPE", &layout::fixed_array},
	{"v8dbg_type_Oddball__ODDBALL_TYPE", &layout::oddball},
	{"v8dbg_type_JSGlobalProxy__JS_GLOBAL_PROXY_TYPE",
	    &layout::global_proxy},
	{"v8dbg_type_Map__MAP_TYPE", &layout::map_type},
	{"v8dbg_type_InterpreterData__INTERPRETER_DATA_TYPE",
	    &layout::interpreter_data},
	{"v8dbg_type_PropertyArray__PROPERTY_ARRAY_TYPE",
	    &layout::property_array},
	{"v8dbg_CodeKindBaseline", &layout::baseline_kind},
	{"v8dbg_frametype_ConstructFrame", &layout::construct_frame},
	{"v8dbg_frametype_FastConstructFrame", &layout::fast_construct_frame},
	{"v8dbg_class_JSFunction__shared__SharedFunctionInfo",
	    &layout::function_shared},
	{"v8dbg_class_SharedFunctionInfo__flags__int",
	    &layout::shared_flags},
	{"v8dbg_class_Script__name__Object", &layout::script_name},
	{"v8dbg_class_Script__source__Object", &layout::script_source},
	{"v8dbg_class_Script__line_ends__Object", &layout::script_line_ends},
	{"v8dbg_class_BytecodeArray__data__uintptr_t", &layout::bytecodes},
	{"v8dbg_scopeinfo_idx_first_vars", &layout::scope_first},
};

constexpr std::string_view table_names[] = {
	"_ZN2v88internal11interpreter9Bytecodes14kBytecodeSizesE",
	"_ZZN2v88internal29TranslationOpcodeOperandCountE"
	"NS0_17TranslationOpcodeEE6counts",
};

// Declares what no variable gives, by release.
struct release {
	std::int32_t	major, minor;
	void		(*fill)(layout &);
	// Its tables; "": it exports them.
	std::string_view bytecodes, operations;
};

// Node 18.
void
fill_10_2(layout &l)
{
	constexpr std::int32_t more_functions = 16;
	if (l.last_function == 0)
		l.last_function = l.first_function + more_functions;
	l.shared_data = 8;
	l.shared_name = 16;
	l.shared_script = 32;
	l.script_line_offset = 24;
	l.maglev_header = 8;
	l.script_flags = 96;
	l.bytecode_positions = 32;
	l.first_entry_index = 11;
	l.literals_index = 2;
	l.module_scope = 3;
	l.counts_modules_first = false;
	l.is_code_stream = true;
	l.stream_header = 128;
	l.code_start = 128;
	l.code_data = 16;
	l.code_positions = 24;
	l.code_size = 40;
	l.code_flags = 48;
	l.has_old_translations = true;
	l.begin = 3;
	l.frame = 18;
	l.construct = 8;
	l.literal = 22;
	l.stack_slot = 24;
}

// Node 20.
void
fill_11_3(layout &l)
{
	fill_10_2(l);
	l.script_flags = 104;
	l.is_code_stream = false;
	l.stream_header = 16;
	l.code_start = 40;
	l.code_flags = 48;
	l.code_size = 56;
	l.has_old_translations = false;
	l.begin = 2;
	l.begin_too = 3;
	l.construct = 8;
	l.frame = 23;
	l.frame_too = 24;
	l.literal = 29;
	l.stack_slot = 31;
	l.match_previous = 35;
}

// Node 22.
void
fill_12_4(layout &l)
{
	fill_11_3(l);
	l.names_initializers = true;
	l.bytecode_positions = 24;
	l.counts_modules_first = true;
	l.stream_header = 32;
	l.code_data = 8;
	l.code_positions = 16;
	l.code_size = 52;
	l.frame = 0;
	l.frame_too = 1;
	l.construct = 4;
	l.construct_too = 5;
	l.begin = 12;
	l.begin_too = 13;
	l.literal = 33;
	l.stack_slot = 35;
	l.match_previous = 39;
}

// Node 24.
void
fill_13_6(layout &l)
{
	fill_12_4(l);
	l.safe_points = 4;
	l.maglev_header = 4;
	l.names_functions = true;
	l.shared_name = 24;
	l.shared_script = 40;
	l.first_entry_index = 12;
	l.literals_index = 3;
	l.module_scope = 5;
	l.code_flags = 52;
	l.code_size = 56;
	l.begin = 14;
	l.begin_too = 15;
	l.literal = 38;
	l.stack_slot = 40;
	l.match_previous = 44;
}

constexpr release releases[] = {
	{10, 2, fill_10_2, "", ""},
	{11, 3, fill_11_3, "", ""},
	{12, 4, fill_12_4, "", ""},
	{13, 6, fill_13_6, bytecodes_13_6, operations_13_6},
};

struct known_layout final : process::attachment {
	layout		l;
	std::string	why;
};

bool
read_at(const file &f, std::uint64_t vaddr, void *to, std::size_t size)
{
	std::uint64_t offset;
	return f.offset_of(vaddr, offset) && f.read(offset, to, size);
}

// The numbers of operands are ints in the program.
void
read_tables(const file &f, const found_symbol *found, layout &l)
{
	constexpr std::uint64_t most = 4096;
	if (found[0].vaddr != 0 && found[0].size <= most) {
		l.bytecode_sizes.resize(found[0].size / 3 * 3);
		if (!read_at(f, found[0].vaddr, l.bytecode_sizes.data(),
		    l.bytecode_sizes.size()))
			l.bytecode_sizes.clear();
	}
	if (found[1].vaddr == 0 || found[1].size > most)
		return;
	std::vector<std::int32_t> counts(found[1].size / 4);
	if (read_at(f, found[1].vaddr, counts.data(), 4 * counts.size()))
		for (const std::int32_t n : counts)
			l.operand_counts.push_back(static_cast<std::uint8_t>(
			    n >= 0 && n < 8 ? n : 0));
}

// A bytecode's size is 1, and each operand's size by its scale.
void
fill_tables(const release &r, layout &l)
{
	if (l.bytecode_sizes.empty())
		for (unsigned int scale = 1; scale <= 4; scale *= 2)
			for (std::size_t i = 0; i < r.bytecodes.size(); i += 2)
				l.bytecode_sizes.push_back(
				    static_cast<std::uint8_t>(1 + scale *
				    static_cast<unsigned int>(r.bytecodes[i] -
				    '0') + static_cast<unsigned int>(
				    r.bytecodes[i + 1] - '0')));
	if (l.operand_counts.empty())
		for (const char digit : r.operations)
			l.operand_counts.push_back(static_cast<std::uint8_t>(
			    digit - '0'));
}

std::unique_ptr<process::attachment>
find_layout(file &f)
{
	constexpr std::size_t count = std::size(descriptions);
	std::vector<std::string_view> names;
	for (const description &d : descriptions)
		names.push_back(d.symbol);
	names.insert(names.end(), std::begin(table_names),
	    std::end(table_names));
	std::vector<found_symbol> found(names.size());
	find_symbols(f, names, found.data());

	auto made = std::make_unique<known_layout>();
	layout l{};
	l.begin_too = l.frame_too = l.construct_too = l.match_previous = -1;
	for (std::size_t i = 0; i < count; i++)
		if (found[i].vaddr != 0)
			read_at(f, found[i].vaddr, &(l.*descriptions[i].member),
			    sizeof(std::int32_t));
	read_tables(f, &found[count], l);
	const std::string version = "javascript: V8 " +
	    std::to_string(l.major) + "." + std::to_string(l.minor);
	if (l.major == 0)
		made->why = "javascript: the version of V8 is not known";
	else if (l.tagged_size == 0)
		made->why = version + " was stripped of what describes its "
		    "heap (v8dbg_*)";
	else if (l.tagged_size != 8)
		made->why = version + ": compressed pointers are not known";
	for (const release &r : releases)
		if (made->why.empty() && r.major == l.major &&
		    r.minor == l.minor) {
			r.fill(l);
			fill_tables(r, l);
			made->l = l;
			return made;
		}
	if (made->why.empty())
		made->why = version + ": its layout is not known";
	return made;
}

} // namespace

const layout &
layout_of(file &f, std::string_view &why)
{
	const auto &known = kept_with<known_layout>(f, [&] {
		return find_layout(f);
	});
	why = known.why;
	return known.l;
}

} // namespace stack9::languages::javascript
