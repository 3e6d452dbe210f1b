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
	-o|--output|--crash)
		compopt -o default
		return
		;;
	--to)
		COMPREPLY=($(compgen -W \
		    'clickhouse:// otlp:// pyroscope:// parca://' -- "$cur"))
		compopt -o nospace
		return
		;;
	--rows)
		COMPREPLY=($(compgen -W 'samples stacks' -- "$cur"))
		return
		;;
	--schema)
		COMPREPLY=($(compgen -W clickhouse -- "$cur"))
		return
		;;
	--cgroup|--debug-dir)
		compopt -o dirnames
		return
		;;
	--since|--until|--baseline|-p|--pid|-t|--tid|-n|--comm|--state|--unit|--container|--wait|-e|--event|--stack|-T|--most)
		return
		;;
	esac
	case $cur in
	-*)
		COMPREPLY=($(compgen -W '--since --until --baseline -p --pid -t --tid
		    -n --comm --state --cgroup --unit --container --on-cpu --off-cpu
		    --wait -e --event --stack --debug-dir
		    --history --longest --segments --heat-map --to --rows --schema --crash
		    -k --kernel -u --user -R --raw
		    -T --most -f --format -o --output -h --help -V --version' \
		    -- "$cur"))
		;;
	*)
		compopt -o default
		;;
	esac
} &&
complete -F _stackreport stackreport
