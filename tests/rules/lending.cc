// Loads objects by libbpf, as a tool of others does.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "lending.h"

#include <cerrno>
#include <cstring>

#include <bpf/bpf.h>
#include <unistd.h>

namespace {

int
no_print(libbpf_print_level, const char *, va_list)
{
	return 0;
}

std::string
lack_of_rules()
{
	if (access(CALLER, R_OK) != 0)
		return "clang made no object of programs";
	stack9_rules *r = nullptr;
	const int error = stack9_rules_open(nullptr, &r);
	stack9_rules_close(r);
	return error == EPERM || error == EOPNOTSUPP ? stack9_reason() : "";
}

} // namespace

boost::unit_test::decorator::precondition
lends()
{
	return unless([] {
		static const std::string lack = lack_of_rules();
		return lack;
	});
}

rules
open_rules(const stack9_rules_options *o)
{
	stack9_rules *r = nullptr;
	BOOST_REQUIRE_EQUAL(stack9_rules_open(o, &r), 0);
	return rules(r);
}

caller::caller(const char *program, stack9_rules *by)
    : object_(bpf_object__open_file(CALLER, nullptr)), by_(by)
{
	libbpf_set_print(no_print);
	BOOST_REQUIRE(object_ != nullptr);
	bpf_program *p;
	bpf_object__for_each_program(p, object_)
		bpf_program__set_autoload(p,
		    std::strcmp(bpf_program__name(p), program) == 0);
	program_ = bpf_object__find_program_by_name(object_, program);
	BOOST_REQUIRE(program_ != nullptr);
	if (by != nullptr)
		BOOST_REQUIRE_EQUAL(stack9_rules_attach(by, object_), 0);
}

caller::~caller()
{
	for (bpf_link *const l : links_)
		bpf_link__destroy(l);
	ring_buffer__free(ring_);
	bpf_object__close(object_);
}

bpf_map *
caller::map(const char *name) const
{
	return bpf_object__find_map_by_name(object_, name);
}

int
caller::load()
{
	const int error = -bpf_object__load(object_);
	if (error == 0)
		ring_ = ring_buffer__new(bpf_map__fd(map("stored")), take,
		    this, nullptr);
	return error;
}

void
caller::ask(pid_t pid, std::uint64_t cookie, bool send)
{
	const std::uint32_t zero = 0;
	const asked a{cookie, static_cast<__u32>(pid), send};
	BOOST_REQUIRE_EQUAL(bpf_map_update_elem(bpf_map__fd(map("asked")),
	    &zero, &a, 0), 0);
}

void
caller::attach()
{
	attach(bpf_program__attach(program_));
}

void
caller::attach(bpf_link *l)
{
	BOOST_REQUIRE(l != nullptr);
	links_.push_back(l);
}

answers
caller::answered() const
{
	const std::uint32_t zero = 0;
	answers all{};
	BOOST_REQUIRE_EQUAL(bpf_map_lookup_elem(bpf_map__fd(map("answers")),
	    &zero, &all), 0);
	return all;
}

int
caller::take(void *arg, void *stack, std::size_t size)
{
	auto &c = *static_cast<caller *>(arg);
	BOOST_TEST(stack9_rules_sample(c.by_, static_cast<stack9_bpf_stack *>(
	    stack), size, c.fn_, c.arg_) == 0);
	return 0;
}

void
caller::drain(stack9_rules *by, stack9_sample_fn *fn, void *arg)
{
	by_ = by;
	fn_ = fn;
	arg_ = arg;
	ring_buffer__consume(ring_);
}

int
taken::add(void *arg, const stack9_sample *s)
{
	auto &t = *static_cast<taken *>(arg);
	kept_sample k{};
	k.thread = s->thread;
	k.comm = s->comm;
	k.event = s->event != nullptr ? s->event : "";
	k.events = s->events;
	k.dropped = s->dropped;
	const stack9_stack &u = *s->user;
	k.user.asked = true;
	k.user.error = u.error;
	k.user.why = static_cast<stack9_why>(u.why);
	k.user.reason = u.reason;
	k.user.flags = u.flags;
	k.user.pcs.assign(u.pcs, u.pcs + u.depth);
	if (u.space != nullptr)
		k.user.space.reset(stack9_space_hold(u.space),
		    stack9_space_close);
	t.samples.push_back(std::move(k));
	t.cookies.push_back(s->cookie);
	return 0;
}

void
taken::read(stack9_rules *r, const std::vector<caller *> &from, int timeout_ms)
{
	const int error = stack9_rules_read(r, timeout_ms, add, this);
	BOOST_TEST((error == 0 || error == EAGAIN));
	for (caller *const c : from)
		c->drain(r, add, this);
}

void
taken::until_done(staged &p, stack9_rules *r, const std::vector<caller *> &from)
{
	p.go();
	while (!p.done())
		read(r, from, 1);
	while (stack9_rules_read(r, 0, add, this) == 0)
		;
	read(r, from, 0);
}
