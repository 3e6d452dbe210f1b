// Follows V8's way to a name: that of the function, after that of the
// receiver's class if it is a method (SerializeJSStackFrame() in src/objects/
// call-site-info.cc, GetConstructorName() in src/objects/js-objects.cc).
//
// SPDX-License-Identifier: BSD-2-Clause
#include "frame_name.h"

#include <algorithm>
#include <cctype>

#include "function.h"
#include "properties.h"
#include "text.h"

namespace stack9::languages::javascript {
namespace {

constexpr std::uint64_t map_bits_2_at = 15, map_constructor_at = 32,
    getter_at = 8, setter_at = 16;
constexpr std::uint8_t made_by_base = 1;
constexpr unsigned int most_prototypes = 32, most_maps = 64;

// The first of the maps that an object's map was made from has the function.
tagged
constructor_of(heap &h, tagged map)
{
	tagged its = map;
	for (unsigned int n = 0; n < most_maps &&
	    h.field(its, map_constructor_at, its); n++)
		if (h.type_of(its) != h.known().map_type)
			return h.is_function(its) ? its : 0;
	return 0;
}

// The name of a function may be a property that was given to it.
std::string
function_name(heap &h, tagged function, tagged shared)
{
	std::string name;
	if (h.is_function(function) && read_string(h, own_value(h, function,
	    "name"), name) && !name.empty())
		return name;
	return name_of(h, shared);
}

std::string
name_of_class(heap &h, tagged function)
{
	tagged shared;
	std::string name;
	if (h.is_function(function) && h.field(function,
	    static_cast<std::uint64_t>(h.known().function_shared), shared))
		name = name_of(h, shared);
	return name == "Object" ? "" : name;
}

// A static method has the name of its class.
bool
gives_name(heap &h, tagged function)
{
	tagged shared;
	return h.is_function(function) && (h.known().names_functions ||
	    (h.field(function, static_cast<std::uint64_t>(
	    h.known().function_shared), shared) &&
	    is_class_constructor(h, shared)));
}

// "": the receiver is the global object, or no object.
std::string
class_name(heap &h, tagged receiver)
{
	const layout &l = h.known();
	tagged map, shared, object = receiver;
	std::uint8_t bits;
	std::string name;
	if (h.type_of(receiver) <= l.global_proxy ||
	    !h.field(receiver, 0, map) ||
	    !h.bytes(map, map_bits_2_at, &bits, sizeof bits))
		return "";
	if (gives_name(h, receiver) && h.field(receiver,
	    static_cast<std::uint64_t>(l.function_shared), shared))
		name = function_name(h, receiver, shared);
	if (name.empty() && (bits & made_by_base) != 0)
		name = name_of_class(h, constructor_of(h, map));
	for (unsigned int n = 0; name.empty() && n < most_prototypes &&
	    (object = prototype_of(h, object)) != 0; n++)
		name = name_of_class(h, own_value(h, object, "constructor"));
	if (name.empty())
		name = h.is_function(receiver) ? "Function" : "Object";
	return name;
}

bool
holds(heap &h, const property &p, tagged function)
{
	tagged its;
	if (p.value == function)
		return true;
	for (const std::uint64_t at : {getter_at, setter_at})
		if (p.is_accessor && h.field(p.value, at, its) &&
		    its == function)
			return true;
	return false;
}

// A function without a name has that of the property that it is, if it is only
// one.
std::string
method_name(heap &h, tagged receiver, tagged function)
{
	tagged key = 0, object = receiver;
	std::string name;
	for (unsigned int n = 0; object != 0 && n < most_prototypes; n++) {
		for (const property &p : properties_of(h, object)) {
			if (p.is_hidden || !h.is_string(p.key) ||
			    !holds(h, p, function))
				continue;
			if (key != 0 && key != p.key)
				return "";
			key = p.key;
		}
		object = prototype_of(h, object);
	}
	read_string(h, key, name);
	return name;
}

bool
is_identifier(const std::string &name) noexcept
{
	const auto is_part = [](char c) {
		return c == '_' || c == '$' || (c & 0x80) != 0 ||
		    std::isalnum(static_cast<unsigned char>(c)) != 0;
	};
	return !name.empty() && std::all_of(name.begin(), name.end(),
	    is_part) && (name[0] < '0' || name[0] > '9');
}

} // namespace

std::string
frame_name(heap &h, const call &c)
{
	std::string name = function_name(h, c.function, c.shared);
	if (name.empty() && is_evaluated(h, c.shared))
		name = "eval";
	if (c.is_construction)
		return "new " + (name.empty() ? "<anonymous>" : name);
	const std::string its = class_name(h, c.receiver);
	if (name.empty() && !its.empty())
		name = method_name(h, c.receiver, c.function);
	else if (!name.empty() && (!is_identifier(name) || name == its))
		return name;
	if (name.empty())
		name = "<anonymous>";
	return its.empty() ? name : its + "." + name;
}

} // namespace stack9::languages::javascript
