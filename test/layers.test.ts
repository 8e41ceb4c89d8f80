/** The import table: which folder may import which. A folder may always import from itself. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import { fileSystemUsers, longFunctions } from './support/exceptions.ts';
import { table } from './support/rooms.ts';

const root = resolve(import.meta.dirname, '../src');

/** Packages that only one file may import. */
const singleImporters: Readonly<Record<string, string>> = {
  commander: 'cli/commander.ts',
  undici: 'transport/send.ts',
  conf: 'store/profiles.ts',
  'json-p3': 'service/documents/apply-overlay.ts',
  libsql: 'service/data/store.ts',
  'highlight.js': 'render/highlight.ts',
  yauzl: 'documents/archive.ts',
  '@modelcontextprotocol/server': 'mcp/server.ts',
  '@modelcontextprotocol/server/stdio': 'mcp/server.ts',
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly how: 'value' | 'type' | 'lazy';
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'));

const imports: readonly Import[] = files.flatMap((from) => {
  const text = readFileSync(join(root, from), 'utf8');
  const found = [
    ...[...text.matchAll(/^(?:import|export) (type )?[^;]*? from '([^']+)'/gms)].map(([, type, path]) => ({
      path,
      how: type ? ('type' as const) : ('value' as const),
    })),
    ...[...text.matchAll(/import\('([^']+)'\)/g)].map(([, path]) => ({ path, how: 'lazy' as const })),
  ];
  return found
    .filter(({ path }) => !path?.startsWith('node:'))
    .map(({ path, how }) => ({ from, to: placeOf(from, path as string), how }));
});

function placeOf(from: string, path: string): string {
  if (!path.startsWith('.')) return path;
  return relative(root, resolve(root, dirname(from), path))
    .replaceAll('\\', '/')
    .replace(/^\.\.\//, '');
}

/** A file may import what its folders may, and more. */
function allowedFor(from: string): readonly string[] {
  const keys = Object.keys(table).filter((key) => from === key || from.startsWith(`${key}/`));
  return keys.flatMap((key) => table[key] ?? []);
}

function isAllowed({ from, to, how }: Import): boolean {
  const own = from.includes('/') && to.startsWith(`${from.split('/')[0]}/`);
  const under = (entry: string) => to === entry || to.startsWith(`${entry}/`);
  return (
    own ||
    allowedFor(from).some((entry) => {
      const [kind, place] = entry.includes(' ') ? (entry.split(' ') as [string, string]) : ['value', entry];
      return under(place) && (kind === 'value' || kind === how || (kind === 'lazy' && how === 'type'));
    })
  );
}

test('the scan finds the source files', () => {
  expect(files.length).toBeGreaterThan(60);
  expect(imports.length).toBeGreaterThan(200);
});

test('every import is in the table', () => {
  expect(imports.filter((one) => !isAllowed(one)).map(({ from, to, how }) => `${from} → ${to} (${how})`)).toEqual([]);
});

/** Functions that show what is on the disk, but open nothing. */
const looks = /^(type )?(existsSync|(l?stat|readdir|realpath)(Sync)?|access|constants|(type )?Stats)$/;

test('a path that a user names is opened in one room, and every other file that opens files has a reason', () => {
  const rooms = /^(files|store|system|service)\//;
  const users = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const found = [...text.matchAll(/^import (?:type )?\{([^}]*)\} from 'node:fs(?:\/promises)?'/gms)];
    expect(text.match(/'node:fs(\/promises)?'/g)?.length ?? 0).toBe(found.length);
    const names = found.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    return names.some((name) => name !== '' && !looks.test(name));
  });
  expect(users.filter((file) => !rooms.test(file)).sort()).toEqual(Object.keys(fileSystemUsers).sort());
});

/** Each of these folders has a file, a table or a group of functions, for each area of the API. */
const byArea = /^(operations|operations\/examples|service\/handlers|service\/schema)\/([\w-]+)\.ts$/;

test('a name means one thing: no two files of src export it', () => {
  const areas = files.flatMap((file) => /^service\/handlers\/([\w-]+)\.ts$/.exec(file)?.[1] ?? []);
  const isOfArea = (file: string) => areas.includes(byArea.exec(file)?.[2] ?? '');
  // The two writers of code are written alike.
  const isWriter = (file: string) => file.startsWith('service/documents/write-');
  const owners = new Map<string, string[]>();
  for (const file of files.filter((one) => !isOfArea(one) && !isWriter(one)))
    for (const [, name = ''] of readFileSync(join(root, file), 'utf8').matchAll(
      /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm,
    ))
      owners.set(name, [...(owners.get(name) ?? []), file]);
  expect([...owners].filter(([, of]) => of.length > 1)).toEqual([]);
});

test('what the scripts and benchmarks take from src exists', async () => {
  const around = resolve(root, '..');
  const scripts = ['scripts', 'bench', 'test/support'].flatMap((folder) =>
    readdirSync(join(around, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]js$/.test(name))
      .map((name) => join(folder, name)),
  );
  const taken = scripts.flatMap((script) =>
    [
      ...readFileSync(join(around, script), 'utf8').matchAll(
        /\{([^{}]*)\} = (?:await )?(?:load|import|require)\('[./]*((?:src|test)\/[^']+)'\)/g,
      ),
    ].flatMap(([, names = '', file = '']) => names.split(',').map((name) => ({ script, file, name: name.trim() }))),
  );
  expect(taken.length).toBeGreaterThan(5);
  for (const { script, file, name } of taken)
    expect([script, name, name in (await import(join(around, file)))]).toEqual([script, name, true]);
});

test('a heavy or external package has one importer', () => {
  for (const [name, file] of Object.entries(singleImporters))
    expect(imports.filter(({ to }) => to === name).map(({ from }) => from)).toEqual([file]);
});

test('only the embedded door and the commands of the service import the service, the latter lazily', () => {
  const reach = imports.filter(({ from, to }) => to.startsWith('service/') && !from.startsWith('service/'));
  const isDoor = ({ from, how }: Import) =>
    from === 'invocation/embedded.ts' || (from.startsWith('commands/service/') && how === 'lazy');
  expect(reach.filter((one) => !isDoor(one))).toEqual([]);
  const doors = imports.filter(({ to }) => to === 'invocation/embedded.ts');
  expect(doors.filter(({ how }) => how === 'value')).toEqual([]);
});

test('the help pages, and the code that makes them, are imported lazily', () => {
  const isOfHelp = (file: string) => /^(describe\/|commands\/help\/|cli\/help-pages\.ts|start\.ts)/.test(file);
  const reach = imports.filter(({ from, to, how }) => isOfHelp(to) && !isOfHelp(from) && how === 'value');
  expect(reach).toEqual([]);
});

test('the MCP tools are loaded lazily, and only by their command', () => {
  const reach = imports.filter(({ from, to }) => to.startsWith('mcp/') && !from.startsWith('mcp/'));
  expect(reach.filter(({ how }) => how !== 'type').map(({ from, to, how }) => [from, to, how])).toEqual([
    ['cli/local-code.ts', 'mcp/server.ts', 'lazy'],
  ]);
});

const circleIn = (places: readonly string[], placeOf: (file: string) => string): readonly string[] => {
  const edges = new Map(
    places.map((place) => [
      place,
      new Set(imports.filter(({ from }) => placeOf(from) === place).map(({ to }) => placeOf(to))),
    ]),
  );
  const done = new Set<string>();
  const walk = (place: string, path: readonly string[]): readonly string[] => {
    if (path.includes(place)) return [...path.slice(path.indexOf(place)), place];
    if (done.has(place)) return [];
    for (const to of edges.get(place) ?? []) {
      const circle = to === place ? [] : walk(to, [...path, place]);
      if (circle.length > 0) return circle;
    }
    done.add(place);
    return [];
  };
  return places.map((place) => walk(place, [])).find((circle) => circle.length > 0) ?? [];
};

test('no circle of files, whether they import a value, a type, or on first use', () => {
  expect(circleIn(files, (file) => file)).toEqual([]);
});

test('no circle of rooms either', () => {
  const roomOf = (file: string) => file.split('/')[0] ?? file;
  expect(circleIn([...new Set(files.map(roomOf))], roomOf)).toEqual([]);
});

test('no file has more than 300 lines', () => {
  const all = ['src', 'test', 'scripts', 'bin'].flatMap((folder) =>
    readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|mjs|cjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  const long = all.filter((file) => readFileSync(join(root, '..', file), 'utf8').split('\n').length > 301);
  expect(long).toEqual([]);
});

interface Function {
  readonly name: string;
  readonly parameters: number;
  readonly lines: number;
}

interface Node {
  readonly type?: string;
  readonly start?: number;
  readonly end?: number;
  readonly id?: { readonly name?: string } | null;
  readonly params?: readonly unknown[];
}

function functionsIn(file: string): readonly Function[] {
  const code = readFileSync(join(root, file), 'utf8');
  const found: Function[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(look);
      return;
    }
    const { type, start = 0, end = 0, id, params } = node as Node;
    if (/Function/.test(type ?? '') && params) {
      const lines = code.slice(start, end).split('\n').length;
      found.push({ name: `${file} ${id?.name ?? ''}`.trim(), parameters: params.length, lines });
    }
    Object.values(node).forEach(look);
  };
  look(parseAst(code, { lang: 'ts' }).body);
  return found;
}

test('no function has more than four parameters, and each long function has a reason', () => {
  const functions = files.filter((file) => !file.endsWith('.d.ts')).flatMap(functionsIn);
  expect(functions.length).toBeGreaterThan(1500);
  expect(functions.filter(({ parameters }) => parameters > 4)).toEqual([]);
  const long = functions.filter(({ lines }) => lines > 60).map(({ name }) => name);
  expect(long.sort()).toEqual(Object.keys(longFunctions).sort());
});

test('each file starts with a sentence that says what it contains', () => {
  const silent = files.filter((file) => !/^\/\*\*\s*(\n \* )?[A-Z`].*/.test(readFileSync(join(root, file), 'utf8')));
  expect(silent).toEqual([]);
});

test('only the entry points use the process, the clock and randomness', () => {
  const touches = /\bprocess\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bconsole\./;
  const code = (file: string) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map((line) => line.replace(/'[^']*'|`[^`]*`/g, ''))
      .join('\n');
  const mayTouch = (file: string) =>
    ['load.ts', 'start.ts', 'main.ts', 'service/database/thread.ts'].includes(file) || file.startsWith('system/');
  expect(files.filter((file) => !mayTouch(file) && touches.test(code(file)))).toEqual([]);
});

test('no date comes from the clock for waits, which does not start at a known time', () => {
  // The embedded service has one clock, which gives dates.
  const ours = files.filter((file) => !file.startsWith('service/'));
  const mixed = /\b(new Date|uuid7)\([^)]*\bclock\b/;
  expect(ours.filter((file) => mixed.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});
