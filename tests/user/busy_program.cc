// Starts and ends the busy program, and says what its stacks may be.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "cancellation.h"
#include "core_calls.h"
#include "busy_program.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Frames of libc and the vdso inside the program's innermost.
constexpr std::uint32_t most_of_libc = 4;

// nap_2 is the second link of a chain; link 0: of none.
struct link_of {
	const busy::chain	*chain = nullptr;
	int			 link = 0;
};

link_of
parse(const std::string &function)
{
	const auto line = function.rfind('_');
	if (line == std::string::npos)
		return {};
	for (const busy::chain &c : busy::chains)
		if (function.compare(0, line, c.stem) == 0)
			return {&c, std::atoi(function.c_str() + line + 1)};
	return {};
}

bool
is_a_leaf(const std::string &function)
{
	return std::any_of(std::begin(busy::chains), std::end(busy::chains),
	    [&](const busy::chain &c) {
		    return c.leaf != nullptr && function == c.leaf;
	    });
}

} // namespace

busy_program::busy_program(const std::string &file)
    : name_(file.substr(file.rfind('/') + 1))
{
	const int fd = memfd_create("busy", 0);
	if (ftruncate(fd, sizeof *page_) != 0)
		abort();
	void *const shared = mmap(nullptr, sizeof *page_, PROT_READ, MAP_SHARED,
	    fd, 0);
	if (shared == MAP_FAILED)
		abort();
	page_ = static_cast<const busy::page *>(shared);
	pid_ = fork();
	if (pid_ == 0) {
		execl(file.c_str(), file.c_str(), std::to_string(fd).c_str(),
		    nullptr);
		_exit(127);
	}
	close(fd);
	for (const busy::page::thread &t : page_->of)
		while (t.rounds == 0)
			if (waitpid(pid_, nullptr, WNOHANG) == pid_)
				abort();	// it could not even start
			else
				sched_yield();
	space_ = space_of(pid_);
}

void
busy_program::end()
{
	if (pid_ > 0) {
		kill(pid_, SIGKILL);
		waitpid(pid_, nullptr, __WALL);
	}
	pid_ = -1;
}

busy_program::~busy_program()
{
	end();
	munmap(const_cast<busy::page *>(page_), sizeof *page_);
}

int
busy_program::who(pid_t tid) const
{
	for (int me = 0; me < busy::threads; me++)
		if (page_->of[me].tid == tid)
			return me;
	return -1;
}

const busy_program::place &
busy_program::at(std::uintptr_t pc, bool exact)
{
	const auto [known, is_new] = seen_[exact].try_emplace(pc);
	if (is_new) {
		uintptr_t one[] = {pc};
		stack9::stack_record rec{};
		rec.pcs = one;
		rec.depth = 1;
		rec.flags = exact ? STACK9_STACK_EXACT : 0;
		stack9::mapped_module m;
		known->second = {names_in(space_.get(), rec)[0],
		    core::space_module(space_.get(), pc, &m) == 0 &&
		    std::string(m.path).ends_with("/" + name_)};
	}
	return known->second;
}

std::string
busy_program::told(const stack9::stack_record &user)
{
	std::string text = fmt::format("{}", stack9_why_text(user.why));
	for (std::uint32_t i = 0; i < user.depth; i++)
		text += (i == 0 ? ": " : " < ") + at(user.pcs[i], i == 0 &&
		    (user.flags & STACK9_STACK_EXACT)).function;
	return text;
}

// Reads a stack from its innermost frame outwards, as long as it can have been
// there; each part returns what is wrong with it.
class busy_program::reader {
public:
	reader(busy_program &p, int me, const stack9::stack_record &rec)
	    : p_(p), me_(me), rec_(rec) {}

	std::string
	all()
	{
		using part = std::string (reader::*)();
		for (const part read : {&reader::libc, &reader::chain,
		    &reader::root, &reader::start})
			if (const std::string fault = (this->*read)();
			    !fault.empty())
				return fault;
			else if (ends())
				return "";	// said to be cut, or whole
		return "frames behind its thread's start";
	}

private:
	bool ends() const { return i_ == rec_.depth; }
	const place &
	frame() const
	{
		return p_.at(rec_.pcs[i_], i_ == 0 &&
		    (rec_.flags & STACK9_STACK_EXACT));
	}
	// For a stack that ends before it should.
	std::string
	cut(const char *fault) const
	{
		return rec_.why == STACK9_WHY_NONE ? fault : "";
	}

	std::string libc();
	std::string chain();
	std::string root();
	std::string start();

	busy_program		&p_;
	const int		 me_;
	const stack9::stack_record	&rec_;
	std::uint32_t		 i_ = 0;
	link_of			 first_;	// the program's innermost
};

std::string
busy_program::reader::libc()
{
	std::vector<std::string> called;
	for (; !ends() && !frame().own; i_++)
		called.push_back(frame().function);
	called = without_cancellation(called);
	for (std::string &function : called)
		function = in_the_manual(function);
	if (ends())
		return cut("it is all libc's");
	first_ = parse(frame().function);
	if (called.empty())
		return "";
	if (called.size() > most_of_libc)
		return "too many frames of libc";
	if (first_.chain == nullptr || first_.chain->leaf == nullptr ||
	    first_.link != first_.chain->length)
		return "libc called from a function that does not";
	return called.back() != first_.chain->leaf ||
	    std::any_of(called.begin(), called.end() - 1, is_a_leaf) ?
	    "the wrong call of libc" : "";
}

std::string
busy_program::reader::chain()
{
	if (first_.chain == nullptr)
		return "";	// its root it must be, then
	if (first_.chain->whose != busy::lives[me_])
		return "a chain of another thread";
	for (int link = first_.link; link > 0; link--, i_++) {
		if (ends())
			return cut("its root is missing");
		if (frame().function != fmt::format("{}_{}",
		    first_.chain->stem, link))
			return "no link of the chain";
	}
	return ends() ? cut("its root is missing") : "";
}

std::string
busy_program::reader::root()
{
	for (const std::string &outer : {fmt::format("root_{}", me_),
	    std::string("begin")}) {
		if (ends())
			return cut("its root is not all there");
		if (frame().function != outer)
			return "not its root";
		i_++;
	}
	return ends() ? cut("it ends before its thread's start") : "";
}

std::string
busy_program::reader::start()
{
	const busy::page::thread &t = p_.page_->of[me_];
	for (int j = 0; j < t.outer_count; j++, i_++) {
		if (ends())
			return cut("it ends before its thread's start");
		if (rec_.pcs[i_] != t.outer[j])
			return "another start of its thread";
	}
	return "";
}

std::string
busy_program::fault(int me, const stack9::stack_record &user)
{
	return reader(*this, me, user).all();
}

const std::string &
busy_program::kernel_name(std::uintptr_t pc, bool exact)
{
	const auto [known, is_new] = kernel_[exact].try_emplace(pc);
	if (is_new) {
		stack9::symbol_name sym;
		if (core::name(pc, exact ? 0 : stack9::name_return_address,
		    &sym) ==
		    0)
			known->second = sym.name;
	}
	return known->second;
}

std::string
busy_program::fault(const stack9::stack_record &kernel,
    const stack9::stack_record &user)
{
	for (std::uint32_t i = 0; i < kernel.depth; i++) {
		const std::string &name = kernel_name(kernel.pcs[i], i == 0 &&
		    (kernel.flags & STACK9_STACK_EXACT));
		const auto sys = name.find("_sys_");
		// __bpf_trace_sys_enter() and __traceiter_sys_enter() are no
		// calls: somebody traces all.
		if (!name.starts_with("__") || sys == std::string::npos ||
		    name.find("trace") < sys)
			continue;
		const std::string call = name.substr(sys + 5);
		std::uint32_t n = 0;
		const auto function = [&] {
			return at(user.pcs[n], n == 0 &&
			    (user.flags & STACK9_STACK_EXACT)).function;
		};
		while (n + 1 < user.depth && is_of_cancellation(function()))
			n++;
		const std::string user_call = in_the_manual(function());
		return call == user_call ? "" : "the kernel is in " +
		    call + ", the user in " + user_call;
	}
	return "";
}
