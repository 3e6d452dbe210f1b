// Numbers the fields of the messages in a record's payload.  They are messages
// of protocol buffers; stackrecord(5) has their definitions.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <protozero/types.hpp>

namespace recording::field {

using tag = protozero::pbf_tag_type;

namespace segment {
inline constexpr tag version = 1, host = 2, machine = 3, release = 4,
    machine_id = 5, boot_id = 6, kernel_build_id = 7, boot_ns = 8,
    wall_minus_boot = 9, period_ns = 10, sides = 11, filter = 12, missed = 13;
}
namespace module {
inline constexpr tag path = 1, build_id = 2, kernel = 3, deleted = 4;
}
namespace frame {
inline constexpr tag kind = 1, exact = 2, module = 3, place = 4, name = 5,
    readable = 6, offset = 7, language = 8, file = 9, line = 10,
    guessed = 11;
}
namespace stack {
inline constexpr tag side = 1, id = 2, frames = 3, error = 4, why = 5,
    flags = 6, dropped = 7, reason = 8, route = 9, note = 10;
}
namespace process {
inline constexpr tag pid = 1, cgroup = 2;
}
namespace thread {
inline constexpr tag tid = 1, process = 2, start = 3, comm = 4,
    name = 5;
}
namespace base {
inline constexpr tag process = 1, module = 2, address = 3;
}
namespace name_change {
inline constexpr tag thread = 1, comm = 2, name = 3;
}
namespace wait {
inline constexpr tag kind = 1, flags = 2, call = 3, object = 4, place = 5,
    holder = 6;
}
namespace event {
inline constexpr tag name = 1, takes_time = 2;
}
namespace tick {
inline constexpr tag modules = 1, frames = 2, stacks = 3, processes = 4,
    threads = 5, bases = 6, names = 7, boot_ns = 8, wall_minus_boot = 9,
    cost_ns = 10, gone = 11, changed = 12, states = 13, cpus = 14, kernel = 15,
    user = 16, switches = 17, unchanged_ns = 18,
    waits = 19, wait = 20, events = 21, count_event = 22, count_thread = 23,
    count_kernel = 24, count_user = 25, count_events = 26, count_ns = 27,
    lost = 28;
}

} // namespace recording::field
