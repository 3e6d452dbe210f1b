// Implements the calls of <stack9_rules.h>: rules are a watch of the event
// "trigger".
//
// SPDX-License-Identifier: BSD-2-Clause
#include "rules.h"

#include <cerrno>
#include <cstring>

#include "core/arguments.h"
#include "os/uncancelled.h"

using namespace stack9;

namespace {

int
no_rules() noexcept
{
	return failed(EINVAL, "rules is NULL");
}

stack9_watch_options
of_watch(const stack9_rules_options &o) noexcept
{
	stack9_watch_options w{};
	w.size = sizeof w;
	w.mode = STACK9_WATCH_STREAM;
	w.side = STACK9_USER;
	if (!(o.flags & STACK9_RULES_PRINTK))
		w.flags = watch_calls_only;
	w.ring = o.ring;
	w.rules = o.rules;
	return w;
}

} // namespace

extern "C" int
stack9_rules_open(const struct stack9_rules_options *options,
    struct stack9_rules **rules)
{
	stack9_rules_options o;
	if (rules != nullptr)
		*rules = nullptr;
	const char *const wrong = read_options(options, 32, o);
	if (const int error = check_arguments({
	    {rules == nullptr, "rules is NULL"},
	    {wrong != nullptr, wrong},
	    {(o.flags & ~STACK9_RULES_PRINTK) != 0, unknown_option_flags},
	    {o.pins != nullptr && *o.pins != '/',
	    "options->pins is not an absolute path"},
	    {o.pins != nullptr && std::strchr(o.pins, ',') != nullptr,
	    "options->pins has a comma"},
	    }); error != 0)
		return error;
	return public_call([&] {
		std::string why;
		auto made = std::make_unique<stack9_rules>(of_watch(o));
		const std::string event = o.pins == nullptr ? "trigger" :
		    std::string("trigger:") + o.pins;
		const int error = made->watch.open(event.c_str(), why);
		if (error == 0)
			*rules = made.release();
		return why.empty() ? error : failed(error, why);
	});
}

extern "C" void
stack9_rules_close(struct stack9_rules *rules)
{
	const uncancelled guard;
	delete rules;
}

extern "C" int
stack9_rules_map(struct stack9_rules *rules, const char *name, int *fd)
{
	if (const int error = check_arguments({
	    {rules == nullptr, "rules is NULL"},
	    {name == nullptr, "name is NULL"},
	    {fd == nullptr, "fd is NULL"},
	    }); error != 0)
		return error;
	return public_call([&] {
		const int error = rules->watch.map(name, *fd);
		return error != ENOENT ? error : failed(error,
		    "the border of this release has no map of this name");
	});
}

extern "C" int
stack9_rules_fd(struct stack9_rules *rules, int *fd)
{
	return rules == nullptr ? no_rules() :
	    stack9_watch_fd(&rules->watch, fd);
}

extern "C" int
stack9_rules_read(struct stack9_rules *rules, int timeout_ms,
    stack9_sample_fn *fn, void *arg)
{
	return rules == nullptr ? no_rules() :
	    stack9_watch_read(&rules->watch, timeout_ms, fn, arg);
}

extern "C" int
stack9_rules_wake(struct stack9_rules *rules)
{
	return rules == nullptr ? EINVAL : stack9_watch_wake(&rules->watch);
}

extern "C" int
stack9_rules_sample(struct stack9_rules *rules,
    const struct stack9_bpf_stack *stack, size_t size, stack9_sample_fn *fn,
    void *arg)
{
	if (const int error = check_arguments({
	    {rules == nullptr, "rules is NULL"},
	    {stack == nullptr, "stack is NULL"},
	    {fn == nullptr, has_no_fn},
	    {size < STACK9_BPF_SIZE(0), "size is less than that of a stack"},
	    }); error != 0)
		return error;
	if (stack->magic != STACK9_BPF_MAGIC || stack->depth == 0 ||
	    stack->depth > STACK9_BPF_FRAMES ||
	    size < STACK9_BPF_SIZE(stack->depth))
		return failed(EINVAL, "stack is none that a call has stored, "
		    "or size is not all of it");
	return public_call([&] {
		return rules->watch.take(*stack, fn, arg);
	});
}

extern "C" int
stack9_rules_stop(struct stack9_rules *rules)
{
	return rules == nullptr ? no_rules() :
	    stack9_watch_stop(&rules->watch);
}

extern "C" int
stack9_rules_tally(struct stack9_rules *rules, struct stack9_tally *tally)
{
	return rules == nullptr ? no_rules() :
	    stack9_watch_tally(&rules->watch, tally);
}
