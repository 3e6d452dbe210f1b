// Shows with --top the groups of equal stacks, live, and leads from a group to
// its threads, and from a thread to its stacks and its wait.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "top.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "follow.h"
#include "tools/lib/command_line.h"
#include "tools/lib/interruption.h"
#include "tools/lib/output.h"
#include "tools/lib/program.h"
#include "tools/lib/text.h"

namespace stackprint {
namespace {

using clock_type = std::chrono::steady_clock;

constexpr std::chrono::seconds between_looks{1};

} // namespace

// The last threads stay on the screen when all have ended.
bool
live::look(std::string &why)
{
	if (ended_)
		return true;
	if (tracker_.look(why) != 0 || tracker_.all().empty()) {
		ended_ = true;
		return false;
	}
	tracker_.capture();
	groups_.emplace();
	for (const auto &[tid, t] : tracker_.all())
		if (t.sample != nullptr)
			groups_->add(t.sample, names_);
	return true;
}

// The thread that is open, as it was last found.
std::vector<top_row>
live::thread_block()
{
	const tracked *const t = tracker_.of({at_.tid(), 0, 0});
	if (t == nullptr || t->sample == nullptr) {
		message_ = "this thread has ended";
		return text_rows(thread_text_);
	}
	if (waits_.find({t->sample}, true) != 0)
		message_ = stack9_reason();
	fmt::memory_buffer block, wait;
	printer_->thread(block, *t->sample);
	thread_text_.assign(block.data(), block.size());
	// The wait is below the header: the stacks may be long.
	waits_.put_line(wait, *t->sample);
	thread_text_.insert(thread_text_.find('\n') + 1, wait.data(),
	    wait.size());
	return text_rows(thread_text_);
}

void
live::build()
{
	switch (at_.now()) {
	case level::groups:
		at_.set_rows(group_rows(*groups_, tracker_, view_, order_,
		    prompt_.search(), screen_.columns()));
		break;
	case level::group:
		at_.set_rows(thread_rows(*groups_, tracker_, view_, order_,
		    at_.group()));
		if (at_.rows().empty())
			message_ = "no thread has this stack any more";
		break;
	case level::thread:
		at_.set_rows(thread_block());
		break;
	}
}

std::string
live::title() const
{
	return fmt::format("{} --top   {}   {} ran{}",
	    called("stackprint"),
	    amount(tracker_.all().size(), "thread"), tracker_.moved().size(),
	    ended_ ? "   ALL THREADS HAVE ENDED" :
	    frozen_ ? "   FROZEN" : "");
}

std::string
live::last_line() const
{
	static constexpr const char *orders[] = {"ran", "count", "time",
	    "name"};
	if (prompt_.is_open())
		return prompt_.line();
	if (!message_.empty())
		return message_;
	const std::string order = orders[static_cast<int>(order_)];
	if (at_.now() == level::thread)
		return "q quit  left back  space freeze  w write";
	return "q quit  enter open  " + std::string(at_.now() == level::groups ?
	    "/ search  " : "left back  ") + "s sort: " + order +
	    "  space freeze  w write";
}

// The lines between the title and the rows.
std::vector<std::string>
live::head()
{
	if (at_.now() == level::thread)
		return {""};
	if (at_.now() == level::groups)
		return {prompt_.search().empty() ? "" : "only groups with: " +
		    printable(prompt_.search()),
		    group_heading(screen_.columns())};
	std::vector<std::string> lines{""};
	const tracked *const t = at_.rows().empty() ? nullptr :
	    tracker_.of({at_.rows()[0].tid, 0, 0});
	if (t != nullptr && t->sample != nullptr) {
		fmt::memory_buffer block;
		printer_->thread(block, *t->sample);
		const std::vector<top_row> text = text_rows(
		    {block.data(), block.size()});
		const auto half = static_cast<std::size_t>(screen_.rows()) / 2;
		// The first line is the thread's header.
		for (std::size_t i = 1; i < text.size() && i < half; i++)
			lines.push_back(text[i].text);
		if (half < text.size())
			lines.push_back("          ... open a thread for all");
	}
	lines.push_back(thread_heading());
	return lines;
}

void
live::draw()
{
	const std::vector<std::string> above = head();
	std::vector<screen_line> lines{{title(), true}};
	const std::size_t height = static_cast<std::size_t>(std::max(
	    screen_.rows() - 2 - static_cast<int>(above.size()), 1));
	for (const std::string &line : above)
		lines.push_back({line, false});
	const std::vector<top_row> &rows = at_.rows();
	const std::size_t first = at_.scroll(height);
	for (std::size_t i = first; i < rows.size() && i < first + height; i++)
		lines.push_back({rows[i].text, i == at_.row()});
	lines.resize(static_cast<std::size_t>(std::max(screen_.rows() - 1,
	    1)));
	lines.push_back({last_line(), prompt_.is_open()});
	screen_.draw(lines);
}

int
live::go()
{
	std::string why;
	catch_interruption();
	if (!look(why)) {
		output().message("{}", why);
		return exit_none;
	}
	if (!screen_.open()) {
		output().message("--top: stdin and stdout have to be a "
		    "terminal");
		return exit_none;
	}
	auto next = clock_type::now();
	while (!done_) {
		const auto now = clock_type::now();
		if (now >= next) {
			if (!frozen_ && !prompt_.is_open())
				look(why);
			next = clock_type::now() + between_looks;
		}
		build();
		draw();
		const keystroke k = screen_.wait(std::chrono::duration<double>(
		    next - clock_type::now()).count());
		if (k.what == key::hangup)
			break;
		if (k.what != key::nothing)
			press(k);
	}
	return exit_complete;
}

int
top(const options &o)
{
	return live(o).go();
}

} // namespace stackprint
