/** Prints the names and ids that shell completions suggest, from the service or from a cached response. */
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { messageOf, systemCode } from '../../caught.ts';
import { type Context, changeContext } from '../../context.ts';
import { attributeOf } from '../../declarations/flag.ts';
import { checkOwnFolders } from '../../files/own.ts';
import { baseUrlOf } from '../../invocation/connect.ts';
import { call } from '../../invocation/connection.ts';
import { withDeadline } from '../../invocation/deadline.ts';
import { withSettings } from '../../invocation/fill.ts';
import { openInvocation } from '../../invocation/invocation.ts';
import { withConnection } from '../../invocation/over.ts';
import { fieldsOf } from '../../json-object.ts';
import { type Choices, namesToType, resources, valuesToPick } from '../../operations/resources.ts';
import { write } from '../../output/write.ts';
import { hasHidden, visible } from '../../render/sanitize.ts';
import { redactUrl } from '../../request/redact.ts';
import type { Globals } from '../../settings/global-flags.ts';
import { allProfiles } from '../../settings/resolve.ts';
import type { ListedValue } from '../../store/listed.ts';
import { configFolder } from '../../system/folders.ts';

/** Milliseconds. A key press may take 300, with start and exit of the process. The background request may take more. */
const limits = { key: 280, request: 5000 };

/**
 * Runs `dtp __complete [--profile NAME …] KIND [NAMESPACE]`. Prints one line per value: the value, a tab, and a
 * description. Prints nothing if the service does not respond in time. Does not load the command tree, because that
 * takes too long. Returns the exit code: 1 if the output cannot be written, 0 otherwise and for a closed pipe.
 */
export async function answerShell(context: Context, argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: argv.slice(1), options, strict: false });
  const [kind = '', of = ''] = positionals;
  const globals: Globals = Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => name in options && typeof value === 'string')
      .map(([name, value]) => [attributeOf(name), value]),
  );
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

/** The flags that the completion scripts pass on, and `--fresh`, which is used for the background process. */
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
  /** The namespace of the list. Empty for a list that does not belong to a namespace. */
  readonly of: string;
  /** Whether to call the service even if there is a cached response. */
  readonly fresh: boolean;
  readonly argv: readonly string[];
}

/** Returns the rows of a list. Unless they are cached, a background process fetches them for a later key press. */
async function listRows(context: Context, given: Globals, wanted: Wanted): Promise<readonly ListedValue[]> {
  const { kind, of, fresh, argv } = wanted;
  if (kind === 'profiles') return profileRows(context);
  const resource = resources.find((one) => one.kind === kind);
  const list = resource && valuesToPick(resource);
  if (!list) return [];
  checkOwnFolders(context);
  const silent = silenced(context);
  const globals = { ...given, input: false };
  const invocation = await openInvocation(silent, { globals, way: { readOnly: true } });
  const { settings } = invocation;
  const namespace = 'namespace_name' in list.operation.input ? of : undefined;
  if (namespace === '') return [];

  const store = await import('../../store/listed.ts');
  const { completionsFolder, keepAnswer, keepListed, listedFile, readCachedValues: readListed } = store;
  const folder = completionsFolder(context);
  const { profile, values } = settings;
  const key = JSON.stringify([kind, namespace, baseUrlOf(settings).value, profile.value, values.workspace?.value]);
  // The next key press has the same arguments, but without --fresh.
  const press = { ...placeOf(context), argv: argv.filter((word) => word !== '--fresh') };
  const remember = (rows: readonly ListedValue[]) => keepAnswer(press, listedFile(folder, key), rowLines(rows));
  if (!fresh) {
    const cached = readListed(folder, key, context.date().getTime(), context.uid);
    if (cached) {
      remember(cached);
      return cached;
    }
    // Put --fresh first. After a `--` that the user typed, it would not be parsed as a flag, and each background
    // process would start another one.
    return rowsIn(await context.runAside(['__complete', '--fresh', ...argv.slice(1)], limits.key));
  }
  const { operation } = list;
  return withConnection(invocation, { operation }, ({ connection }) =>
    withDeadline(context, limits.request, context.signal, async (signal) => {
      const given = namespace === undefined ? {} : { namespace_name: namespace };
      const input = await withSettings(operation, given, { settings, connection, signal });
      const answer = await call(connection, operation, input, signal);
      const rows = answer.kind === 'json' ? rowsOf(list, namesToType(resource), answer.value) : [];
      // If the rows cannot be cached, the next key press fetches them again.
      await keepListed(folder, key, context.date().getTime(), rows).then(
        () => remember(rows),
        () => undefined,
      );
      return rows;
    }),
  );
}

/** Returns what suggestions depend on. Copying the whole context would run getters, which open standard input. */
const placeOf = ({ env, home, cwd, uid }: Context) => ({ env, home, cwd, uid });

const rowLines = (rows: readonly ListedValue[]): string =>
  rows.map(({ value, help }) => `${value}\t${help}\n`).join('');

const rowsIn = (lines = ''): readonly ListedValue[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [value = '', help = ''] = line.split('\t');
      return { value, help };
    });

/** Returns a context without stderr, credential commands and keychain: they might prompt while the user is typing. */
const silenced = (context: Context): Context =>
  changeContext(context, {
    stderr: new Writable({ write: (_chunk, _encoding, done) => done() }),
    exec: () => Promise.reject(new Error('completions do not run commands')),
    keychain: () => Promise.reject(new Error('completions do not use the keychain')),
  });

async function profileRows(context: Context): Promise<readonly ListedValue[]> {
  const configuration = (await context.openProfiles(configFolder(context))).read();
  return Object.entries(allProfiles(configuration)).flatMap(([name, { base_url }]) =>
    rowOf(name, base_url === undefined ? '' : redactUrl(base_url)),
  );
}

/**
 * Returns the rows of a response, each value once with all its descriptions. Names that may be typed instead of an id
 * come first, except those that two things share or that contain spaces.
 */
function rowsOf({ operation, values }: Choices, names: Choices['values'], answer: unknown): readonly ListedValue[] {
  const found = operation.rows === undefined ? answer : fieldsOf(answer)[operation.rows];
  const records = (Array.isArray(found) ? found : []).map(fieldsOf);
  const helps = new Map<string, unknown[]>();
  for (const [value, , name] of names)
    for (const record of records) {
      const text = record[name];
      const isOnly = records.filter((one) => one[name] === text).length === 1;
      if (typeof text === 'string' && isOnly && !/\s/.test(text)) helps.set(text, [record[value] ?? '']);
    }
  for (const [value, help] of values)
    for (const record of records) {
      if (typeof record[value] !== 'string') continue;
      helps.set(record[value], [...(helps.get(record[value]) ?? []), record[help] ?? '']);
    }
  return [...helps].flatMap(([value, all]) => rowOf(value, [...new Set(all.flat())].join(', ')));
}

/** Returns a row, or nothing if the value is not safe on a command line. A long description is shortened. */
function rowOf(value: string, help: string): readonly ListedValue[] {
  if (value === '' || /^[-~]/.test(value) || hasHidden(value)) return [];
  const shown = visible(help);
  return [{ value, help: shown.length > 60 ? `${shown.slice(0, 59)}…` : shown }];
}
