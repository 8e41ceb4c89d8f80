/** The names and ids that completions offer: from the service, or from what it said within the last minute. */
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { messageOf, systemCode } from '../../caught.ts';
import { type Context, changed } from '../../context.ts';
import { call } from '../../invocation/call.ts';
import { baseAddress } from '../../invocation/connect.ts';
import { deadlineIn } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import { openInvocation } from '../../invocation/invocation.ts';
import { over } from '../../invocation/over.ts';
import { fieldsOf } from '../../json-object.ts';
import { write } from '../../output/write.ts';
import { hasHidden, visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { allProfiles } from '../../settings/resolve.ts';
import type { Row } from '../../store/listed.ts';
import { configFolder, stateFolder } from '../../system/folders.ts';
import { type List, listNamed } from '../../tree/lists.ts';

/** Milliseconds: a key may take 300 with the start and the end of the process; a request that goes on aside, longer. */
const limits = { key: 280, request: 5000 };

/**
 * Writes what a shell asks for by `dtp __complete [--profile NAME …] KIND [NAMESPACE]`: a line for each value, it, a tab,
 * and what it is. Without an answer there is nothing to offer, which is no failure; a write that fails is. A key has no time
 * for the tree of commands. Returns the exit code.
 */
export async function answerShell(context: Context, argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv.slice(1), options, strict: false });
  const [kind = '', of = ''] = positionals;
  const text = (
    option: keyof typeof options,
    name: 'profile' | 'workspace' | 'baseUrl' | 'caCert' | 'proxy',
  ) => {
    const value = values[option];
    return typeof value === 'string' ? { [name]: value } : {};
  };
  const globals: Globals = {
    ...text('profile', 'profile'),
    ...text('workspace', 'workspace'),
    ...text('base-url', 'baseUrl'),
    ...text('ca-cert', 'caCert'),
    ...text('proxy', 'proxy'),
  };
  const wanted = { kind, of, fresh: values.fresh === true, argv };
  const rows = await listRows(context, globals, wanted).catch(() => []);
  try {
    await write(context, rowLines(rows));
    return 0;
  } catch (error) {
    const [code, message] = [systemCode(error), messageOf(error)];
    if (code === 'EPIPE') return 0;
    context.stderr.write(`error: ${message}\n`);
    return 1;
  }
}

/** What the scripts hand on of a command line. */
const options = {
  profile: { type: 'string' },
  workspace: { type: 'string', short: 'w' },
  'base-url': { type: 'string' },
  'ca-cert': { type: 'string' },
  proxy: { type: 'string' },
  fresh: { type: 'boolean' },
} as const;

interface Wanted {
  readonly kind: string;
  /** The namespace, for what is in one. */
  readonly of: string;
  /** Ask the service, whatever is kept. */
  readonly fresh: boolean;
  readonly argv: readonly string[];
}

/**
 * The rows of a list, by name. What is not kept is asked for by a process aside: when the time is over there are no rows
 * for this key, and for the next one there may be. Throws what went wrong.
 */
async function listRows(context: Context, given: Globals, wanted: Wanted): Promise<readonly Row[]> {
  const { kind, of, fresh, argv } = wanted;
  if (kind === 'profiles') return profileRows(context);
  const list = listNamed(kind);
  if (!list) return [];
  const silent = inSilence(context);
  const globals = { ...given, input: false };
  const invocation = await openInvocation(silent, { globals, way: { looking: true } });
  const { settings } = invocation;
  const namespace = 'namespace_name' in list.operation.input ? of : undefined;
  if (namespace === '') return [];

  const { readListed, keepListed } = await import('../../store/listed.ts');
  const folder = join(stateFolder(context), 'completions');
  const { profile, values } = settings;
  const key = JSON.stringify([
    kind,
    namespace,
    baseAddress(settings).value,
    profile.value,
    values.workspace?.value,
  ]);
  if (!fresh) {
    const kept = readListed(folder, key, context.date().getTime());
    if (kept) return kept;
    // Before all that was typed: behind a `--` it would be a word, and each process would ask another.
    return rowsIn(await context.runAside(['__complete', '--fresh', ...argv.slice(1)], limits.key));
  }
  const { operation } = list;
  return over(invocation, { operation }, async ({ connection }) => {
    const deadline = deadlineIn(context, limits.request, context.signal);
    try {
      const { signal } = deadline;
      const given = namespace === undefined ? {} : { namespace_name: namespace };
      const input = await withSettings(operation, given, { settings, connection, signal });
      // Which workspaces there are is asked to name another one: the one that is named so far does not matter.
      const asked = kind === 'workspaces' ? { ...connection, sendFor: connection.sendUnchecked } : connection;
      const answer = await call(asked, operation, input, signal);
      const rows = answer.kind === 'json' ? rowsOf(list, answer.value) : [];
      // What cannot be kept is asked for again.
      await keepListed(folder, key, context.date().getTime(), rows).catch(() => undefined);
      return rows;
    } finally {
      deadline.end();
    }
  });
}

const rowLines = (rows: readonly Row[]): string =>
  rows.map(({ value, help }) => `${value}\t${help}\n`).join('');

const rowsIn = (lines = ''): readonly Row[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [value = '', help = ''] = line.split('\t');
      return { value, help };
    });

/** Nothing is written beside the result, and no command is run for a credential: it might ask, and nobody expects that of a key. */
const inSilence = (context: Context): Context =>
  changed(context, {
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    exec: () => Promise.reject(new Error('a completion runs no command')),
  });

async function profileRows(context: Context): Promise<readonly Row[]> {
  const configuration = (await context.openProfiles(configFolder(context))).read();
  return Object.entries(allProfiles(configuration)).flatMap(([name, { base_url }]) =>
    rowOf(name, base_url === undefined ? '' : redactUrl(base_url)),
  );
}

/** The rows of an answer, each value once, with all that is said of it. */
function rowsOf({ operation, values }: List, answer: unknown): readonly Row[] {
  const found = operation.rows === undefined ? answer : fieldsOf(answer)[operation.rows];
  const records = (Array.isArray(found) ? found : []).map(fieldsOf);
  const helps = new Map<string, unknown[]>();
  for (const [value, help] of values)
    for (const record of records) {
      if (typeof record[value] !== 'string') continue;
      helps.set(record[value], [...(helps.get(record[value]) ?? []), record[help] ?? '']);
    }
  return [...helps].flatMap(([value, all]) => rowOf(value, [...new Set(all.flat())].join(', ')));
}

/** None for what could not be typed: it would do things to a terminal, be taken for a flag, or for a home folder. */
function rowOf(value: string, help: string): readonly Row[] {
  if (value === '' || /^[-~]/.test(value) || hasHidden(value)) return [];
  const shown = visible(help);
  return [{ value, help: shown.length > 60 ? `${shown.slice(0, 59)}…` : shown }];
}
