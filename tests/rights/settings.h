// Enters the rights and surroundings that a row of the table is about.
//
// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

// In the process that a row is made in, with all rights.
using enter_fn = std::function<void()>;

struct setting {
	std::string	name;
	enter_fn	enter;
	// "", or why nobody can enter it here.
	std::string	lack = {};
};

// For enter(); each ends the process if it fails.
namespace become {

// uid 65534 with these capabilities (linux/capability.h), for programs that it
// starts too.
void user(std::initializer_list<int> capabilities = {});
void root_without_capabilities();
void root_of_a_user_namespace();
// "", or why that cannot be: in a chroot no one may make such a namespace.
std::string no_user_namespace();

// "", or why no process gets mounts of its own here, as in a plain chroot.
std::string no_own_mounts();

// In a chroot(2) the files that a process has mapped get names outside of it
// when the process goes to mounts of its own: only root can open them then.
std::string no_names_in_own_mounts();
// A system call fails with error from now on.
void without_call(long nr, int error);
// A mount namespace whose /proc has this option, or where path is empty.
void with_proc(const char *option);
void without_files(const char *path);

} // namespace become

// The settings that change nothing but the process that enters them.
std::vector<setting> settings_of_processes();

// The settings that change a sysctl of the machine for good.
std::vector<setting> settings_of_sysctls();
