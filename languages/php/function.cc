// Reads zend_function, zend_op and zend_string (Zend/zend_compile.h,
// Zend/zend_types.h).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "function.h"

#include <algorithm>
#include <string_view>

namespace stack9::languages::php {
namespace {

constexpr std::uint64_t longest_string = 1024, most_ops = 1 << 26;

// Gives a zend_string up to its first NUL: behind it the name of a class
// without a name says where that was made.
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
read_scope(unwind::memory &m, std::uint64_t at, function &to)
{
	std::uint64_t scope, name;
	if (m.word(at + function_scope, scope) && scope != 0 &&
	    m.word(scope + class_name, name))
		read_string(m, name, to.scope);
}

bool
read_code(unwind::memory &m, const layout &l, std::uint64_t at, function &to)
{
	std::uint64_t file;
	std::uint32_t last;
	if (!m.word(at + l.filename, file) || !read_string(m, file, to.file) ||
	    !m.word(at + l.opcodes, to.opcodes) ||
	    !m.read(at + l.last, &last, sizeof last) || last > most_ops ||
	    !m.read(at + l.line_end, &to.last_line, sizeof to.last_line))
		return false;
	to.end = to.opcodes + op_size * last;
	return true;
}

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

} // namespace

function
read_function(unwind::memory &m, const layout &l, std::uint64_t at)
{
	constexpr std::uint8_t internal = 1, user = 2, eval = 4;
	function f;
	std::uint8_t type;
	std::uint64_t name;
	if (!m.read(at + function_type, &type, sizeof type) ||
	    (type != internal && type != user && type != eval) ||
	    !m.word(at + function_name, name) ||
	    (name != 0 && !read_string(m, name, f.name)))
		return {};
	f.is_eval = type == eval;
	read_scope(m, at, f);
	if (type == internal) {
		m.word(at + l.handler, f.handler);
		f.what = function::kind::internal;
		return f;
	}
	if (!read_code(m, l, at, f))
		return {};
	f.what = name != 0 ? function::kind::user : function::kind::file;
	return f;
}

std::uint32_t
line_of(unwind::memory &m, const layout &l, std::uint64_t globals,
    const function &f, std::uint64_t opline)
{
	constexpr std::uint8_t handle_exception = 149;
	instruction op;
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
	// The third is the first of the instruction behind.
	const unsigned int arguments = op.code - first;
	return (arguments < 1 || has_argument(m, frame, opline + op_first,
	    opline + op_first_type)) &&
	    (arguments < 2 || has_argument(m, frame, opline + op_second,
	    opline + op_second_type)) &&
	    (arguments < 3 || has_argument(m, frame, opline + op_size +
	    op_first, opline + op_size + op_first_type));
}

const char *
word_for_file(unwind::memory &m, std::uint64_t opline)
{
	constexpr std::uint8_t include_or_eval = 73;
	instruction op;
	if (!read_op(m, opline, op) || op.code != include_or_eval)
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

} // namespace stack9::languages::php
