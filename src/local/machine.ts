/** Declares the local commands for what this machine has: the settings, the embedded service and dtp itself. */
import { fileName } from '../settings/folder-file.ts';
import { settingKeys, settingRows } from '../settings/keys.ts';
import type { LocalCommands } from './command.ts';
import {
  completionFlags,
  dataFlags,
  helpFlags,
  mcpFlags,
  openFlags,
  schemaFlags,
  serveFlags,
  serverFlags,
} from './flags.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

const keyHelp = `the name of a setting: ${[
  ...settingKeys.filter((key) => settingRows[key].profile),
  'credential_command',
].join(', ')}`;

const folderFileHelp = `a ${fileName} or its folder (default: the one that applies here)`;

export const machineCommands = {
  completion: {
    summary: 'Print or install a shell completion script',
    args: [{ name: 'shell', required: true, help: shells.join(', '), choices: shells }],
    flags: completionFlags,
    examples: {
      'Install the script for the shell fish': 'dtp completion fish --install',
      'Enable completions in the current shell': 'source <(dtp completion bash)',
    },
  },
  'config list': {
    summary: 'List profiles',
    watches: true,
    examples: {
      'List profiles': 'dtp config list',
      'Print the name of the current profile': "dtp config list -r --query '[?current].name'",
    },
  },
  'config get': {
    summary: 'Print a setting of the profile',
    ends: ['not_found'],
    args: [{ name: 'key', required: true, help: keyHelp }],
    examples: {
      'Print a setting of the profile': 'dtp config get base_url',
      'Use another profile': 'dtp config get base_url --profile staging',
    },
  },
  'config set': {
    summary: 'Change a setting of the profile',
    effect: 'write',
    args: [
      { name: 'key', required: true, help: keyHelp },
      { name: 'value', required: true, help: 'new value' },
    ],
    notes: [
      'Do not write a key into credential_command: other users can see the arguments of a command while it runs.',
    ],
    names: false,
    examples: {
      'Set the default workspace': 'dtp config set workspace ws_2c81 --profile staging',
      'Get the credential from a vault': `dtp config set credential_command 'cat ~/.vault/dtp' --profile staging`,
    },
  },
  'config unset': {
    summary: 'Remove a setting from the profile',
    effect: 'write',
    args: [{ name: 'key', required: true, help: keyHelp }],
    names: false,
    examples: {
      'Remove a setting': 'dtp config unset workspace',
      'Use another profile': 'dtp config unset workspace --profile staging',
    },
  },
  'config path': {
    summary: 'Print the path of the configuration file',
    examples: {
      'Print the path': 'dtp config path',
      'Check the permissions of the file': 'ls -l "$(dtp config path)"',
    },
  },
  'config use': {
    summary: 'Switch to another profile',
    effect: 'write',
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { readOnly: true, stores: true },
    names: false,
    examples: {
      'Switch to another profile': 'dtp config use staging',
      'Switch to the embedded service': 'dtp config use local',
    },
  },
  'config delete': {
    summary: 'Delete a profile and its credential',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'profile', required: true, help: 'name of a profile' }],
    way: { readOnly: true, stores: true },
    names: false,
    examples: {
      'Delete a profile without a prompt': 'dtp config delete staging --yes',
      'Switch to another profile, and delete the old one': 'dtp config use local && dtp config delete staging --yes',
    },
  },
  'config trust': {
    summary: 'Trust a .dtp.json to choose where requests go',
    effect: 'write',
    ends: ['cancelled'],
    args: [{ name: 'file', help: folderFileHelp }],
    way: { readOnly: true },
    names: false,
    examples: {
      'Trust the .dtp.json of the current folder without a prompt': 'dtp config trust --yes',
      'Trust the .dtp.json of another folder': 'dtp config trust ./petstore --yes',
    },
  },
  'config untrust': {
    summary: 'Stop trusting a .dtp.json',
    effect: 'write',
    args: [{ name: 'file', help: folderFileHelp }],
    way: { readOnly: true },
    names: false,
    examples: {
      'Stop trusting the .dtp.json of the current folder': 'dtp config untrust',
      'Stop trusting the .dtp.json of another folder': 'dtp config untrust ./petstore',
    },
  },
  'config explain': {
    summary: 'Show each setting and its source',
    examples: {
      'Show each setting and its source': 'dtp config explain',
      'Print the source of the base URL': `dtp config explain -r --query "[?setting=='base_url'].source"`,
    },
  },
  doctor: {
    summary: 'Check configuration, network, credential and queue',
    watches: true,
    sends: true,
    notes: [
      'Each check is ok, warn, fail or skip. It exits with 0 if no check fails, else with the code of the first failure (dtp help exit-codes).',
      'It changes nothing and never prompts. A network check takes at most 3 s. All network checks together take at most 15 s.',
    ],
    way: { readOnly: true },
    examples: {
      'Check everything': 'dtp doctor',
      'Print the fixes in a script': `dtp doctor --query "[?status=='fail' || status=='warn'].fix"`,
    },
  },
  open: {
    summary: 'Open the last report or run in a browser',
    ends: ['not_found', 'forbidden'],
    args: [{ name: 'url', help: 'URL to open, also a local: URL (default: the last report or run)' }],
    flags: openFlags,
    way: { readOnly: true },
    notes: [
      'A browser cannot reach a local: URL. dtp serves a page with the report or run until Ctrl-C or, without a terminal, saves a file and prints its URL. An invitation is accepted, and its key is printed.',
      'Without an argument, it opens the last report or run that a command showed on a terminal. Without a terminal, it prints the URL.',
    ],
    examples: { 'Open the last report or run': 'dtp open', 'Print the URL instead': 'dtp open --print' },
  },
  serve: {
    summary: 'Run the embedded service on a port',
    effect: 'write',
    flags: serveFlags,
    notes: [
      'A browser shows at the URL of the service what arrived: events, runs, reports, the registry and requests. The page needs the API key that the service prints. --open opens it logged in, by a link that counts once, within a minute.',
      'Some operations are simpler here than on the platform. Their help, and the response header dtp-simplified, say how.',
      'It listens on loopback. With --host or --behind-proxy, other machines can use it, and need a key. With --open-access-tokens, the id of a workspace is enough, which is not secret: whoever knows it can read and add events, reports and documents, but sees no keys.',
      '--fail and --drop take the words of a command, or the id of an operation. --fail "codehost actions trigger=failure" triggers the action, and its run fails later.',
    ],
    examples: {
      'Look at what arrives, in a browser': 'dtp serve --open',
      'Run the service in memory, for a script': 'dtp serve --ephemeral -o json',
    },
  },
  dev: {
    summary: 'Run a command with the embedded service',
    effect: 'write',
    args: [
      {
        name: 'command',
        many: true,
        help: 'the command to run, after --; its environment variables select the embedded service',
      },
    ],
    flags: serverFlags,
    // The service itself needs no settings, so invalid settings do not stop it.
    way: { readOnly: true },
    examples: {
      'Run a script against the embedded service': 'dtp dev -- ./send-events.sh',
      'Let the first two posts fail': `dtp dev --ephemeral --fail 'events post=503x2' -- ./send-events.sh`,
    },
  },
  'data export': {
    summary: 'Write all data of the embedded service to a file',
    args: [
      { name: 'file', required: true, help: 'new file, compressed if its name ends in .gz, or - for standard output' },
    ],
    flags: dataFlags,
    way: { readOnly: true },
    names: false,
    notes: [
      'The file holds every key and secret of the service. Only its owner can read it.',
      'The file shows one moment, even if the service is running. The command fails without data, or if the export is not whole.',
    ],
    examples: {
      'Back up the data of this machine': 'dtp data export backup.jsonl.gz',
      'Count the stored events': 'dtp data export - | tail -n 1 | jq .events.rows',
    },
  },
  'data import': {
    summary: 'Read an export into an empty embedded service',
    effect: 'write',
    args: [{ name: 'file', required: true, help: 'file of dtp data export, or - for standard input' }],
    flags: dataFlags,
    way: { readOnly: true },
    names: false,
    notes: ['It imports everything or nothing. It refuses a damaged file, and replaces no data.'],
    examples: {
      'Make a backup, and try to restore it':
        'dtp data export all.jsonl && dtp data import all.jsonl --data ./restored',
      'Copy the data of this machine to another folder': 'dtp data export - | dtp data import - --data ./copy',
    },
  },
  mcp: {
    summary: 'Run an MCP server with the operations as tools for agents',
    effect: 'write',
    sends: true,
    flags: mcpFlags,
    notes: [
      'Each tool is named after its command: ws_tokens_list is dtp ws tokens list. Secrets in results are masked. Tools cannot read the current folder if it is the home folder or contains it.',
    ],
    way: { readOnly: true },
    examples: {
      'Serve the read-only tools on standard input and output': 'dtp mcp < /dev/null',
      'Serve the tools for events, including those that write': `dtp mcp --allow-writes --tools 'events_*' < /dev/null`,
    },
  },
  schema: {
    summary: 'Print the schema of a command as JSON',
    args: [
      { name: 'command', many: true, help: 'a command, such as ws tokens create (default: a list of all commands)' },
    ],
    flags: schemaFlags,
    examples: {
      'List all commands': 'dtp schema',
      'List the required flags of a command': "dtp schema code-samples get -r --query 'flags[?required].name'",
    },
  },
  help: {
    summary: 'Show help for a command or a topic',
    args: [{ name: 'command', many: true, help: 'a command, such as ws tokens create, or a topic, such as formats' }],
    flags: helpFlags,
    notes: ['--agent shows a page for agents. --skill writes it to FOLDER/dtp/SKILL.md (Claude Code: .claude/skills).'],
    examples: {
      'Show the help of a command': 'dtp help ws tokens create',
      'Teach an agent the whole tool': 'dtp help --agent',
    },
  },
} as const satisfies LocalCommands;
