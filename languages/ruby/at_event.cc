// Puts the frames of Ruby that a program has reported into the native stack.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "at_event.h"

#include <algorithm>
#include <vector>

#include "languages/reported.h"

#include "calls.h"
#include "context.h"
#include "described.h"
#include "reported_code.h"
#include "weave.h"

namespace stack9::languages::ruby {
namespace {

using codes = reported_functions<reported_code>;
using methods = reported_functions<reported_method>;

class naming {
public:
	naming(const question &q, const loaded &where, const places &p,
	    const layout &l)
	    : q_(q), l_(l), chain_(describe_chain(l)),
	      codes_(kept_with<codes>(where.backing)),
	      methods_(kept_with<methods>(where.backing)),
	      names_(q.words, where, p, l) {}

	void add(const reported_frame &);
	const std::vector<named_frame> &frames() const { return frames_; }
	std::uint64_t instruction() const { return instruction_; }

private:
	void add_code(const reported_frame &);
	void add_entry(const reported_frame &);
	std::shared_ptr<const reported_method> method_at(
	    const reported_frame &);

	const question		&q_;
	const layout		&l_;
	const s9_frame_chain	chain_;
	const codes		&codes_;
	const methods		&methods_;
	names			names_;
	std::vector<named_frame> frames_;
	std::shared_ptr<const reported_code> last_;
	std::uint64_t		instruction_ = 0;
};

void
naming::add_code(const reported_frame &f)
{
	named_frame to;
	to.ends_loop = f.ends;
	last_ = codes_.find(q_, f.code, f.cookie, [&] {
		return cookie_at(q_.words, chain_.of_code, f.code) == f.cookie;
	}, [&](reported_code &c, std::size_t &bytes) {
		return read_reported(q_.words, l_, f.code, c, bytes);
	});
	to.is_known = last_ != nullptr;
	if (last_ != nullptr) {
		const compiled &its = last_->its;
		to.name = its.label;
		to.file = its.file;
		to.line = !f.has_position() ? 0 : line_of(last_->lines, l_, its,
		    its.begin + f.position);
		instruction_ = last_->instruction;
	}
	frames_.push_back(std::move(to));
}

std::shared_ptr<const reported_method>
naming::method_at(const reported_frame &f)
{
	if (f.code == 0)
		return nullptr;
	return methods_.find(q_, f.code, f.cookie, [&] {
		return cookie_at(q_.words, chain_.of_entry, f.code) == f.cookie;
	}, [&](reported_method &to, std::size_t &bytes) {
		return read_reported(q_.words, names_, f.code, to, bytes);
	});
}

// That of a function is the frame, and any other one has to run the code of the
// last frame.
void
naming::add_entry(const reported_frame &f)
{
	const auto found = method_at(f);
	if (!f.ends) {
		if (found != nullptr && last_ != nullptr &&
		    !frames_.empty() && has_class(last_->its) &&
		    found->its.owner != 0 &&
		    found->its.code == last_->its.method)
			add_class(last_->its, found->of_class,
			    frames_.back().name);
		last_ = nullptr;
		return;
	}
	named_frame to;
	to.is_function = true;
	to.is_known = found != nullptr && !found->name.empty();
	if (to.is_known) {
		to.name = found->name;
		to.function = found->its.function;
	}
	frames_.push_back(std::move(to));
}

void
naming::add(const reported_frame &f)
{
	if (f.is_marked)
		add_entry(f);
	else if (f.code != 0)
		add_code(f);
}

// True if a thread without frames is in the loop, as far as this is known.
bool
lacks_frames(const question &q, const loaded &where, const places &p)
{
	return p.loop != 0 && !find_calls(q, p.loop + where.bias).empty();
}

} // namespace

bool
add_reported(const question &q, const loaded &where, const places &p,
    const layout &l, written_stack &to)
{
	if (q.native.depth == 0 && q.asked.reported.empty()) {
		way its;
		if (to.chain.kind != S9_CHAIN_NONE || !find_way(q, p, l, its))
			return true;
		to.chain = describe_chain(l);
		std::copy(its.steps.begin(), its.steps.end(), to.chain.path);
		return true;
	}
	if (q.asked.reported.empty()) {
		to.lacking |= lacks_frames(q, where, p);
		return p.loop != 0;
	}
	naming names(q, where, p, l);
	auto reported = q.asked.reported;
	for (reported_frame its; next_reported(reported, its);)
		names.add(its);
	if (names.instruction() != 0)
		p.loop = names.instruction() - where.bias;
	if (q.native.depth != 0)
		weave(q, names.frames(), p.loop == 0 ? 0 : p.loop + where.bias,
		    to);
	return true;
}

} // namespace stack9::languages::ruby
