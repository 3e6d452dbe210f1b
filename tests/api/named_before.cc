// Names addresses that a thread has asked for before.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <memory>
#include <string>
#include <vector>

#include <boost/test/unit_test.hpp>
#include <dlfcn.h>
#include <signal.h>
#include <stack9.h>

using boost::unit_test::description;

BOOST_AUTO_TEST_SUITE(named_before)

namespace {

// A frame that lives longer than the call that gave it.
struct kept_frame {
	stack9_frame	f{};
	std::string	name, linkage, module, build_id, file;
	int		given = 0;	// frames, with inlined calls
};

kept_frame
frame_at(stack9_space *space, std::uintptr_t pc, unsigned int flags)
{
	kept_frame kept;
	BOOST_REQUIRE(stack9_frame_at(space, pc, flags,
	    [](void *arg, const stack9_frame *f) {
		auto &to = *static_cast<kept_frame *>(arg);
		to = {*f, f->name, f->linkage, f->module,
		    std::string(reinterpret_cast<const char *>(f->build_id),
		    f->build_id_size), f->file, to.given + 1};
		return 0;
	}, &kept) == 0);
	return kept;
}

void
check_same(const kept_frame &a, const kept_frame &b)
{
	BOOST_TEST(a.name == b.name);
	BOOST_TEST(a.linkage == b.linkage);
	BOOST_TEST(a.module == b.module);
	BOOST_TEST(a.build_id == b.build_id);
	BOOST_TEST(a.f.kind == b.f.kind);
	BOOST_TEST(a.f.flags == b.f.flags);
	BOOST_TEST(a.f.pc == b.f.pc);
	BOOST_TEST(a.f.offset == b.f.offset);
	BOOST_TEST(a.f.size == b.f.size);
	BOOST_TEST(a.f.start == b.f.start);
	BOOST_TEST(a.f.end == b.f.end);
	BOOST_TEST(a.f.file_offset == b.f.file_offset);
	BOOST_TEST(a.f.vaddr == b.f.vaddr);
	BOOST_TEST(a.f.line == b.f.line);
	BOOST_TEST(a.f.column == b.f.column);
	BOOST_TEST(a.file == b.file);
	BOOST_TEST(a.given == b.given);
}

using space_ptr = std::unique_ptr<stack9_space, decltype(&stack9_space_close)>;

space_ptr
own_space()
{
	stack9_thread self{};
	stack9_space *space = nullptr;
	BOOST_REQUIRE(stack9_thread_self(&self) == 0);
	BOOST_REQUIRE(stack9_space_open(&self, &space) == 0);
	return {space, &stack9_space_close};
}

std::uintptr_t
in_libc()
{
	return reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "qsort")) +
	    20;
}

constexpr unsigned int lines = STACK9_FRAMES_RETURN | STACK9_FRAMES_LINES;

[[gnu::noinline]] std::uintptr_t
return_address()
{
	return reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

[[gnu::always_inline]] inline std::uintptr_t
here()
{
	const std::uintptr_t pc = return_address();
	asm("");	// no tail call
	return pc;
}

// A return address in a call that was inlined.
[[gnu::noinline]] std::uintptr_t
of_inlined()
{
	const std::uintptr_t pc = here();
	asm("");
	return pc;
}

std::uint64_t handlers_stack[2];

void
handle(int)
{
	stack9_save_self(handlers_stack, 2, 0, nullptr);
}

// The address to which a signal's handler returns.
std::uintptr_t
behind_a_handler()
{
	struct sigaction before{}, set{};
	set.sa_handler = handle;
	sigaction(SIGUSR1, &set, &before);
	raise(SIGUSR1);
	sigaction(SIGUSR1, &before, nullptr);
	return handlers_stack[1];
}

} // namespace

BOOST_AUTO_TEST_CASE(is_named_the_same, *description(
    "stack9_frames: an address that this thread has asked for lately"))
{
	const std::uintptr_t pc = in_libc();
	const space_ptr one = own_space(), other = own_space();
	Dl_info info{};
	BOOST_REQUIRE(dladdr(reinterpret_cast<void *>(pc), &info) != 0);
	const kept_frame first = frame_at(one.get(), pc, STACK9_FRAMES_RETURN);
	BOOST_TEST(first.f.offset ==
	    pc - reinterpret_cast<std::uintptr_t>(info.dli_saddr));
	BOOST_TEST(!first.linkage.empty());
	BOOST_TEST(first.module.find("libc.so") != std::string::npos);
	BOOST_TEST(!first.build_id.empty());
	BOOST_TEST(first.f.start < pc);
	BOOST_TEST(first.f.end > pc);
	for (const auto &space : {one.get(), one.get(), other.get(),
	    other.get()})
		check_same(frame_at(space, pc, STACK9_FRAMES_RETURN), first);
}

BOOST_AUTO_TEST_CASE(other_questions_have_answers_of_their_own, *description(
    "stack9_frames: an address that this thread has asked for lately"))
{
	const std::uintptr_t pc = in_libc();
	const space_ptr s = own_space();
	const kept_frame first = frame_at(s.get(), pc, STACK9_FRAMES_RETURN);
	for (int twice = 0; twice < 2; twice++) {
		const kept_frame exact = frame_at(s.get(), pc, 0);
		BOOST_TEST(exact.f.offset == first.f.offset);
		BOOST_TEST((exact.f.flags & STACK9_FRAME_EXACT) != 0u);
		BOOST_TEST(frame_at(s.get(), pc + 1, STACK9_FRAMES_RETURN)
		    .f.offset == first.f.offset + 1);
		const kept_frame none = frame_at(s.get(), 16, 0);
		BOOST_TEST(none.module == "");
		BOOST_TEST(none.name == "");
	}
}

// More of them than are remembered, so that some take the place of others.
BOOST_AUTO_TEST_CASE(many_take_the_place_of_others, *description(
    "stack9_frames: an address that this thread has asked for lately"))
{
	const std::uintptr_t pc = in_libc();
	const space_ptr s = own_space(), other = own_space();
	std::vector<kept_frame> first;
	constexpr std::uintptr_t many = 3000;
	for (std::uintptr_t i = 0; i < many; i++)
		first.push_back(frame_at(s.get(), pc - many / 2 + i, 0));
	for (std::uintptr_t i = 0; i < many; i += 7)
		for (const auto space : {s.get(), other.get()})
			check_same(frame_at(space, first[i].f.pc, 0), first[i]);
}

BOOST_AUTO_TEST_CASE(readable_names_and_others_by_turns, *description(
    "STACK9_FRAMES_LINKAGE: name is linkage, not demangled"))
{
	const space_ptr s = own_space();
	const auto pc = reinterpret_cast<std::uintptr_t>(&frame_at);
	for (int twice = 0; twice < 2; twice++) {
		const kept_frame readable = frame_at(s.get(), pc, 0);
		const kept_frame mangled = frame_at(s.get(), pc,
		    STACK9_FRAMES_LINKAGE);
		BOOST_TEST(readable.linkage.starts_with("_Z"));
		BOOST_TEST(readable.name.find("frame_at(") !=
		    std::string::npos);
		BOOST_TEST(mangled.name == readable.linkage);
	}
}

BOOST_AUTO_TEST_CASE(with_lines_and_without_by_turns, *description(
    "STACK9_FRAMES_LINES: file and line, and inlined calls"))
{
	const space_ptr s = own_space();
	const std::uintptr_t pc = of_inlined();
	const kept_frame first = frame_at(s.get(), pc, lines);
	BOOST_TEST(first.file.ends_with("named_before.cc"));
	BOOST_TEST(first.given == 2);
	BOOST_TEST(first.f.kind == STACK9_FRAME_FUNCTION);
	for (int twice = 0; twice < 2; twice++) {
		const kept_frame bare = frame_at(s.get(), pc,
		    STACK9_FRAMES_RETURN);
		BOOST_TEST(bare.file == "");
		BOOST_TEST(bare.given == 1);
		check_same(frame_at(s.get(), pc, lines), first);
	}
}

BOOST_AUTO_TEST_CASE(of_a_signal_again, *description(
    "STACK9_FRAMES_LINES: file and line, and inlined calls"))
{
	const space_ptr s = own_space();
	const std::uintptr_t pc = behind_a_handler();
	const kept_frame first = frame_at(s.get(), pc, lines);
	BOOST_TEST((first.f.flags & STACK9_FRAME_SIGNAL) != 0u);
	check_same(frame_at(s.get(), pc, lines), first);
}

BOOST_AUTO_TEST_SUITE_END()
