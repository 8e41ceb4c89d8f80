/** Builds the pages of the help topics from the same records that the program uses. */
import { longName } from '../../declarations/flag.ts';
import { allRows } from '../../declarations/settings.ts';
import type { LongFlag } from '../../declarations/types.ts';
import { credentialVariables, variables } from '../../declarations/variables.ts';
import { examplesIn } from '../../operations/examples.ts';
import { formats, formatTable } from '../../render/formats.ts';
import { settingKeys, settingRows } from '../../settings/keys.ts';
import { flagEntries } from '../../tree/flag-entries.ts';
import { anyBodyFlags } from '../../tree/flow-flags.ts';
import { exitCodeRows, flagRecord, globalFlagRecords } from '../describe.ts';
import { appendInBrackets, flagRow, type HelpPage, type HelpRow } from '../page.ts';

export const topics = {
  concepts: 'What the words mean',
  flags: 'Global flags',
  environment: 'Environment variables and precedence',
  'exit-codes': 'Exit codes',
  formats: 'Output formats',
  bodies: 'Request bodies',
  topics: 'Help topics',
} as const;

export type Topic = keyof typeof topics;

export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);

export const allTopics: readonly Topic[] = Object.keys(topics).filter(isTopic);
export const listedTopics: readonly Topic[] = allTopics.filter((name) => name !== 'topics');

/** Returns the page of a topic. */
export function topicFor(topic: Topic): HelpPage {
  const { paragraphs, sections, facts = [] } = pages[topic]();
  return { name: topic, summary: topics[topic], paragraphs, sections, facts };
}

const settingVariables: readonly HelpRow[] = settingKeys.flatMap((key) => {
  const { env = [], flag, help, default: initial } = settingRows[key];
  if (env.length === 0 || flag === undefined) return [];
  const more = initial === undefined ? [] : [`default: ${initial}`];
  return [{ term: env.join(', '), text: appendInBrackets(help, [longName(flag), ...more]) }];
});

const variableRow = (term: string, help: string, flag?: string): HelpRow => ({
  term,
  text: appendInBrackets(help, flag === undefined ? [] : [flag]),
});

/** The rows of the profile and of settings without a flag, except lower-case variables, which the help names. */
const rowsApart: readonly HelpRow[] = Object.values(allRows)
  .filter(({ kind, flag }) => kind === undefined || flag === undefined)
  .flatMap(({ env = [], help, flag }) =>
    env.filter((name) => name === name.toUpperCase()).map((name) => variableRow(name, help, flag && longName(flag))),
  );

const otherVariables: readonly HelpRow[] = [
  ...Object.entries(credentialVariables).map(([name, { help }]) => variableRow(name, help)),
  ...rowsApart,
  ...Object.entries(variables).map(([name, { help, flag }]) => variableRow(name, help, flag)),
];

type Make = () => Pick<HelpPage, 'paragraphs' | 'sections'> & Partial<Pick<HelpPage, 'facts'>>;

const rowsOf = (texts: Readonly<Record<string, string>>): readonly HelpRow[] =>
  Object.entries(texts).map(([term, text]) => ({ term, text }));

const concepts = {
  workspace:
    'where a team keeps its events, tokens and API documents; it belongs to an organization. Select it with -w.',
  credential:
    'the secret that a request carries: an API key, an access token or a workspace identifier. It belongs to one workspace.',
  target: 'one thing that is generated from an API document, such as the TypeScript SDK. dtp events targets list',
  'lock id':
    'the id of a target, from the lock file in its repository. Events and publishing tokens name their target by it.',
  namespace: 'the name under which the revisions of one API document are stored. dtp artifacts namespaces list',
  revision: 'one pushed version of a document. Its digest never changes; a tag such as v1 is a name that can move.',
  queue: 'events on this disk that the service has not acknowledged yet. dtp events queue list',
};

export const conceptNames: readonly string[] = Object.keys(concepts);

const pages: Readonly<Record<Topic, Make>> = {
  concepts: () => ({ paragraphs: [], sections: [{ title: 'Words', rows: rowsOf(concepts) }] }),
  flags: () => ({
    paragraphs: ['Every command accepts these flags, before or after its name.'],
    sections: [
      {
        title: 'Flags',
        rows: [
          ...globalFlagRecords.map(flagRow),
          { term: '-h, --help', text: 'show the help of a command (with -o json: its schema)' },
          { term: '-V, --version', text: 'print the version' },
        ],
      },
    ],
  }),
  environment: () => ({
    paragraphs: [
      'The first source that has a value wins: flag, environment variable, .dtp.json (in this folder or a parent), profile. The values of a profile selected with --profile override variables and .dtp.json. An empty variable counts as not set. A variable that turns something on is off if its value is 0, false, no or off.',
      'dtp looks for .dtp.json from the current folder up to the root of the repository or your home folder; outside of both, only in the current folder. The file must belong to you, to root or to the owner of its folder, and nobody may be able to write to it who cannot write to its folder. Its base_url, profile, ca_cert and words are used only after dtp config trust, which is needed again after each change. Until then, a command that needs them exits with 3.',
      'A command acts on the selected workspace or exits with 2. Most operations always act on the workspace of the credential. If you selected another one, nothing is sent: use a profile per workspace, or an access token from dtp auth token. DTP_WORKSPACE_ID is always an id. -w, .dtp.json and profiles also take the name or slug of a workspace.',
      'If several variables contain a credential, DTP_API_KEY overrides DTP_TOKEN, and DTP_TOKEN overrides DTP_WORKSPACE_IDENTIFIER. A warning names the ignored ones.',
      'https_proxy applies to https: URLs, http_proxy to http: URLs and, if https_proxy is not set, to https: URLs too. Lower-case variables override upper-case ones. A proxy URL without a scheme means http:. Requests are tunnelled through an http: or https: proxy; other kinds are not supported. Loopback and the hosts in NO_PROXY are never proxied. In NO_PROXY, a host name includes its subdomains, 10.0.0.0/8 and fd00::/8 are subnets, each entry can have a :PORT, with an IPv6 address in brackets, and * matches every host.',
      'Certificates that you add are trusted in addition to those that Node trusts. --insecure works only as a flag and is never stored.',
    ],
    sections: [
      { title: 'Settings', rows: settingVariables },
      { title: 'Other variables', rows: otherVariables },
    ],
    facts: ['Show each value and its source: dtp config explain'],
  }),
  'exit-codes': () => ({
    paragraphs: [
      'If a command fails, it prints nothing on stdout and one sentence on stderr.',
      'With --allow-failure or DTP_ALLOW_FAILURE=1, the exit codes 9, 10, 11, 75 and 124 become 0, with a warning.',
    ],
    sections: [
      {
        title: 'Exit codes',
        rows: exitCodeRows.map(({ code, name, when }) => ({
          term: `${String(code).padStart(3)}  ${name}`,
          text: when,
        })),
      },
    ],
  }),
  formats: () => ({
    paragraphs: [
      'The default is a table on a terminal and JSON in a pipe. stdout contains only the result. In a pipe, a result that is a single string is printed without quotes unless you ask for JSON.',
      '--query computes with integers exactly. As an extension of JMESPath, <, <=, > and >= also order strings, by code point: "[?created_at > \'2026-11-20\'].id".',
      '--jq may return any number of values. As JSON and with -r, each is printed by itself; elsewhere they are the rows of a list.',
      'Errors are text. They are one line of JSON for an agent, and in a pipe with -o json, -o ndjson, --json, or DTP_OUTPUT with one of these. --error-format overrides this.',
      'With --agent or DTP_AGENT=1, the default is TOON: at most 50 rows, at most 2,000 characters of each string, and no secrets. The field data has what the service sent, and the field more has the command for the rest. A format or a file that you ask for is always complete.',
      'If dtp detects an agent, it shows no prompts, colors or progress. The result stays the same. DTP_AGENT=0 turns the detection off.',
    ],
    sections: [
      { title: '-o FORMAT', rows: formats.map((name) => ({ term: name, text: formatTable[name].help })) },
      { title: 'Reading CSV and TSV', rows: reading },
      { title: 'Select and write', rows: named(shaping) },
      { title: 'Print without sending', rows: named(['--dry-run', '--curl']) },
    ],
  }),
  bodies: () => ({
    paragraphs: [
      'Every command with a body accepts all of these. If a field is given more than once, a flag overrides -f, -f overrides -F, and -F overrides --body. Flags are checked by type; -F, -f and --body are sent as given, including unknown fields.',
    ],
    sections: [
      { title: 'Examples', examples: bodyExamples },
      {
        title: 'Ways',
        rows: [
          { term: '--NAME <value>', text: 'one flag for each known field; see the help of the command' },
          ...flagEntries(anyBodyFlags, 'body').map(flagRecord).map(flagRow),
        ],
      },
      { title: 'Sources of --body', rows: bodySources },
      { title: 'Names for -F and -f', rows: names },
    ],
  }),
  topics: () => ({
    paragraphs: [],
    sections: [{ title: 'Topics', rows: listedTopics.map((name) => ({ term: name, text: topics[name] })) }],
    facts: ['Show a topic: dtp help TOPIC'],
  }),
};

const reading = rowsOf({
  csv: "UTF-8. Values keep every character, also line breaks. In Python: csv.reader(open(FILE, newline='', encoding='utf-8'))",
  tsv: 'UTF-8. Split lines at line feeds and cells at tabs. Then replace \\t, \\n, \\r and \\\\ by a tab, a line feed, a carriage return and a backslash, in one pass.',
  both: 'Lists and objects are JSON. null and missing fields are empty. Half of a surrogate pair, which UTF-8 cannot store, becomes \\ud800 to \\udfff. Only on a terminal, other control characters are escaped too.',
});

/** The flags that change a result, in the order in which they apply. */
const shaping = [
  '--query',
  '--jq',
  '--fields',
  '--output',
  '--json',
  '--raw-output',
  '--no-headers',
  '--output-file',
  '--force',
  '--agent',
  '--show-secrets',
] as const satisfies readonly LongFlag[];

const named = (names: readonly LongFlag[]): readonly HelpRow[] =>
  names.flatMap((name) => globalFlagRecords.filter((flag) => flag.name === name)).map(flagRow);

const bodySources = rowsOf({ "'{…}'": 'inline JSON or YAML', '@FILE': 'a JSON or YAML file', '-': 'standard input' });

const names = rowsOf({
  'name=3': '-F sends numbers, true, false and null as such; -f always sends a string',
  'name=@FILE': 'with -F: the content of a file',
  'owner.name=x': 'a nested field',
  'tags[]=x': 'append to a list',
});

export const bodyExamples = examplesIn({
  'Set fields with flags': 'dtp ws create --name Staging --slug staging --dry-run',
  'Read the body from a file; the flag overrides a field':
    'dtp ws create --body @workspace.yaml --name Staging --dry-run',
  'Set any field: a JSON value with -F, a string with -f':
    "dtp ws create -F verified=true -f name=7 -F 'labels[]=a' --dry-run",
  'Create a template to edit': 'dtp ws create --skeleton -o yaml > new.yaml',
});
