# bash completion for stackreport
# SPDX-License-Identifier: BSD-2-Clause

_stackreport()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}

	COMPREPLY=()
	case $prev in
	-f|--format)
		COMPREPLY=($(compgen -W \
		    'text folded json pprof speedscope svg html' -- "$cur"))
		return
		;;
	-o|--output)
		compopt -o default
		return
		;;
	--cgroup)
		compopt -o dirnames
		return
		;;
	--from|--to|--diff|-p|--pid|-t|--tid|-n|--comm|--state|--unit|--container|--stack|-T|--most)
		return
		;;
	esac
	case $cur in
	-*)
		COMPREPLY=($(compgen -W '--from --to --diff -p --pid -t --tid
		    -n --comm --state --cgroup --unit --container --stack
		    --history --stuck --list -k --kernel -u --user -R --raw
		    -T --most -f --format -o --output -h --help -V --version' \
		    -- "$cur"))
		;;
	*)
		compopt -o default
		;;
	esac
} &&
complete -F _stackreport stackreport
