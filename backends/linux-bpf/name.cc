// Implements route "snprintf": asks the kernel for the name of its address.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "objects.h"

#include <charconv>
#include <cstring>
#include <string_view>

#include "bpf/program.h"
#include "bpf/record.h"
#include "images.h"
#include "routes.h"

namespace stack9::bpf {
namespace {

constinit object object_of_names(s9_image_name,
    "needs bpf_snprintf() in a program to be called (Linux 5.14)", true);

// Parses "0x1f" at the front of text and removes it from text.
bool
take_hex(std::string_view &text, std::uintptr_t &value) noexcept
{
	if (!text.starts_with("0x"))
		return false;
	const char *end = text.data() + text.size();
	const auto [behind, error] = std::from_chars(text.data() + 2, end,
	    value, 16);
	text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
	return error == std::errc();
}

// Parses name+0xoffset/0xsize [module].  A bare 0xaddress has no symbol.
int
parse(std::string_view text, symbol_name &sym) noexcept
{
	const auto plus = text.rfind('+');
	if (plus == std::string_view::npos || plus == 0 ||
	    plus >= sizeof sym.name)
		return ENOENT;
	std::string_view rest = text.substr(plus + 1);
	std::uintptr_t offset = 0, size = 0;
	if (!take_hex(rest, offset) || !rest.starts_with('/'))
		return ENOENT;
	rest.remove_prefix(1);
	if (!take_hex(rest, size))
		return ENOENT;
	std::string_view module;
	if (rest.starts_with(" [") && rest.ends_with(']'))
		module = rest.substr(2, rest.size() - 3);
	std::memcpy(sym.name, text.data(), plus);
	sym.name[plus] = '\0';
	const std::size_t n = module.copy(sym.module, sizeof sym.module - 1);
	sym.module[n] = '\0';
	sym.offset = offset;
	sym.size = size;
	return 0;
}

// Asks the program that is loaded.  EBUSY: another one would have room.
int
ask(s9_name &call) noexcept
{
	if (name_object().program() >= 0)
		return try_run(name_object(), &call, sizeof call);
	if (one_object().second_program() >= 0)
		return try_run_second(one_object(), &call, sizeof call);
	return name_in_slot(call);
}

} // namespace

object &
name_object() noexcept
{
	return object_of_names;
}

verdict
name_route::can() noexcept
{
	if (ready())
		return {0, nullptr};
	return name_object().load();
}

bool
name_route::ready() const noexcept
{
	return name_object().program() >= 0 ||
	    one_object().second_program() >= 0 || user_one_names();
}

int
name_route::find(std::uintptr_t pc, unsigned int flags, symbol_name &sym)
    noexcept
{
	s9_name call;
	call.pc = pc;
	call.return_address = (flags & name_return_address) != 0;
	int error = ask(call);
	if (error == EBUSY && (flags & name_nowait) == 0 &&
	    name_object().load().error == 0)
		error = ask(call);
	if (error != 0)
		return error == EBADF || error == EBUSY ? EAGAIN : error;
	if (call.len <= 0)
		return call.len == 0 ? ENOENT : -call.len;
	call.text[sizeof call.text - 1] = '\0';
	return parse(call.text, sym);
}

} // namespace stack9::bpf
