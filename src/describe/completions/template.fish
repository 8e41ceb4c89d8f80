# dtp completion for fish. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

# What may follow the command $argv[1]. Sets commands, aliases, flags, and those of them that take a value.
function __dtp_page --no-scope-shadowing
    set commands
    set aliases
    set flags
    set valued
    switch "$argv[1]"
# PAGES
    end
end

# What may stand behind the flag $argv[2] of the command $argv[1], or as its argument of that number.
function __dtp_slot --no-scope-shadowing
    set kind
    set choices
    switch "$argv[1] $argv[2]"
# SLOTS
    end
end

# Keeps what a later value depends on.
function __dtp_note --no-scope-shadowing
    switch $argv[1]
        case --profile --base-url --ca-cert --proxy
            set -a settings $argv[1] $argv[2]
        case -w --workspace
            set -a settings --workspace $argv[2]
        case --namespace --namespace-name
            set namespace $argv[2]
    end
end

# Goes down to the command $argv[1], where there is one here.
function __dtp_enter --no-scope-shadowing
    set -l name $argv[1]
    set -l alias (string match -- "$name=*" $aliases)
    if set -q alias[1]
        set name (string replace -- "$name=" '' $alias[1])
    else if not string match -q -- "$name"\t'*' $commands
        return 1
    end
    set page (string trim -- "$page $name")
    if test "$page" = help
        set helping 1
        set page ''
    end
    __dtp_page "$page"
end

# Prints what `dtp __complete` lists, behind what stands before it.
function __dtp_ask -a before
    command -q dtp; or return
    command dtp __complete $argv[2..-1] 2>/dev/null </dev/null | while read -l row
        printf '%s%s\n' $before $row
    end
end

# Prints files as fish completes them; a ~ that leads is to be one. A file whose name begins with ~ is none of those.
function __dtp_files
    set -l names (complete -C "'' "(string replace -r -- '^\\\\~' '~' (string escape -n -- "$argv[1]")))
    string match -q -- '~*' "$argv[1]"; or set names (string replace -r -- '^~' './~' $names)
    set -q names[1]; and printf '%s\n' $names
end

function __dtp_complete
    set -l words (commandline -opc)
    # Quotes are fish's to open and to close.
    set -l cur (string replace -ar -- '["\'\\\\]' '' (commandline -ct))
    set -l page ''
    set -l flag ''
    set -l ended ''
    set -l helping ''
    set -l namespace ''
    set -l given
    set -l settings
    set -l commands
    set -l aliases
    set -l flags
    set -l valued
    set -l kind
    set -l choices
    __dtp_page ''
    set -l shared $flags
    set -l everywhere $valued
    set -e words[1]
    for word in $words
        if test -n "$flag"
            __dtp_note $flag $word
            set flag ''
        else if test -z "$ended"; and string match -qr -- '^-.' $word
            if test "$word" = --
                set ended 1
            else if string match -q -- '--*=*' $word
                __dtp_note (string split -m 1 -- = $word)
            else if contains -- $word $valued $everywhere
                set flag $word
            end
        else if set -q given[1]; or not __dtp_enter $word
            set -a given $word
        end
    end

    # What stays of the word, before what is offered.
    set -l before ''
    if test -n "$flag"
        __dtp_slot "$page" $flag
    else if test -z "$ended"; and string match -q -- '--*=*' $cur
        set before (string replace -r -- '=.*' '=' $cur)
        __dtp_slot "$page" (string replace -r -- '=.*' '' $cur)
    else if test -z "$ended"; and string match -q -- '-*' $cur
        test -n "$page"; or set flags
        printf '%s\n' $flags $shared
        return
    else if set -q commands[1]
        set -q given[1]; and return
        printf '%s\n' $commands
        # Other names are for those who try them.
        if not string match -q -- "$cur*" $commands
            string replace -r -- '=(.*)' '\tthe same as $1' $aliases
        end
        return
    else if test -z "$helping"
        __dtp_slot "$page" (math (count $given) + 1)
        test -n "$kind"; or __dtp_slot "$page" rest
    end

    set -l value (string sub -s (math (string length -- "$before") + 1) -- "$cur")
    switch "$kind"
        case ''
        case words
            printf '%s\n' $before$choices
        case file folder
            set -l names (__dtp_files $value)
            test $kind = folder; and set names (string match -- '*/' $names)
            printf '%s\n' $before$names
        case document member
            set -l mark (string match -r -- (test $kind = member; and echo '^[^=]*=@'; or echo '^@') $value)
            if set -q mark[1]
                set -l names (__dtp_files (string replace -- $mark '' $value))
                printf '%s\n' $before$mark$names
            end
        case program
            test -n "$ended"; and __fish_complete_subcommand --commandline $given $cur
        case reference
            set -l parts (string match -r -- '^([^/:@]*)([:@])' $value)
            if not set -q parts[1]
                string match -q -- '*/*' $value; or __dtp_ask "$before" $settings namespaces ''
            else if test $parts[3] = :
                __dtp_ask "$before$parts[1]" $settings tags $parts[2]
            else
                __dtp_ask "$before$parts[1]" $settings digests $parts[2]
            end
        case '*'
            test -n "$namespace"; or set namespace $given[1]
            __dtp_ask "$before" $settings $kind "$namespace"
    end
end

complete -c dtp -e
complete -c dtp -f -a '(__dtp_complete)'
