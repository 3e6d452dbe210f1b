// Replaces libraries by others at the same addresses.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "robust_plugins.h"

#include <boost/test/unit_test.hpp>

#include <array>
#include <atomic>
#include <barrier>
#include <filesystem>
#include <thread>

#include <dlfcn.h>

#include "robust_child.h"
#include "robust_code.h"
#include "robust_truth.h"

using boost::unit_test::description;
namespace fs = std::filesystem;

void (*in_constructor)();

extern "C" [[gnu::visibility("default")]] void
plugin_in_constructor()
{
	in_constructor();
}

std::string
plugin::path(which w)
{
	static const char *const names[] = {"small", "large", "constructing"};
	return beside_this_program(std::string("robust_plugin_") + names[w] +
	    ".so");
}

plugin::plugin(which w) : plugin(path(w)) {}

plugin::plugin(const std::string &path)
    : handle_(dlopen(path.c_str(), RTLD_NOW))
{
	must(handle_ != nullptr, "the plugin loads");
	call_ = reinterpret_cast<decltype(call_)>(dlsym(handle_,
	    "plugin_call"));
}

plugin::~plugin()
{
	dlclose(handle_);
}

namespace {

constexpr int rounds = 60;

// Called by the plugin; notes where in it the call is.
[[gnu::noinline]] void
agree_and_note(void *return_address)
{
	must_agree("through a plugin");
	*static_cast<std::uintptr_t *>(return_address) =
	    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
}

std::uintptr_t
agree_through(const plugin &p)
{
	std::uintptr_t at = 0;
	p.call(agree_and_note, &at);
	return at;
}

// The same pc is wanted in another frame each time: counts the addresses that
// were met with both.
class meetings {
public:
	void
	met(std::uintptr_t at, int which)
	{
		// Without randomisation of mmap()'s choices it is always one.
		if (at == last_at_ && which != last_which_)
			replaced_++;
		last_at_ = at;
		last_which_ = which;
	}
	int replaced() const { return replaced_; }

private:
	std::uintptr_t	last_at_ = 0;
	int		last_which_ = 0;
	int		replaced_ = 0;
};

void
replace_by_another_name()
{
	meetings m;
	for (int i = 0; i < rounds; i++) {
		const auto which = i % 2 == 0 ? plugin::small : plugin::large;
		m.met(agree_through(plugin(which)), which);
	}
	tell("replaced in place %d times of %d", m.replaced(), rounds - 1);
	must(m.replaced() > rounds / 2, "plugins are loaded at one address");
}

// A link in a directory of its own.
class link_to {
public:
	link_to()
	{
		char dir[] = "/tmp/robust-XXXXXX";
		must(mkdtemp(dir) != nullptr, "a directory can be made");
		name_ = fs::path(dir) / "plugin.so";
	}
	~link_to() { fs::remove_all(name_.parent_path()); }
	void
	set(plugin::which w)
	{
		fs::remove(name_);
		fs::create_symlink(plugin::path(w), name_);
	}
	std::string name() const { return name_; }

private:
	fs::path name_;
};

void
replace_by_the_same_name()
{
	meetings m;
	link_to link;
	for (int i = 0; i < rounds; i++) {
		const auto which = i % 2 == 0 ? plugin::small : plugin::large;
		link.set(which);
		m.met(agree_through(plugin(link.name())), which);
	}
	must(m.replaced() > rounds / 2, "plugins are loaded at one address");
}

// A second thread that learns of the change by nothing but its own capture.
void
replace_under_two_threads()
{
	std::atomic<const plugin *> now{nullptr};
	std::barrier turn(2);
	std::thread other([&] {
		for (int i = 0; i < rounds; i++) {
			turn.arrive_and_wait();
			agree_through(*now);
			turn.arrive_and_wait();
		}
	});
	for (int i = 0; i < rounds; i++) {
		const plugin p(i % 2 == 0 ? plugin::small : plugin::large);
		now = &p;
		turn.arrive_and_wait();
		agree_through(p);
		turn.arrive_and_wait();
	}
	other.join();
}

void
replace_by_code_without_unwind_information()
{
	for (int i = 0; i < rounds; i++) {
		std::uintptr_t at;
		{
			at = agree_through(plugin(i % 2 == 0 ? plugin::small :
			    plugin::large));
		}
		const jit_code code(jit_code::with_frame_pointer, at);
		must_pass(code);
	}
}

void
replace_code_without_unwind_information()
{
	// The first capture maps memory beside the plugin.  The loader needs
	// room to align another one in, so that it may not come back there.
	agree_through(plugin(plugin::small));
	const std::uintptr_t at = agree_through(plugin(plugin::small));
	int there = 0;
	for (int i = 0; i < rounds; i++) {
		{
			const jit_code code(jit_code::with_frame_pointer, at);
			must_pass(code);
		}
		there += agree_through(plugin(i % 2 == 0 ? plugin::small :
		    plugin::large)) == at;
	}
	must(there > rounds / 2, "the plugin comes back to its address");
}

} // namespace

BOOST_AUTO_TEST_SUITE(plugins)

BOOST_AUTO_TEST_CASE(a_library_may_replace_another_at_its_address,
    *description("A library that replaces another at the same address is "
    "walked by its own rules"))
{
	BOOST_TEST(in_child(replace_by_another_name) == "");
}

BOOST_AUTO_TEST_CASE(a_library_may_replace_another_of_the_same_name,
    *description("A library that replaces another at the same address is "
    "walked by its own rules"))
{
	BOOST_TEST(in_child(replace_by_the_same_name) == "");
}

BOOST_AUTO_TEST_CASE(each_thread_sees_that_a_library_was_replaced)
{
	BOOST_TEST(in_child(replace_under_two_threads) == "");
}

BOOST_AUTO_TEST_CASE(made_code_may_replace_a_library)
{
	BOOST_TEST(in_child(replace_by_code_without_unwind_information) == "");
}

BOOST_AUTO_TEST_CASE(a_library_may_replace_made_code)
{
	BOOST_TEST(in_child(replace_code_without_unwind_information) == "");
}

BOOST_AUTO_TEST_SUITE_END()
