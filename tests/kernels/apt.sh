# Functions by which apt fetches packages of another Debian: for tests/kernels/fetch
# and sysroot.  Apt is given directories of its own below $home, so that nothing of
# the machine's packages, sources or lists is read or changed.  $arch is the
# architecture.
#
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2154
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# The mirror that this machine's own sources name, or Debian's.
mirror()
{
	case $1 in
	debian)		label=Debian ;;
	debian-security) label=Debian-Security ;;
	esac
	# shellcheck disable=SC2016
	uri=$(apt-get indextargets --format '$(REPO_URI)' \
	    'Identifier: Packages' "Label: $label" 2>/dev/null | head -n 1)
	echo "${uri:-http://deb.debian.org/$1}"
}

# write_config where: "mirror", or the base URI of an archive.  suites prints what
# is wanted, one "archive suite" a line.
write_config()
{
	mkdir -p "$home/lists/partial" "$home/archives/partial"
	: > "$home/status"
	cat > "$home/apt.conf" <<-CONF
	Dir::Etc::SourceList "$home/sources.list";
	Dir::Etc::SourceParts "/dev/null";
	Dir::Etc::Preferences "/dev/null";
	Dir::Etc::PreferencesParts "/dev/null";
	Dir::State "$home";
	Dir::State::Lists "$home/lists";
	Dir::State::Status "$home/status";
	Dir::Cache "$home";
	// The cache lies under the caller's home, where _apt may not look.
	APT::Sandbox::User "root";
	APT::Architecture "$arch";
	APT::Architectures "$arch";
	// A release that gets no more updates outlives its Valid-Until.
	Acquire::Check-Valid-Until "false";
	Acquire::Languages "none";
	Acquire::Retries "2";
	Acquire::http::Timeout "30";
	// Hooks of the machine are for its own apt.
	#clear APT::Update::Post-Invoke-Success;
	#clear DPkg::Post-Invoke;
	CONF
	suites | while read -r archive suite; do
		uri=$1/$archive
		[ "$1" != mirror ] || uri=$(mirror "$archive")
		echo "deb [arch=$arch signed-by=$keyring] $uri $suite main"
	done > "$home/sources.list"
}

update()
{
	apt-get -c "$home/apt.conf" -qq --error-on=any update >&2
}

# A release at its end moves from the mirrors to archive.debian.org.
update_somewhere()
{
	for where in mirror http://archive.debian.org; do
		write_config "$where"
		update && return
	done
	return 1
}

cache()
{
	apt-cache -c "$home/apt.conf" "$@"
}
