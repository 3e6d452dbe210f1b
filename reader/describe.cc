// Describes addresses by the files of their space.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "describe.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/seam/file_notes.h"
#include "core/seam/symbols.h"
#include "process/space.h"

namespace stack9::sandbox {
namespace {

// Files may have names without end.
constexpr std::size_t text_max = 1 << 20;

std::string_view
cut(std::string_view text) noexcept
{
	return text.substr(0, text_max);
}

// Longer texts are asked for one by one: see api/demangle.cc.
constexpr std::size_t readable_max = 4096;

// A caller that names such an address asks for its rule, too.
void
put_rule(stack9_space &space, std::uintptr_t pc, bool wanted, message &to)
{
	std::uint32_t rule = 0;
	to.put(wanted && stack_rules(space, &pc, 1, &rule));
	to.put(rule);
}

} // namespace

void
put_description(stack9_space &space, std::uint64_t pc, bool return_address,
    bool with_name, message &to)
{
	mapped_module m{};
	if (space_module(space, pc - return_address, m) != 0)
		m = {};
	std::string name;
	std::uintptr_t offset = 0, size = 0;
	const int error = !with_name ? ENOENT : space_function(space, pc,
	    return_address, name, offset, size);
	char readable[readable_max] = "";
	if (error == 0 && (stack9::demangle(name.c_str(), readable,
	    sizeof readable) != 0 ||
	    std::strlen(readable) + 4 >= sizeof readable))
		readable[0] = '\0';
	to.put(m.vaddr);
	to.put(m.build_id_size);
	to.put(m.build_id);
	to.put(error);
	to.put_text(cut(name));
	to.put_text(readable);
	to.put(std::uint64_t{offset});
	to.put(std::uint64_t{size});
	put_rule(space, pc - return_address, with_name && m.vaddr != 0 &&
	    may_end_signal(name, offset, size, !return_address), to);
}

void
put_lines(stack9_space &space, std::uint64_t pc, std::uint32_t flags,
    message &to)
{
	space_lines(space, pc, flags, [](void *arg, const source_line *l) {
		message &m = *static_cast<message *>(arg);
		if (m.bytes().size() > answer_full)
			return 1;
		m.put(true);
		m.put_text(cut(l->function));
		m.put_text(cut(l->file));
		m.put(l->line);
		m.put(l->column);
		m.put(l->inlined != 0);
		return 0;
	}, &to);
	to.put(false);
}

void
put_lines(stack9_space &space, message &question, message &answer)
{
	const auto pc = question.get<std::uint64_t>();
	put_lines(space, pc, question.get<std::uint32_t>(), answer);
}

static void
put_code_rules(stack9_space &space, message &question, message &answer)
{
	const auto from = question.get<std::uint64_t>();
	const auto size = question.get<std::uint32_t>();
	std::vector<rule_run> runs;
	if (!code_rules(space, from, size, runs) ||
	    runs.size() > answer_full / sizeof runs[0])
		return;
	answer.put(true);
	answer.put(static_cast<std::uint32_t>(runs.size()));
	answer.put_bytes(runs.data(), runs.size() * sizeof runs[0]);
}

void
put_rules(stack9_space &space, message &question, message &answer)
{
	if (question.what == kind::code_rules)
		return put_code_rules(space, question, answer);
	const auto n = question.get<std::uint32_t>();
	const auto from = question.get_bytes(n * sizeof(std::uintptr_t));
	std::vector<std::uintptr_t> pcs(from.size() / sizeof(std::uintptr_t));
	std::vector<std::uint32_t> rules(pcs.size());
	if (pcs.empty())
		return;
	std::memcpy(pcs.data(), from.data(), from.size());
	stack_rules(space, pcs.data(), static_cast<std::uint32_t>(pcs.size()),
	    rules.data());
	answer.put_bytes(rules.data(), rules.size() * sizeof rules[0]);
}

void
put_readable(message &question, message &answer)
{
	const std::string name(question.get_text());
	std::vector<char> text(question.get<std::uint32_t>());
	const int error = stack9::demangle(name.c_str(), text.data(),
	    text.size());
	answer.put(error);
	answer.put_text(error == 0 ? text.data() : "");
}

void
put_notes(message &answer, std::size_t at, std::size_t &reported)
{
	message fresh;
	std::uint32_t n = 0;
	fresh.put(n);
	for (const file_note *note;
	    (note = the_file_notes.at(reported + n)) != nullptr; n++) {
		fresh.put(note->what);
		fresh.put_text(note->path);
	}
	std::memcpy(fresh.bytes().data(), &n, sizeof n);
	auto &to = answer.bytes();
	to.insert(to.begin() + static_cast<std::ptrdiff_t>(at),
	    fresh.bytes().begin(), fresh.bytes().end());
	reported += n;
}

} // namespace stack9::sandbox
