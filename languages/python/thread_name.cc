// Follows sys.modules to threading._active: that has the Thread of each thread
// by its ident.
//
// The Thread found is believed only if its own _ident is the thread's, so that
// a module or a dict of another moment names nobody.
//
// SPDX-License-Identifier: BSD-2-Clause
#include "thread_name.h"

#include <map>
#include <mutex>

#include "languages/noted_memory.h"

#include "dicts.h"
#include "text.h"

namespace stack9::languages::python {
namespace {

// Where modules that Python made have their dict.
constexpr std::uint64_t dict_of_module = 16;
// A process that comes to more makes new ones again and again.
constexpr std::size_t most_interpreters = 1024;

// The word that has threading._active, by interpreter.  sys.modules is searched
// once, and again when it has got another module, or threading another table of
// names.
class known_modules final : public process::attachment {
public:
	// 0: no such module is there.  noted: the same memory as m, for what
	// is read each time.
	std::uint64_t
	get(memory &m, memory &noted, const layout &l,
	    std::uint64_t interpreter)
	{
		std::uint64_t modules, count, keys = 0;
		if (!noted.word(interpreter + l.modules, modules) ||
		    modules == 0 || !noted.word(modules + header_of(l), count))
			return 0;
		const std::lock_guard hold(lock_);
		if (all_.size() > most_interpreters)
			all_.clear();
		known &k = all_[interpreter];
		if (k.dict != 0)
			noted.word(k.dict + header_of(l) + 16, keys);
		if (k.modules != modules || k.count != count || k.keys != keys)
			k = find(m, l, modules, count);
		return k.place;
	}

private:
	struct known {
		std::uint64_t	modules = 0, count = 0, dict = 0, keys = 0,
				place = 0;
	};

	static known
	find(memory &m, const layout &l, std::uint64_t modules,
	    std::uint64_t count)
	{
		known k{modules, count, 0, 0, 0};
		const std::uint64_t module = value_of(m, l, modules,
		    "threading");
		if (module == 0 || !m.word(module + dict_of_module, k.dict))
			return k;
		k.place = place_of(m, l, k.dict, "_active");
		m.word(k.dict + header_of(l) + 16, k.keys);
		return k;
	}

	std::mutex	lock_;
	std::map<std::uint64_t, known> all_;
};

std::string
find_name(memory &m, const layout &l, std::uint64_t active, std::uint64_t self)
{
	std::uint64_t dict, ident;
	std::string name;
	if (!m.word(active, dict))
		return {};
	attributes its(m, l, value_of(m, l, dict, self));
	return read_number(m, l, its.of("_ident"), ident) && ident == self &&
	    read_str(m, l, its.of("_name"), name) ? name : std::string();
}

} // namespace

std::string
name_of_thread(const question &q, const layout &l, std::uint64_t interpreter,
    std::uint64_t self)
{
	if (l.modules == 0 || l.is_free_threaded || self == 0)
		return {};
	noting_memory noted(q.words, q.copy, kept_with<noted_places>(q.space));
	noted.prefetch(self, part::names);
	const noting_memory::noting its(noted, self, part::names);
	const std::uint64_t active = kept_with<known_modules>(q.space).get(
	    q.words, noted, l, interpreter);
	return active != 0 ? find_name(noted, l, active, self) : std::string();
}

} // namespace stack9::languages::python
