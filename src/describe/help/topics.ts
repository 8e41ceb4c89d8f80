/** The topics of `dtp help`, each made from what the program itself reads. */
import { allRows } from '../../declarations/settings.ts';
import type { LongFlag } from '../../declarations/types.ts';
import { credentialVariables, variables } from '../../declarations/variables.ts';
import { formats, formatTable } from '../../render/formats.ts';
import { longName } from '../../settings/flag-names.ts';
import { settingKeys, settingRows } from '../../settings/keys.ts';
import { exitCodeRows } from '../exit-codes.ts';
import type { FlagRecord } from '../flags.ts';
import { flagRow, type Page, type Row } from '../page.ts';
import { bodyExamples } from './examples.ts';

/** What a topic is about, by its name. */
export const topics = {
  flags: 'Global flags',
  environment: 'Environment variables and precedence',
  'exit-codes': 'Exit codes',
  formats: 'Output formats',
  bodies: 'Request bodies',
} as const;

export type Topic = keyof typeof topics;

export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);

/** `globals` are the flags of every command, `body` those of the ways to give a body. */
export function topicPage(topic: Topic, globals: readonly FlagRecord[], body: readonly FlagRecord[]): Page {
  const { paragraphs, sections, facts = [] } = pages[topic](globals, body);
  return { name: topic, summary: topics[topic], paragraphs, sections, facts };
}

/** In the order of the settings; those that no variable sets are left out. */
const settingVariables: readonly Row[] = settingKeys.flatMap((key) => {
  const { env = [], flag, help, default: initial } = settingRows[key];
  if (env.length === 0 || flag === undefined) return [];
  const more = initial === undefined ? '' : `; default: ${initial}`;
  return [{ term: env.join(', '), text: `${help} (${longName(flag)}${more})` }];
});

const variableRow = (term: string, help: string, flag?: string): Row => ({
  term,
  text: flag === undefined ? help : `${help} (${flag})`,
});

/** What selects the profile, and the settings that have no flag. Of two names, the text tells of the one in lower case. */
const rowsApart: readonly Row[] = Object.values(allRows)
  .filter(({ kind, flag }) => kind === undefined || flag === undefined)
  .flatMap(({ env = [], help, flag }) =>
    env
      .filter((name) => name === name.toUpperCase())
      .map((name) => variableRow(name, help, flag && longName(flag))),
  );

const otherVariables: readonly Row[] = [
  ...Object.entries(credentialVariables).map(([name, { help }]) => variableRow(name, help)),
  ...rowsApart,
  ...Object.entries(variables).map(([name, { help, flag }]) => variableRow(name, help, flag)),
];

type Make = (
  globals: readonly FlagRecord[],
  body: readonly FlagRecord[],
) => Pick<Page, 'paragraphs' | 'sections'> & { readonly facts?: readonly string[] };

const pages: Readonly<Record<Topic, Make>> = {
  flags: (globals) => ({
    paragraphs: ['Every command accepts these flags, before or after its name.'],
    sections: [
      {
        title: 'Flags',
        rows: [
          ...globals.map(flagRow),
          { term: '-h, --help', text: 'show the help of a command (with -o json: its schema)' },
          { term: '-V, --version', text: 'print the version' },
        ],
      },
    ],
  }),
  environment: () => ({
    paragraphs: [
      'A flag wins over the environment, that over .dtp.json in this folder or above, that over the profile. A profile that is named by --profile is as good as a flag. A variable that is empty is not set.',
      "A .dtp.json is read up to the root of the repository or the home folder; in neither, from this folder alone. It must be yours or root's, and writable by nobody else. What it says of base_url, profile, ca_cert and words is used only after dtp config trust, and again after each change; until then a command that would use it exits with 3.",
      "A command acts on the workspace that is named, or exits with 2. Most operations have no workspace in their path and act on the credential's: if that is another one, nothing is sent. Use a profile for each workspace, or an access token from dtp auth token.",
      'If several variables hold a credential, DTP_API_KEY wins over DTP_TOKEN, and that over DTP_WORKSPACE_IDENTIFIER. A warning names the ones that are ignored.',
      'https_proxy is on the way to https: addresses, and where it is not set http_proxy, as to http: ones; lower case goes before upper case. What is written without a scheme is http:. Both kinds of addresses are tunnelled, through a proxy that speaks http: or https:, and no other. Never proxied are loopback and what NO_PROXY names: hosts, with all below them, an IPv6 address in brackets, either with :PORT, or * alone for all; not ranges of addresses.',
      'Certificates are trusted beside those that Node trusts, never in their place. --insecure is a flag alone, and is kept nowhere.',
    ],
    sections: [
      { title: 'Settings', rows: settingVariables },
      { title: 'Others', rows: otherVariables },
    ],
    facts: ['Each value and where it comes from: dtp config explain'],
  }),
  'exit-codes': () => ({
    paragraphs: [
      'A failure has nothing on stdout, and one sentence on stderr.',
      'With --allow-failure, or DTP_ALLOW_FAILURE=1, what would be 9, 10, 11, 75 or 124 is 0, with a warning.',
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
  formats: (globals) => ({
    paragraphs: [
      'A table on a terminal, JSON in a pipe. stdout is the result and nothing else. A result that is a single string has no quotes in a pipe unless JSON was asked for.',
      'An error is text if stderr is a terminal. Otherwise it is one line of JSON if the result would be JSON; --error-format sets it.',
    ],
    sections: [
      { title: '-o FORMAT', rows: formats.map((name) => ({ term: name, text: formatTable[name].help })) },
      { title: 'What is written', rows: named(globals, shaping) },
      { title: 'What is not sent', rows: named(globals, ['--dry-run', '--curl']) },
    ],
  }),
  bodies: (_, body) => ({
    paragraphs: [
      'Every way works for every command with a body. What is given in more than one way: flags win over -f, that over -F, that over --body. A flag is checked by its type; what -F, -f and --body say is sent as it is. Fields that are not known pass as they are.',
    ],
    sections: [
      { title: 'Examples', examples: bodyExamples },
      {
        title: 'Ways',
        rows: [
          { term: '--NAME <value>', text: 'a flag for each known member; see the help of the command' },
          ...body.map(flagRow),
        ],
      },
      { title: 'Where --body comes from', rows: bodySources },
      { title: 'Names of -F and -f', rows: names },
    ],
  }),
};

/** What shapes a result, in the order in which it is done. */
const shaping = [
  '--query',
  '--fields',
  '--output',
  '--json',
  '--raw-output',
  '--no-headers',
  '--output-file',
  '--force',
] as const satisfies readonly LongFlag[];

const named = (globals: readonly FlagRecord[], names: readonly LongFlag[]): readonly Row[] =>
  names.flatMap((name) => globals.filter((flag) => flag.name === name)).map(flagRow);

const bodySources: readonly Row[] = [
  { term: "'{…}'", text: 'JSON or YAML in place' },
  { term: '@FILE', text: 'a file with JSON or YAML' },
  { term: '-', text: 'standard input' },
];

const names: readonly Row[] = [
  { term: 'name=3', text: '-F makes a number, true, false or null of what looks like one; -f a text' },
  { term: 'name=@FILE', text: 'with -F the text of a file' },
  { term: 'owner.name=x', text: 'a member of a member' },
  { term: 'tags[]=x', text: 'one more at the end of a list' },
];
