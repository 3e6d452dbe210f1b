// Finds where tasks of asyncio and coroutines have their members: by release,
// and since 3.14 as the runtime and its module _asyncio describe themselves.
//
// The offsets up to 3.13 were printed by programs of these releases, and by C
// programs with their headers.  The module has a section .AsyncioDebug
// (Modules/_asynciomodule.c), of three groups of words, each beginning with the
// size of its structure.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "layout.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <mutex>

#include "process/each_section.h"
#include "process/space.h"

namespace stack9::languages::python {
namespace {

constexpr task_layout tasks_3_9{true, 152, 160, 80, 16, 24, -1, 72, 0,
    0, 0, 0};
constexpr task_layout tasks_3_10{true, 160, 168, 88, 16, 108, -2, 80,
    64, 0, 0, 0};
constexpr task_layout tasks_3_11{true, 136, 144, 88, 80, 75, -2, 64,
    72, 0, 0, 0};
constexpr task_layout tasks_3_12{true, 136, 144, 88, 72, 67, -2, 64,
    72, 0, 0, 0};
constexpr task_layout tasks_3_13{true, 120, 128, 96, 72, 67, -3, 64, 72,
    0, 0, 0};

// Words of _Py_DebugOffsets: the stack of a frame, and the group of generators.
constexpr std::uint64_t frame_stack_3_14 = 37, generators_3_14 = 83;

struct debug_section final : process::attachment {
	std::uint64_t	vaddr = 0;	// 0: the file has none
};

std::unique_ptr<process::attachment>
find_debug_section(process::file &f)
{
	auto made = std::make_unique<debug_section>();
	const std::lock_guard locked(f.lock());
	if (f.is_elf() && f.is_64())
		process::find_named_section(f.fd(), f.elf(),
		    [&](Elf_Scn *, const GElf_Shdr &h, std::string_view name) {
			if (name != ".AsyncioDebug")
				return false;
			made->vaddr = h.sh_addr;
			return true;
		});
	return made;
}

// 0: no file of the process has the section.
std::uint64_t
section_in(stack9_space &space)
{
	std::uint64_t found = 0;
	space.each_mapping([&](const process::mapping &m) {
		std::uint64_t vaddr;
		if (found != 0 || m.backing == nullptr || m.is_image ||
		    m.is_moved || !m.backing->vaddr_of(m.offset, vaddr))
			return;
		const auto &its = kept_with<debug_section>(*m.backing, [&] {
			return find_debug_section(*m.backing);
		});
		if (its.vaddr != 0)
			found = its.vaddr + (m.start - vaddr);
	});
	return found;
}

// Words of the section.
struct section {
	std::uint64_t	task_size, name, awaited_by, is_task, is_set,
			coroutine, node, interpreter_size, of_interpreter,
			thread_size, running_loop, running_task, of_thread;

	bool
	is_sound() const noexcept
	{
		return std::max({name, coroutine, node}) < task_size &&
		    task_size < UINT16_MAX &&
		    of_interpreter < interpreter_size &&
		    interpreter_size < (1u << 30) && of_thread < thread_size &&
		    thread_size < UINT16_MAX;
	}
};

task_layout
tasks_described(const question &q, const loaded &where)
{
	constexpr std::uint16_t future_state = 104;	// it says nothing of it
	task_layout l{};
	section s;
	std::uint64_t generator[4], stack_end;
	const std::uint64_t at = section_in(q.space);
	if (at == 0 || !q.words.read(at, &s, sizeof s) || !s.is_sound() ||
	    !q.words.read(where.mark + 8 * generators_3_14, generator,
	    sizeof generator) || !q.words.word(where.mark +
	    8 * frame_stack_3_14, stack_end) ||
	    std::max({generator[2], generator[3], stack_end}) > 4096)
		return l;
	l.is_known = true;
	l.coroutine = static_cast<std::uint16_t>(s.coroutine);
	l.name = static_cast<std::uint16_t>(s.name);
	l.node = static_cast<std::uint16_t>(s.node);
	l.of_thread = static_cast<std::uint16_t>(s.of_thread);
	l.of_interpreter = static_cast<std::uint32_t>(s.of_interpreter);
	l.future_state = future_state;
	l.frame = static_cast<std::uint16_t>(generator[2]);
	l.frame_state = static_cast<std::uint16_t>(generator[3]);
	l.created = -3;
	l.stack_end = static_cast<std::uint16_t>(stack_end);
	return l;
}

} // namespace

task_layout
task_layout_of(const question &q, const loaded &where, const layout &l)
{
	task_layout found{};
	if (l.is_free_threaded)
		return found;
	switch (l.minor) {
	case 9:
		return tasks_3_9;
	case 10:
		return tasks_3_10;
	case 11:
		return tasks_3_11;
	case 12:
		return tasks_3_12;
	case 13:
		found = tasks_3_13;
		found.is_known = l.modules != 0;
		return found;
	case 14:
		return tasks_described(q, where);
	default:
		return found;
	}
}

} // namespace stack9::languages::python
