# dtp completion for PowerShell 5.1 and later. Written by `npm run generate`: what is changed here is lost.
#
# Commands, flags, known values and files come from this file alone. dtp itself is started only for names and ids that the
# service or the profiles know.

Register-ArgumentCompleter -Native -CommandName dtp -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # A line for each page (@), command (c), flag (f) and argument (a), its cells between tabs.
    $data = @'
# PAGES
'@
    $pages = @{}
    foreach ($line in $data -split "`n") {
        $cells = $line.TrimEnd("`r") -split "`t"
        if ($cells[0] -eq '@') {
            $rows = New-Object System.Collections.ArrayList
            $pages[$cells[1]] = $rows
        } else {
            [void]$rows.Add($cells)
        }
    }

    $found = New-Object System.Collections.ArrayList
    $offer = {
        param($text, $help)
        if (-not $text.StartsWith($cur, [System.StringComparison]::Ordinal)) { return }
        # What means something to the shell is quoted.
        $shown = $text
        if ($text -notmatch '^[\w./:=+-][\w./:@=+-]*$') { $shown = "'" + $text.Replace("'", "''") + "'" }
        if (-not $help) { $help = $text }
        [void]$found.Add([System.Management.Automation.CompletionResult]::new($shown, $text, 'ParameterValue', $help))
    }
    $ask = {
        param($kind, $of)
        $tool = Get-Command dtp -CommandType Application, ExternalScript -ErrorAction SilentlyContinue | Select-Object -First 1
        if (-not $tool) { return }
        foreach ($line in @(& $tool __complete @settings $kind $of 2>$null)) {
            $cells = "$line" -split "`t"
            . $offer ($before + $cells[0]) $cells[1]
        }
    }
    $files = {
        param($folders)
        foreach ($one in [System.Management.Automation.CompletionCompleters]::CompleteFilename($cur.Substring($before.Length))) {
            if ($folders -and $one.ResultType -ne 'ProviderContainer') { continue }
            . $offer ($before + $one.CompletionText.Trim("'").Replace("''", "'")) $one.ToolTip
        }
    }

    $words = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object {
            if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
        })
    $cur = "$wordToComplete".TrimStart([char[]](39, 34))
    $path = ''
    $flag = ''
    $namespace = ''
    $ended = $false
    $helping = $false
    $given = @()
    $settings = @()
    $note = {
        param($name, $value)
        if (@('--profile', '--base-url', '--ca-cert', '--proxy') -ccontains $name) { $settings += @($name, $value) }
        if (@('-w', '--workspace') -ccontains $name) { $settings += @('--workspace', $value) }
        if (@('--namespace', '--namespace-name') -ccontains $name) { $namespace = $value }
    }
    foreach ($word in ($words | Select-Object -Skip 1)) {
        if ($flag) {
            . $note $flag $word
            $flag = ''
        } elseif (-not $ended -and $word -match '^-.') {
            if ($word -eq '--') { $ended = $true }
            elseif ($word -match '^(--[^=]*)=(.*)') { . $note $Matches[1] $Matches[2] }
            elseif (@($pages[$path]) + @($pages['']) | Where-Object { $_[0] -eq 'f' -and $_[2] -ne '-' -and ($_[1] -split ' ') -ccontains $word }) { $flag = $word }
        } else {
            $command = @($pages[$path] | Where-Object { $given.Count -eq 0 -and $_[0] -eq 'c' -and ($_[1] -split ' ') -ccontains $word })
            if ($command.Count -eq 0) {
                $given += $word
            } else {
                $path = ($path + ' ' + ($command[0][1] -split ' ')[0]).Trim()
                if ($path -eq 'help') { $helping = $true; $path = '' }
            }
        }
    }

    $before = ''
    $slot = $null
    $commands = @($pages[$path] | Where-Object { $_[0] -eq 'c' })
    $name = $flag
    if (-not $flag -and -not $ended -and $cur -match '^(--[^=]*)=') {
        $name = $Matches[1]
        $before = $Matches[0]
    }
    if ($name) {
        $slot = @($pages[$path]) + @($pages['']) | Where-Object { $_[0] -eq 'f' -and ($_[1] -split ' ') -ccontains $name } | Select-Object -First 1
    } elseif (-not $ended -and $cur.StartsWith('-')) {
        foreach ($row in @($pages[$path]) + @(if ($path) { $pages[''] }) | Where-Object { $_[0] -eq 'f' }) {
            foreach ($one in $row[1] -split ' ') { . $offer $one $row[4] }
        }
    } elseif ($commands.Count -gt 0) {
        if ($given.Count -eq 0) {
            foreach ($row in $commands) { . $offer (($row[1] -split ' ')[0]) $row[4] }
            # Other names are for those who try them.
            if ($found.Count -eq 0) { foreach ($row in $commands) { foreach ($one in $row[1] -split ' ') { . $offer $one $row[4] } } }
        }
    } elseif (-not $helping) {
        $slot = $pages[$path] | Where-Object { $_[0] -eq 'a' -and ($_[1] -eq "$($given.Count + 1)" -or $_[1] -eq 'rest') } | Select-Object -First 1
    }

    if ($slot) {
        $value = $cur.Substring($before.Length)
        switch -CaseSensitive ($slot[2]) {
            'words' { foreach ($one in $slot[3] -split ' ') { . $offer ($before + $one) '' } }
            'file' { . $files $false }
            'folder' { . $files $true }
            'document' { if ($value.StartsWith('@')) { $before += '@'; . $files $false } }
            'member' { if ($value -match '^[^=]*=@') { $before += $Matches[0]; . $files $false } }
            'reference' {
                if ($value -match '^([^/:@]*)([:@])') {
                    $before += $Matches[0]
                    . $ask $(if ($Matches[2] -eq ':') { 'tags' } else { 'digests' }) $Matches[1]
                } elseif ($value -notmatch '/') {
                    . $ask 'namespaces' ''
                }
            }
            { @('-', 'none', 'command', 'program') -ccontains $_ } { }
            default { . $ask $_ $(if ($namespace) { $namespace } else { "$($given | Select-Object -First 1)" }) }
        }
    }
    # Without a result PowerShell would offer files.
    if ($found.Count -gt 0) { $found } else { '' }
}
