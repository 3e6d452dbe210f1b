// Prints stacks for people: a header, the frames of each side one below the
// other, and a line that says whether each side is complete.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "columns.h"
#include "coroutines.h"
#include "groups.h"
#include "printer.h"
#include "shared_frames.h"
#include "state_times.h"
#include "tools/lib/text.h"
#include "tools/lib/words.h"
#include "waits.h"

namespace stackprint {
namespace {

constexpr std::string_view kernel_margin = "  kernel  ";
constexpr std::string_view user_margin = "  user    ";

// Gives the one word that all share, or "" if they differ.
std::string
common_state(const std::vector<thread_facts> &all)
{
	for (const thread_facts &m : all)
		if (m.state != all.front().state)
			return {};
	return std::string("  ") + state_word(all.front().state);
}

// Names at most three: the first few of many names are enough to recognize a
// group.
std::string
common_names(const std::vector<thread_facts> &all)
{
	std::vector<std::string> distinct;
	for (const thread_facts &m : all) {
		if (distinct.size() > 3)
			break;
		if (std::string name = thread_names(m.comm, m.name.c_str());
		    std::find(distinct.begin(), distinct.end(), name) ==
		    distinct.end())
			distinct.push_back(std::move(name));
	}
	std::string text;
	for (std::size_t i = 0; i < distinct.size() && i < 3; i++)
		text += (i ? ", " : "") + distinct[i];
	return distinct.size() > 3 ? text + ", ..." : text;
}

class text final : public printer {
public:
	explicit text(const view &v) : how_(v), columns_(how_) {}

	void thread(fmt::memory_buffer &, const sample &) override;
	void group(fmt::memory_buffer &, const sample &,
	    const std::vector<thread_facts> &) override;
	void coroutines(fmt::memory_buffer &, const coroutine_group &) override;
	void groups_of(std::size_t n) override { threads_ = n; }
	void end(fmt::memory_buffer &, const tally &) override;

private:
	void put_sides(fmt::memory_buffer &, const sample &);
	void put_kernel(fmt::memory_buffer &, const sample &);
	void put_user(fmt::memory_buffer &, const sample &);
	void put_place(fmt::memory_buffer &, const place &) const;
	void put_stop_reason(fmt::memory_buffer &, const stack &) const;
	shared_frames::match shared(const stack &);

	const view	how_;
	columns		columns_;
	std::size_t	threads_ = 0;	// in all groups
	shared_frames	before_;
	std::string	group_;		// the name of the one that is printed
};

// A file is searched and compared line by line, so it has all frames.
shared_frames::match
text::shared(const stack &s)
{
	return group_.empty() || !how_.opt.few_ids ? shared_frames::match{} :
	    before_.of(s, group_, how_.all);
}

void
put_shared(fmt::memory_buffer &out, std::string_view first,
    const shared_frames::match &m)
{
	if (m.frames != 0)
		append(out, "{}{} outer frames {}\n", first, m.frames,
		    m.where);
}

void
text::put_place(fmt::memory_buffer &out, const place &p) const
{
	if (how_.withheld)
		append(out, "{}", p.known() ? p.text : "??");
	else if (how_.opt.addresses)
		append(out, "{:#018x}  {}", p.pc, p.known() ? p.text : "??");
	else if (p.known())
		out.append(p.text.data(), p.text.data() + p.text.size());
	else
		append(out, "??  {:#018x}", p.pc);
}

void
text::put_stop_reason(fmt::memory_buffer &out, const stack &s) const
{
	append(out, "{}{}\n", margin, stop_reason(s, how_.all, how_.opt.stop));
}

void
text::put_kernel(fmt::memory_buffer &out, const sample &of)
{
	const stack &s = *of.kernel;
	if (s.error != 0) {
		append(out, "{}none: {}\n", kernel_margin,
		    none_because(of, s));
		return;
	}
	const shared_frames::match above = shared(s);
	const std::uint32_t own = s.depth() - above.frames;
	for (std::uint32_t i = 0; i < own; i++) {
		append(out, "{}", i == 0 ? kernel_margin : margin);
		if (!s.pcs.empty())
			put_place(out, how_.all.find(s, i));
		else
			append(out, "{}", printable(s.text[i]));
		append(out, "\n");
	}
	put_shared(out, own == 0 ? kernel_margin : margin, above);
	put_stop_reason(out, s);
}

void
text::put_user(fmt::memory_buffer &out, const sample &of)
{
	const stack &s = *of.user;
	if (s.error != 0) {
		append(out, "{}none: {}\n", user_margin,
		    none_because(of, s));
		return;
	}
	const shared_frames::match above = shared(s);
	stack own = s;
	own.pcs = own.pcs.first(own.pcs.size() - above.frames);
	while (above.frames != 0 && !own.written.empty() &&
	    own.written.back().index >= own.depth())
		own.written = own.written.first(own.written.size() - 1);
	columns_.put(out, own, user_margin);
	put_shared(out, own.depth() == 0 ? user_margin : margin, above);
	put_stop_reason(out, s);
	if (how_.opt.addresses)
		columns_.put_modules(out);
}

// The user stack of a kernel thread is not mentioned, unless only user stacks
// were asked for.
void
text::put_sides(fmt::memory_buffer &out, const sample &s)
{
	if (s.kernel.has_value())
		put_kernel(out, s);
	if (s.user.has_value() && (!s.kernel.has_value() ||
	    !is_kernel_thread(s)))
		put_user(out, s);
}

void
text::thread(fmt::memory_buffer &out, const sample &s)
{
	const std::string where = printable(wchan_of(s, how_));
	append(out, "{}  pid {}  tid {}", thread_names(s.comm, s.name.c_str()),
	    s.thread.pid, s.thread.tid);
	// A core does not say what its threads did.
	if (how_.opt.core.empty())
		append(out, "  {}{}{}", state_word(s.state),
		    where.empty() ? "" : " in ", where);
	else if (s.thread.tid == how_.opt.ended_by)
		append(out, "  {}", printable(how_.opt.ended_as));
	if (s.cpu >= 0)
		append(out, ", cpu {}", s.cpu);
	if (how_.times != nullptr)
		append_text(out, how_.times->text(s));
	append(out, "\n");
	put_sides(out, s);
	if (how_.waits != nullptr)
		how_.waits->put_line(out, s);
}

void
text::group(fmt::memory_buffer &out, const sample &s,
    const std::vector<thread_facts> &all)
{
	group_ = fmt::format("tid {}", std::min_element(all.begin(), all.end(),
	    [](const thread_facts &a, const thread_facts &b) {
		    return a.thread.tid < b.thread.tid;
	    })->thread.tid);
	std::set<pid_t> pids;
	for (const thread_facts &m : all)
		pids.insert(m.thread.pid);
	const std::string where = printable(wchan_of(s, how_));
	const bool has_states = how_.opt.core.empty();
	const std::string state = has_states ? common_state(all) : "";
	append_text(out, amount(all.size(), "thread"));
	if (pids.size() > 1)
		append(out, " of {} processes", pids.size());
	append(out, "  {}", common_names(all));
	if (pids.size() == 1)
		append(out, "  pid {}", *pids.begin());
	append(out, "{}{}{}", state, where.empty() || state.empty() ? "" :
	    " in ", state.empty() ? "" : where);
	if (how_.times != nullptr && !state.empty())
		append_text(out, how_.times->text(all));
	if (all.size() < threads_)
		append(out, "  {:.1f} %", 100.0 *
		    static_cast<double>(all.size()) /
		    static_cast<double>(threads_));
	append(out, "\n");
	put_sides(out, s);
	if (how_.waits != nullptr)
		put_waits(out, *how_.waits, all);
	put_tids(out, all, how_.opt.few_ids);
}

void
text::coroutines(fmt::memory_buffer &out, const coroutine_group &g)
{
	const bool one = g.all.size() == 1;
	const std::string first = name_of(g, g.all.front());
	group_ = how_.opt.no_group ? "" : first;
	if (one)
		append(out, "{}", first);
	else
		append(out, "{} {}s", g.all.size(), word_of(g));
	append(out, "  {}  pid {}  {}{}\n", printable(g.sample->comm),
	    g.sample->thread.pid, printable(g.state), waits_for_text(g));
	put_sides(out, *g.sample);
	if (!one && g.is_tasks())
		put_names(out, g, how_.opt.few_ids);
	else if (!one)
		put_ids(out, "  goids   ", g.ids(), how_.opt.few_ids);
}

void
text::end(fmt::memory_buffer &out, const tally &t)
{
	append(out, "{}", t.line());
}

} // namespace

std::unique_ptr<printer>
text_printer(const view &v)
{
	if (v.opt.procstat)
		return procstat_printer(v);
	return std::make_unique<text>(v);
}

} // namespace stackprint
