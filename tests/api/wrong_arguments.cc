// Makes each public call with each wrong argument, and reads the reason.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <cerrno>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include <stack9_async.h>
#include <stack9_core.h>
#include <stack9_coroutines.h>
#include <stack9_crash.h>
#include <stack9_settings.h>
#include <stack9_waits.h>
#include <stack9_watch.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

#include "require.h"

BOOST_AUTO_TEST_SUITE(wrong_arguments)

namespace {

struct wrong_call {
	const char			*named;	// what the sentence begins with
	std::function<int()>		make;
};

int no_sample(void *, const stack9_sample *) { return 0; }
int no_state(void *, const stack9_state *) { return 0; }
int no_wait(void *, const stack9_wait *) { return 0; }
int no_frame(void *, const stack9_frame *) { return 0; }
int no_coroutine(void *, const stack9_coroutine *) { return 0; }

// Each has to name what is wrong, whatever the call before has said.
void
check_calls(const std::vector<wrong_call> &all)
{
	for (const wrong_call &c : all) {
		stack9_thread td;
		BOOST_REQUIRE_EQUAL(stack9_thread_find(999'999'999, &td),
		    ESRCH);
		BOOST_TEST(c.make() == EINVAL, c.named);
		const std::string told = stack9_reason();
		BOOST_TEST(told.starts_with(std::string(c.named) + " "), told);
	}
}

stack9_thread
me()
{
	stack9_thread td;
	BOOST_REQUIRE_EQUAL(stack9_thread_self(&td), 0);
	return td;
}

int
save(const stack9_save_options &o)
{
	const stack9_thread td = me();
	stack9_sample *s;
	return stack9_save(&td, STACK9_BOTH, &o, &s);
}

int
watched(const stack9_watch_options &o)
{
	stack9_watch *w;
	return stack9_watch_open("cpu-clock:99", &o, &w);
}

// Options of which one member is not 0.
template <class Options, class T>
Options
with(T Options::*member, std::type_identity_t<T> value)
{
	Options o{};
	o.size = sizeof o;
	o.*member = value;
	return o;
}

// The options of a newer header.
template <class Options>
struct newer {
	Options		known{};
	std::uint64_t	later[16]{};
};

const auto names_it = boost::unit_test::description(
    "EINVAL: the sentence names the argument or the member");

} // namespace

BOOST_AUTO_TEST_CASE(of_threads_and_captures, *names_it)
{
	stack9_thread td = me(), none{};
	stack9_sample *s;
	stack9_space *space;
	std::uint32_t count;
	char text[8];
	check_calls({
	    {"td", [&] { return stack9_thread_self(nullptr); }},
	    {"td", [&] { return stack9_thread_find(1, nullptr); }},
	    {"tid", [&] { return stack9_thread_find(0, &td); }},
	    {"td", [&] { return stack9_thread_list(nullptr, nullptr, 0,
	    &count); }},
	    {"td->pid", [&] { return stack9_thread_list(&none, nullptr, 0,
	    &count); }},
	    {"count", [&] { return stack9_thread_list(&td, nullptr, 0,
	    nullptr); }},
	    {"list", [&] { return stack9_thread_list(&td, nullptr, 1,
	    &count); }},
	    {"td", [&] { return stack9_save(nullptr, STACK9_BOTH, nullptr,
	    &s); }},
	    {"td->tid", [&] { return stack9_save(&none, STACK9_BOTH, nullptr,
	    &s); }},
	    {"side", [&] { return stack9_save(&td, 9, nullptr, &s); }},
	    {"sample", [&] { return stack9_save(&td, STACK9_BOTH, nullptr,
	    nullptr); }},
	    {"fn", [&] { return stack9_each(&td, STACK9_BOTH, nullptr, nullptr,
	    nullptr); }},
	    {"td->pid", [&] { return stack9_each(&none, STACK9_BOTH, nullptr,
	    no_sample, nullptr); }},
	    {"side", [&] { return stack9_each(&td, 0, nullptr, no_sample,
	    nullptr); }},
	    {"td", [&] { return stack9_space_open(nullptr, &space); }},
	    {"space", [&] { return stack9_space_open(&td, nullptr); }},
	    {"path", [&] { return stack9_space_open_file(nullptr, &space); }},
	    {"stack", [&] { return stack9_frames(nullptr, 0, no_frame,
	    nullptr); }},
	    {"fn", [&] { return stack9_frame_at(nullptr, 1, 0, nullptr,
	    nullptr); }},
	    {"flags", [&] { return stack9_frame_at(nullptr, 1, 1u << 30,
	    no_frame, nullptr); }},
	    {"sample", [&] { return stack9_print(nullptr, 0, nullptr,
	    nullptr); }},
	    {"name", [&] { return stack9_demangle(nullptr, text, sizeof text,
	    nullptr); }},
	    {"text", [&] { return stack9_demangle("_Z1fv", nullptr, 1,
	    nullptr); }},
	    {"need", [&] { return stack9_demangle("_Z1fv", text, 0,
	    nullptr); }},
	});
}

BOOST_AUTO_TEST_CASE(of_options, *names_it)
{
	stack9_save_options o{};
	newer<stack9_save_options> n;
	stack9_space *space;
	const stack9_thread td = me();
	BOOST_REQUIRE_EQUAL(stack9_space_open(&td, &space), 0);
	using options = stack9_save_options;
	check_calls({
	    {"options->size", [&] { return save(with(&options::size, 4)); }},
	    {"options->flags", [&] { return save(with(&options::flags,
	    1u << 31)); }},
	    {"options->frames", [&] { return save(with(&options::frames,
	    1u << 31)); }},
	    {"options->space", [&] {
		o = with(&options::space, space);
		return stack9_each(nullptr, STACK9_USER, &o, no_sample,
		    nullptr);
	    }},
	    {"options", [&] {
		n.known.size = sizeof n;
		n.later[15] = 1;
		return save(n.known);
	    }},
	});
	stack9_space_close(space);
}

BOOST_AUTO_TEST_CASE(of_watches, *names_it)
{
	stack9_watch *w;
	stack9_tally tally{};
	int fd;
	using options = stack9_watch_options;
	check_calls({
	    {"events", [&] { return stack9_watch_open(nullptr, nullptr,
	    &w); }},
	    {"watch", [&] { return stack9_watch_open("cpu-clock:99", nullptr,
	    nullptr); }},
	    {"options->size", [&] {
		return watched(with(&options::size, 4));
	    }},
	    {"options->mode", [&] {
		return watched(with(&options::mode, 7));
	    }},
	    {"options->side", [&] {
		return watched(with(&options::side, 7));
	    }},
	    {"options->flags", [&] {
		return watched(with(&options::flags, 1u << 31));
	    }},
	    {"options->pid", [&] {
		return watched(with(&options::pid, -1));
	    }},
	    {"options->tid", [&] {
		return watched(with(&options::tid, -1));
	    }},
	    {"options->cpu", [&] {
		return watched(with(&options::cpu, 1));
	    }},
	    {"options->reserved", [&] {
		return watched(with(&options::reserved, 1));
	    }},
	    {"watch", [&] { return stack9_watch_fd(nullptr, &fd); }},
	    {"watch", [&] { return stack9_watch_read(nullptr, 0, no_sample,
	    nullptr); }},
	    {"watch", [&] { return stack9_watch_each(nullptr, no_sample,
	    nullptr); }},
	    {"watch", [&] { return stack9_watch_stop(nullptr); }},
	    {"watch", [&] { return stack9_watch_tally(nullptr, &tally); }},
	    {"watch", [&] { return stack9_watch_events(nullptr, nullptr,
	    nullptr); }},
	});
}

BOOST_AUTO_TEST_CASE(of_streams, *needs("bpf") * names_it)
{
	stack9_thread td = me(), none{};
	stack9_async *s = nullptr;
	stack9_sample *sample;
	stack9_id id;
	int fd;
	BOOST_REQUIRE_EQUAL(stack9_async_open(&s), 0);
	check_calls({
	    {"stream", [&] { return stack9_async_open(nullptr); }},
	    {"stream", [&] { return stack9_async_submit(nullptr, &td,
	    STACK9_BOTH, 0, 0, &id); }},
	    {"td", [&] { return stack9_async_submit(s, nullptr, STACK9_BOTH, 0,
	    0, &id); }},
	    {"td->tid", [&] { return stack9_async_submit(s, &none, STACK9_BOTH,
	    0, 0, &id); }},
	    {"side", [&] { return stack9_async_submit(s, &td, 4, 0, 0,
	    &id); }},
	    {"flags", [&] { return stack9_async_submit(s, &td, STACK9_BOTH,
	    0x80, 0, &id); }},
	    {"id", [&] { return stack9_async_submit(s, &td, STACK9_BOTH, 0, 0,
	    nullptr); }},
	    {"id", [&] { return stack9_async_collect(s, 0, nullptr,
	    &sample); }},
	    {"sample", [&] { return stack9_async_collect(s, 1, nullptr,
	    nullptr); }},
	    {"ready", [&] { return stack9_async_next(s, nullptr); }},
	    {"fd", [&] { return stack9_async_fd(s, nullptr); }},
	    {"stream", [&] { return stack9_async_fd(nullptr, &fd); }},
	    {"events", [&] { return stack9_async_watch(s, nullptr,
	    nullptr); }},
	    {"captures", [&] { return stack9_async_limit(0, 0); }},
	    {"bytes", [&] { return stack9_async_limit(1, 2 << 20); }},
	});
	stack9_async_close(s);
}

BOOST_AUTO_TEST_CASE(of_waits_and_settings, *names_it)
{
	const stack9_thread td = me(), none{};
	const stack9_sample *const without[] = {nullptr};
	check_calls({
	    {"fn", [&] { return stack9_states(&td, 0, nullptr, nullptr); }},
	    {"flags", [&] { return stack9_states(&td, 1, no_state,
	    nullptr); }},
	    {"td->pid", [&] { return stack9_states(&none, 0, no_state,
	    nullptr); }},
	    {"fn", [&] { return stack9_waits(nullptr, 0, 0, nullptr,
	    nullptr); }},
	    {"samples", [&] { return stack9_waits(nullptr, 1, 0, no_wait,
	    nullptr); }},
	    {"one of samples", [&] { return stack9_waits(without, 1, 0, no_wait,
	    nullptr); }},
	    {"td", [&] { return stack9_coroutines(nullptr, nullptr,
	    no_coroutine, nullptr); }},
	    {"fn", [&] { return stack9_coroutines(&td, nullptr, nullptr,
	    nullptr); }},
	    {"core", [&] { return stack9_core_open("x", -1, nullptr,
	    nullptr); }},
	    {"path", [&] { stack9_core *core; return stack9_core_open(nullptr,
	    -1, nullptr, &core); }},
	    {"core", [&] { return stack9_core_each(nullptr, nullptr, no_sample,
	    nullptr); }},
	    {"core", [&] { return stack9_core_dump(nullptr, 1); }},
	    {"fn", [&] { return stack9_routes(nullptr, nullptr); }},
	    {"dir", [&] { return stack9_pin(nullptr); }},
	    {"dir", [&] { return stack9_pin(""); }},
	    {"flags", [&] { return stack9_read_apart(0x80); }},
	    {"flags", [&] { return stack9_crash_install(1, 1u << 31); }},
	});
}

BOOST_AUTO_TEST_SUITE_END()
