// Reads zend_function, zend_op and zend_string (Zend/zend_compile.h,
// Zend/zend_types.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "function.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stack9::languages::php {
namespace {

constexpr std::uint64_t longest_string = 1024, most_ops = 1 << 26;

// Gives a zend_string up to its first NUL: after it the name of a class without
// a name says where that was made.
bool
read_string(unwind::memory &m, std::uint64_t at, std::string &to)
{
	std::uint64_t length;
	to.clear();
	if (!m.read(at + string_length, &length, sizeof length))
		return false;
	to.resize(std::min(length, longest_string));
	if (!to.empty() && !m.read(at + string_bytes, to.data(), to.size())) {
		to.clear();
		return false;
	}
	to.resize(std::min(to.find('\0'), to.size()));
	return true;
}

struct instruction {
	std::uint32_t	extended, line;
	std::uint8_t	code;
};

bool
read_op(unwind::memory &m, std::uint64_t at, instruction &to)
{
	return at != 0 && m.read(at + op_extended, &to.extended, 4) &&
	    m.read(at + op_line, &to.line, 4) &&
	    m.read(at + op_code, &to.code, 1);
}

void
read_scope(unwind::memory &m, std::uint64_t scope, function &to)
{
	std::uint64_t name;
	if (scope != 0 && m.word(scope + class_name, name))
		read_string(m, name, to.scope);
}

constexpr std::uint8_t type_internal = 1, type_user = 2, type_eval = 4;

// An argument is a constant, or a variable of the frame; type 0: no longer.
bool
has_argument(unwind::memory &m, std::uint64_t frame, std::uint64_t at,
    std::uint64_t type_at)
{
	constexpr std::uint8_t constant = 1;
	constexpr std::uint64_t value_type = 8;
	std::uint8_t kind, type;
	std::uint32_t variable;
	return m.read(type_at, &kind, sizeof kind) && (kind == constant ||
	    (m.read(at, &variable, sizeof variable) &&
	    m.read(frame + variable + value_type, &type, sizeof type) &&
	    type != 0));
}

const char *
word_of(const instruction &op)
{
	constexpr std::uint8_t include_or_eval = 73;
	if (op.code != include_or_eval)
		return "";
	switch (op.extended) {
	case 1:
		return "eval";
	case 2:
		return "include";
	case 4:
		return "include_once";
	case 8:
		return "require";
	case 16:
		return "require_once";
	default:
		return "";
	}
}

} // namespace

bool
read_words(unwind::memory &m, const layout &l, std::uint64_t at,
    function_words &to)
{
	std::uint8_t type;
	// A function in C ends before the others.
	if (!m.read(at + function_type, &type, sizeof type) ||
	    !m.word(at + function_name, to.name) ||
	    !m.word(at + function_scope, to.scope))
		return false;
	to.head = type;
	if (type == type_internal)
		return m.word(at + l.handler, to.handler);
	return m.word(at + l.opcodes, to.opcodes) &&
	    m.word(at + l.filename, to.file) &&
	    m.word(at + l.lines_word(), to.lines) &&
	    m.word(at + l.last_word(), to.last);
}

function
read_function(unwind::memory &m, const layout &l, const function_words &w)
{
	function f;
	const auto type = static_cast<std::uint8_t>(w.head);
	const auto last = static_cast<std::uint32_t>(w.last >>
	    8 * (l.last - l.last_word()));
	if ((type != type_internal && type != type_user && type != type_eval) ||
	    (w.name != 0 && !read_string(m, w.name, f.name)))
		return {};
	f.is_eval = type == type_eval;
	read_scope(m, w.scope, f);
	if (type == type_internal) {
		f.handler = w.handler;
		f.what = function::kind::internal;
		return f;
	}
	if (!read_string(m, w.file, f.file) || last > most_ops)
		return {};
	f.opcodes = w.opcodes;
	f.end = f.opcodes + op_size * last;
	f.last_line = static_cast<std::uint32_t>(w.lines >> 32);
	f.what = w.name != 0 ? function::kind::user : function::kind::file;
	return f;
}

function
read_function(unwind::memory &m, const layout &l, std::uint64_t at)
{
	function_words w{};
	return read_words(m, l, at, w) ? read_function(m, l, w) : function();
}

// The hash is DJBX33A of signed chars, with the highest bit set.
intact
is_intact(unwind::memory &m, std::uint64_t string)
{
	constexpr std::uint64_t start = 5381, factor = 33,
	    is_set = std::uint64_t{1} << 63;
	std::uint64_t hash, length, made = start;
	std::array<std::int8_t, longest_string> bytes;
	if (!m.word(string + string_hash, hash) ||
	    !m.word(string + string_length, length))
		return intact::no;
	if (hash == 0 || length > bytes.size())
		return intact::not_known;
	if (!m.read(string + string_bytes, bytes.data(), length))
		return intact::no;
	for (std::size_t i = 0; i < length; i++)
		made = made * factor + static_cast<std::uint64_t>(
		    std::int64_t{bytes[i]});
	return (made | is_set) == hash ? intact::yes : intact::no;
}

bool
keep_code(unwind::memory &m, function &f)
{
	constexpr std::uint64_t most = 1 << 16, at_once = 64;
	const auto count = static_cast<std::uint32_t>((f.end - f.opcodes) /
	    op_size);
	auto made = std::make_shared<kept_code>();
	std::array<std::uint8_t, at_once * op_size> bytes;
	if (count > most)
		return false;
	for (std::uint32_t n = 0; n < count; n++) {
		instruction op;
		const std::size_t in = n % at_once;
		if (in == 0 && !m.read(f.opcodes + op_size * n, bytes.data(),
		    op_size * std::min<std::size_t>(at_once, count - n)))
			return false;
		const std::uint8_t *const its = &bytes[in * op_size];
		std::memcpy(&op.extended, its + op_extended, 4);
		std::memcpy(&op.line, its + op_line, 4);
		op.code = its[op_code];
		made->lines.push_back(op.line);
		if (const char *const word = word_of(op); *word != '\0')
			made->files.emplace_back(n, word);
	}
	f.kept = std::move(made);
	return true;
}

std::uint32_t
line_of(unwind::memory &m, const layout &l, std::uint64_t globals,
    const function &f, std::uint64_t opline)
{
	constexpr std::uint8_t handle_exception = 149;
	instruction op;
	if (f.kept != nullptr) {
		const std::uint64_t n = (opline - f.opcodes) / op_size;
		return opline >= f.opcodes && n < f.kept->lines.size() ?
		    f.kept->lines[n] : 0;
	}
	if (!read_op(m, opline, op))
		return 0;
	// The frame waits for the end of destructors, or of a finally.
	if (op.code == handle_exception) {
		if (!m.word(globals + l.opline_before_exception, opline))
			return 0;
		if (opline == 0)
			return f.last_line;
		if (!read_op(m, opline, op))
			return 0;
	}
	return opline >= f.opcodes && opline < f.end ? op.line : 0;
}

bool
frameless_call(unwind::memory &m, std::uint64_t opline, std::uint64_t frame,
    std::uint32_t &number)
{
	constexpr std::uint8_t first = 204, last = 207;
	instruction op;
	if (!read_op(m, opline, op) || op.code < first || op.code > last)
		return false;
	number = op.extended;
	// The third is the first of the next instruction.
	const unsigned int arguments = op.code - first;
	return (arguments < 1 || has_argument(m, frame, opline + op_first,
	    opline + op_first_type)) &&
	    (arguments < 2 || has_argument(m, frame, opline + op_second,
	    opline + op_second_type)) &&
	    (arguments < 3 || has_argument(m, frame, opline + op_size +
	    op_first, opline + op_size + op_first_type));
}

const char *
word_for_file(unwind::memory &m, const function &f, std::uint64_t opline)
{
	instruction op;
	if (f.kept == nullptr)
		return read_op(m, opline, op) ? word_of(op) : "";
	const std::uint64_t n = (opline - f.opcodes) / op_size;
	for (const auto &[number, word] : f.kept->files)
		if (number == n)
			return word;
	return "";
}

} // namespace stack9::languages::php
