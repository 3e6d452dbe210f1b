// Prints stacks for people: a header, the frames of each side one below the
// other, and a line that says whether each side is complete.
//
// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "columns.h"
#include "printer.h"
#include "tools/lib/append.h"
#include "tools/lib/text.h"
#include "groups.h"
#include "tools/lib/words.h"

namespace stackprint {
namespace {

constexpr std::string_view kernel_margin = "  kernel  ";
constexpr std::string_view user_margin = "  user    ";

template <typename... T>
void
put(fmt::memory_buffer &out, fmt::format_string<T...> f, T &&...args)
{
	append(out, f, std::forward<T>(args)...);
}

// Gives the one word that all share, or "" if they differ.
std::string
common_state(const std::vector<member> &all)
{
	for (const member &m : all)
		if (m.state != all.front().state)
			return {};
	return std::string("  ") + state_word(all.front().state);
}

// Names at most three: the first few of many names are enough to recognize a
// group.
std::string
common_names(const std::vector<member> &all)
{
	std::vector<std::string> distinct;
	for (const member &m : all)
		if (std::find(distinct.begin(), distinct.end(), m.comm) ==
		    distinct.end())
			distinct.push_back(m.comm);
	std::string text;
	for (std::size_t i = 0; i < distinct.size() && i < 3; i++)
		text += (i ? ", " : "") + printable(distinct[i]);
	return distinct.size() > 3 ? text + ", ..." : text;
}

class text final : public printer {
public:
	explicit text(const view &v) : how_(v), columns_(how_) {}

	void thread(fmt::memory_buffer &, const stacks &) override;
	void group(fmt::memory_buffer &, const stacks &,
	    const std::vector<member> &) override;
	void end(fmt::memory_buffer &, const tally &) override;

private:
	void put_sides(fmt::memory_buffer &, const stacks &);
	void put_kernel(fmt::memory_buffer &, const stack9_record &);
	void put_user(fmt::memory_buffer &, const stack9_record &);
	void put_place(fmt::memory_buffer &, const place &) const;
	void put_ending(fmt::memory_buffer &, const stack9_record &) const;

	const view	how_;
	columns		columns_;
};

void
text::put_place(fmt::memory_buffer &out, const place &p) const
{
	if (how_.withheld)
		put(out, "{}", p.known ? p.text : "??");
	else if (how_.opt.addresses)
		put(out, "{:#018x}  {}", p.pc, p.known ? p.text : "??");
	else if (p.known)
		out.append(p.text.data(), p.text.data() + p.text.size());
	else
		put(out, "??  {:#018x}", p.pc);
}

void
text::put_ending(fmt::memory_buffer &out, const stack9_record &rec) const
{
	put(out, "{}{}\n", margin, ending(rec, how_.opt.stop));
}

void
text::put_kernel(fmt::memory_buffer &out, const stack9_record &rec)
{
	if (rec.error != 0) {
		put(out, "{}none: {}\n", kernel_margin, none_because(rec));
		return;
	}
	const bool has_pcs = !(rec.flags & STACK9_TEXT);
	const auto lines = has_pcs ? std::vector<std::string_view>() :
	    lines_of(rec);
	for (std::uint32_t i = 0; i < rec.depth; i++) {
		put(out, "{}", i == 0 ? kernel_margin : margin);
		if (has_pcs)
			put_place(out, how_.kernel.find(rec.pcs[i],
			    is_exact(rec, i)));
		else if (i < lines.size())
			put(out, "{}", printable(lines[i]));
		put(out, "\n");
	}
	put_ending(out, rec);
}

void
text::put_user(fmt::memory_buffer &out, const stack9_record &rec)
{
	if (rec.error != 0) {
		put(out, "{}none: {}\n", user_margin, none_because(rec));
		return;
	}
	columns_.put(out, rec, user_margin);
	put_ending(out, rec);
	if (how_.opt.addresses)
		columns_.put_modules(out);
}

// The user stack of a kernel thread is not mentioned, unless only user stacks
// were asked for.
void
text::put_sides(fmt::memory_buffer &out, const stacks &s)
{
	if (s.kernel != nullptr)
		put_kernel(out, *s.kernel);
	if (s.user != nullptr && (s.kernel == nullptr || !is_kernel_thread(s)))
		put_user(out, *s.user);
}

void
text::thread(fmt::memory_buffer &out, const stacks &s)
{
	const stack9_record &who = s.who();
	const std::string where = printable(wchan_of(s, how_));
	put(out, "{}  pid {}  tid {}  {}{}{}", printable(who.comm),
	    who.thread.pid, who.thread.tid, state_word(who.state),
	    where.empty() ? "" : " in ", where);
	if (who.cpu >= 0)
		put(out, ", cpu {}", who.cpu);
	put(out, "\n");
	put_sides(out, s);
}

void
text::group(fmt::memory_buffer &out, const stacks &s,
    const std::vector<member> &all)
{
	std::set<pid_t> pids;
	for (const member &m : all)
		pids.insert(m.pid);
	const std::string where = printable(wchan_of(s, how_));
	const std::string state = common_state(all);
	put(out, "{} thread{}", all.size(), all.size() == 1 ? "" : "s");
	if (pids.size() > 1)
		put(out, " of {} processes", pids.size());
	put(out, "  {}", common_names(all));
	if (pids.size() == 1)
		put(out, "  pid {}", *pids.begin());
	put(out, "{}{}{}\n", state, where.empty() || state.empty() ? "" :
	    " in ", state.empty() ? "" : where);
	put_sides(out, s);
	put_tids(out, all);
}

void
text::end(fmt::memory_buffer &out, const tally &t)
{
	put(out, "{}", t.line());
}

} // namespace

std::unique_ptr<printer>
text_printer(const view &v)
{
	return std::make_unique<text>(v);
}

} // namespace stackprint
