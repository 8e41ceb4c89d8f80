/** The combinations of a command: what may be added to its line, and one run of such a line. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { attempt } from '../../src/caught.ts';
import { removeFolder } from '../support/folders.ts';
import { type Answer, answersOf, beside, newest, shapeOf } from './answers.ts';
import { type Command, type Flag, schema } from './commands.ts';
import type { Choice, Space } from './cover.ts';
import type { Ended, Job } from './drivers.ts';
import type { openScripted, Request } from './scripted.ts';

export const key = 'Canary-Key-51C2';

/** One run of a command. */
export interface Subject extends Ended {
  readonly command: Command;
  readonly choice: Choice;
  readonly argv: readonly string[];
  readonly answer: Answer;
  /** The requests that the command is about, without look-ups. */
  readonly requests: readonly Request[];
  /** The content of the file of `-O`; undefined if it does not exist. */
  readonly file: string | undefined;
  /** The names of the other files that the command has left in its folder. */
  readonly made: readonly string[];
  /** What all files contain that the command has written. */
  readonly written: string;
  /** The folder that everything was written to. */
  readonly folder: string;
  /** What the line of `--curl` has sent, if a shell has run it. */
  readonly curled: readonly Request[] | undefined;
  /** Runs the line with other values. */
  readonly again: (change: Choice) => Promise<Subject>;
}

/** A time between the second row and the third. */
const between = new Date(newest - 90_000).toISOString();

const valuesOfFlows: Readonly<Record<string, string>> = {
  '--limit': '2',
  '--since': between,
  '--until': between,
  '--watch': '50ms',
  '--out-dir': 'made',
  '--download': 'made',
  '--wait': '--wait-timeout 1s --poll-interval 50ms',
  '--wait-timeout': '2s',
  '--poll-interval': '50ms',
  '--batch-size': '1',
  '--concurrency': '2',
  '--on-error': 'stop',
};

const valuesOfTypes: Readonly<Record<string, string>> = {
  boolean: '',
  integer: '7',
  duration: '50ms',
  datetime: '2026-03-09T09:00:00Z',
  json: '{}',
  file: 'sample.txt',
};

const valuesOfNames: Readonly<Record<string, string>> = {
  '--field': 'extra=1',
  '--raw-field': 'extra=x',
  '--method-paths': '{"method":"get","path":"/pets"}',
  '--method': 'POST',
  '--data': '{"extra":1}',
  '--header': 'x-extra:y',
  '--since': between,
  '--older-than': '1h',
  '--language': 'go',
  '--url': 'https://pets.example.test/',
};

const words = (flag: Flag, value: string): string => [flag.name, value].filter(Boolean).join(' ');

const sampleOf = (flag: Flag): string =>
  valuesOfNames[flag.name] ?? flag.enum?.at(-1) ?? flag.known_values?.at(-1) ?? valuesOfTypes[flag.type] ?? 'x-1';

/** Of many fields of one kind, each eighth is enough. */
const thinned = (flags: readonly Flag[]): readonly Flag[] =>
  flags.length > 24 ? flags.filter((_, at) => at % 8 === 0) : flags;

const isIn = (argv: readonly string[], { name }: Flag) => argv.includes(name);

/** The dimensions of a command, and their values as they are typed. The first value says nothing. */
export function spaceOf(command: Command): Space {
  const shape = shapeOf(command);
  const path = shape?.field === undefined ? '' : shape.field;
  const flows = command.flags.filter((flag) => flag.group === 'flow' && !isIn(command.argv, flag));
  const rest = command.flags.filter((flag) => flag.group !== 'flow' && !isIn(command.argv, flag));
  const own = thinned(rest).filter(({ name }) => name !== '--body');
  const several = own.filter(({ repeatable, type }) => repeatable && type === 'string');
  return {
    format: [
      '',
      '-o table',
      '--json',
      ...['yaml', 'toon', 'ndjson', 'csv', 'tsv', 'name', 'raw'].map((one) => `-o ${one}`),
    ],
    select: [
      ...['', '-r', '--fields id,name', '--fields nosuch,id', '--all-fields', '--no-headers', '--query @', '--jq .'],
      ...(shape ? [`--query ${path}[].id`, `-r --jq .${path}[].id`] : ['--query id', '-r --jq .id']),
    ],
    flow: ['', ...flows.map((flag) => words(flag, valuesOfFlows[flag.name] ?? sampleOf(flag)))],
    own: [
      '',
      ...own.map((flag) => words(flag, sampleOf(flag))),
      ...several.map((flag) => `${words(flag, sampleOf(flag))} ${flag.name} nosuch`),
    ],
    target: ['', 'terminal', '-O out', '-O out --force'],
    mode: [
      ...['', '--dry-run', '--curl', '--agent', '--retry 2', '--timeout 1s', '-v', '--debug'],
      ...['--error-format json', '--color always', '--allow-failure', '--no-progress', '--show-secrets'],
    ],
    answer: Object.keys(answersOf(command)),
  };
}

const argvOf = (command: Command, { answer: _, target = '', ...typed }: Choice): readonly string[] => [
  ...command.argv,
  ...[...Object.values(typed), target.replace('terminal', '')].flatMap((text) => text.split(' ').filter(Boolean)),
  // A change that cannot be undone asks otherwise.
  ...(command.effect === 'read' ? [] : ['--yes']),
];

/** Some commands try again by themselves, which would take a minute. */
const isRepeated = ({ operation }: Command, { answer = '' }: Choice) =>
  /^(postWorkspaceEvents|getWorkspaceAccess)$/.test(operation ?? '') && /^(500|cut|a full disk|again.*)$/.test(answer);

type Scripted = Awaited<ReturnType<typeof openScripted>>;

/** Returns a function that runs combinations of a command. Equal ones run once. */
export function runnerOf(command: Command, service: Scripted, run: (job: Job) => Promise<Ended>) {
  const known = new Map<string, Promise<Subject>>();
  const answers = answersOf(command);
  const runOnce = async (choice: Choice): Promise<Subject> => {
    const folder = mkdtempSync(join(tmpdir(), 'dtp-meeting-'));
    const cwd = join(folder, 'here');
    const answer = (answers[choice.answer ?? ''] as () => Answer)();
    const requests: Request[] = [];
    const { url, end } = service.play((request) => {
      const { method, path } = command.request ?? {};
      if (request.method !== method || request.url.replace(/\?.*/, '') !== path) return beside(request);
      const earlier = [...requests];
      requests.push(request);
      return answer.script(request, earlier);
    });
    try {
      const files = {
        'sample.txt': 'sample\n',
        ...command.files,
        ...(choice.target?.includes('--force') && { out: 'before\n' }),
      };
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(cwd, name)), { recursive: true });
        writeFileSync(join(cwd, name), text);
      }
      const argv = argvOf(command, choice);
      const ended = await run({
        argv,
        cwd,
        env: {
          ...{
            HOME: join(folder, 'home'),
            PATH: process.env.PATH ?? '',
            TMPDIR: folder,
            DTP_BASE_URL: url,
            DTP_API_KEY: key,
          },
          ...{ DTP_WORKSPACE_ID: 'w_1', DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w', TERM: 'xterm-256color' },
          ...((choice.answer === 'never' || isRepeated(command, choice)) && { DTP_TIMEOUT: '400ms' }),
        },
        isTerminal: choice.target === 'terminal',
        ...(choice.answer === 'a full disk' && { full: join(folder, 'home/.local/state') }),
        ...(argv.includes('--watch') && { interruptMs: 250 }),
      });
      const isUsual = choice.target === '' && /^(usual|three)$/.test(choice.answer ?? '');
      const curled =
        hasCurl && choice.mode === '--curl' && isUsual && ended.stdout.startsWith('curl ')
          ? await sentBy(ended.stdout, cwd, requests)
          : undefined;
      const left = readdirSync(cwd, { recursive: true, encoding: 'utf8' }).filter(
        (name) => !(name in files) && name !== 'out',
      );
      const file = existsSync(join(cwd, 'out')) ? readFileSync(join(cwd, 'out'), 'utf8') : undefined;
      return {
        ...{ command, choice, argv, answer, requests, file, curled, ...ended },
        made: left.filter((name) => !Object.keys(files).some((one) => one.startsWith(name))),
        written: textsBelow(folder),
        folder,
        again: (change) => runChoice({ ...choice, ...change }),
      };
    } finally {
      end();
      removeFolder(folder);
    }
  };
  const runChoice = (choice: Choice): Promise<Subject> => {
    const name = JSON.stringify(Object.entries(choice).sort());
    const started = known.get(name) ?? runOnce(choice);
    known.set(name, started);
    return started;
  };
  return runChoice;
}

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stdout.write('curl is not installed: the lines of --curl are not run\n');

/** Runs a line in a shell, and returns what it has sent. Removes that from `requests`. */
async function sentBy(line: string, cwd: string, requests: Request[]): Promise<readonly Request[]> {
  const earlier = requests.length;
  const env = { HOME: cwd, PATH: process.env.PATH ?? '', DTP_API_KEY: key };
  await new Promise((done) => execFile('sh', ['-c', line], { cwd, env, timeout: 5000 }, done));
  return requests.splice(earlier);
}

/** A temporary file may be renamed meanwhile. */
const textsBelow = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => attempt(() => readFileSync(join(parentPath, name), 'latin1'), ''))
    .join('\n');

/** All flags that a command takes, with those of every command. */
export const namesOfFlags = (command: string): ReadonlySet<string> =>
  new Set(
    [...(schema.commands.find((one) => one.command === command)?.flags ?? []), ...schema.global_flags].flatMap(
      ({ name }) => [name],
    ),
  );
