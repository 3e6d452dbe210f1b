// Numbers the fields of OTLP's messages of profiles, as opentelemetry-proto
// 1.11.0 has them.  That signal is still in development: the numbers have
// changed before, and a server that has others shows nothing.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <protozero/types.hpp>

namespace profiles::otlp_field {

using tag = protozero::pbf_tag_type;

// ExportProfilesServiceRequest.
enum class request : tag { resource_profiles = 1, dictionary = 2 };
// ResourceProfiles and Resource.
enum class of_resource : tag { resource = 1, scope_profiles = 2 };
enum class resource : tag { attributes = 1 };
// ScopeProfiles and InstrumentationScope.
enum class of_scope : tag { scope = 1, profiles = 2 };
enum class scope : tag { name = 1, version = 2 };

enum class profile : tag {
	sample_type = 1, samples = 2, time_unix_nano = 3, duration_nano = 4,
	period_type = 5, period = 6, profile_id = 7,
};
enum class value_type : tag { type = 1, unit = 2 };
enum class sample : tag {
	stack_index = 1, attribute_indices = 2, link_index = 3, values = 4,
};

// ProfilesDictionary and what is in its tables.
enum class dictionary : tag {
	mapping_table = 1, location_table = 2, function_table = 3,
	link_table = 4, string_table = 5, attribute_table = 6, stack_table = 7,
};
enum class mapping : tag {
	memory_start = 1, memory_limit = 2, filename = 4,
	attribute_indices = 5,
};
enum class location : tag {
	mapping_index = 1, address = 2, lines = 3, attribute_indices = 4,
};
enum class line : tag { function_index = 1, line = 2 };
enum class function : tag { name = 1, system_name = 2, filename = 3 };
enum class stack : tag { location_indices = 1 };

// KeyValueAndUnit of the dictionary, KeyValue of resources, and AnyValue.
enum class key_value_and_unit : tag { key = 1, value = 2, unit = 3 };
enum class key_value : tag { key = 1, value = 2 };
enum class any_value : tag { string_value = 1, int_value = 3 };

} // namespace profiles::otlp_field
