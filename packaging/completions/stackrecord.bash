# bash completion for stackrecord
# SPDX-License-Identifier: BSD-2-Clause

_stackrecord()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}

	COMPREPLY=()
	case $prev in
	-p|--pid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return
		;;
	--record|--cgroup)
		compopt -o dirnames
		return
		;;
	--to)
		COMPREPLY=($(compgen -W \
		    'clickhouse:// otlp:// pyroscope:// parca://' -- "$cur"))
		compopt -o nospace
		return
		;;
	-F|--frequency|-D|--duration|--frames|--limits|--max-size|--max-age|--segment|-n|--comm|--state|--unit|--container|-e|--event)
		return
		;;
	esac
	COMPREPLY=($(compgen -W '--record --to -F --frequency -D --duration
	    --frames --limits --max-size --max-age --segment -p --pid --children
	    -e --event --waits --name-later -n --comm --state --cgroup --unit --container -k --kernel -u --user
	    -q --quiet -h --help -V --version' -- "$cur"))
} &&
complete -F _stackrecord stackrecord
