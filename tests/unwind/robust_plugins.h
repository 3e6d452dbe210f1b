// Loads libraries that come and go.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

// The constructing plugin's constructor calls this.
extern void (*in_constructor)();

class plugin {
public:
	enum which { small, large, constructing };

	explicit plugin(which);
	explicit plugin(const std::string &path);
	plugin(const plugin &) = delete;
	~plugin();

	// Calls fn(arg) from a frame of its own, of the size of this kind.
	void call(void (*fn)(void *), void *arg) const { call_(fn, arg); }
	const void *address() const
	{
		return reinterpret_cast<const void *>(call_);
	}
	static std::string path(which);

private:
	void	*handle_;
	void	(*call_)(void (*)(void *), void *);
};
