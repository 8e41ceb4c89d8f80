/**
 * Code samples in TypeScript have the right types. With the names of a package and a class, those in TypeScript and
 * Python call a different method for each operation, with the inputs that the document describes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { snippetsOf } from '../../src/service/documents/snippets.ts';
import { expectedArguments, fileContent } from '../support/expected-request.ts';
import { githubOperations } from '../support/github-document.ts';
import { secrets } from '../support/hard-operations.ts';
import { python } from '../support/sample-runs.ts';

const { document, all } = githubOperations('https://samples.example');
const names = { packageName: 'octokit', className: 'Octokit' };
const folder = mkdtempSync(join(tmpdir(), 'dtp-sdk-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const samplesIn = (language: string, more: object = {}): readonly string[] =>
  snippetsOf(document, { languages: [language], ...more }).map(({ code }) => code);

/** Records calls of any method. A file is its name. */
const javascriptSdk = `
import { writeFileSync } from 'node:fs';
const calls = [];
process.on('exit', () => writeFileSync('calls.json', JSON.stringify(calls)));
const named = (value) => (value instanceof Blob ? { file: value.size } : value);
const methods = (options, path) =>
  new Proxy(() => {}, {
    get: (_, name) => methods(options, [...path, name]),
    apply: (_, __, [input]) => {
      const fields = Object.entries(input ?? {}).map(([name, value]) => [name, named(value)]);
      calls.push({ path, options, input: Object.fromEntries(fields) });
    },
  });
export class Octokit {
  constructor(options = {}) { return methods(options, []); }
}
`;

const pythonSdk = `
import atexit, io, json
calls = []
def save():
    with open("calls.json", "w") as file:
        json.dump(calls, file)
atexit.register(save)
def named(value):
    return {"file": len(value.read())} if isinstance(value, io.IOBase) else value
class Methods:
    def __init__(self, options, path):
        self.__dict__.update(_options=options, _path=path)
    def __getattr__(self, name):
        return Methods(self._options, self._path + [name])
    def __call__(self, **input):
        calls.append({"path": self._path, "options": self._options, "input": {k: named(v) for k, v in input.items()}})
class Octokit(Methods):
    def __init__(self, **options):
        super().__init__(options, [])
`;

const declaration = `type Method = (input?: object) => Promise<unknown>;
export class Octokit {
  constructor(options?: Record<string, string>);
  [resource: string]: Record<string, Method>;
}
`;

function prepare(): void {
  const root = resolve(import.meta.dirname, '../../node_modules');
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, 'octokit'), { recursive: true });
  for (const name of ['@types', 'undici-types']) symlinkSync(join(root, name), join(modules, name));
  const manifest = {
    name: 'octokit',
    type: 'module',
    exports: { types: './index.d.ts', default: './index.js' },
  };
  writeFileSync(join(modules, 'octokit/package.json'), JSON.stringify(manifest));
  writeFileSync(join(modules, 'octokit/index.js'), javascriptSdk);
  writeFileSync(join(modules, 'octokit/index.d.ts'), declaration);
  writeFileSync(join(folder, 'octokit.py'), pythonSdk);
  writeFileSync(join(folder, 'FILE'), fileContent);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
}
prepare();

interface Call {
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, string>>;
  readonly input: Readonly<Record<string, unknown>>;
}

function run(program: string, file: string): readonly Call[] {
  const env = { PATH: process.env.PATH, ...secrets };
  const options = { cwd: folder, encoding: 'utf8', env, maxBuffer: 2 ** 28 } as const;
  expect(spawnSync(program, [file], options)).toMatchObject({ status: 0, stderr: '' });
  return JSON.parse(readFileSync(join(folder, 'calls.json'), 'utf8'));
}

const isFromGithub = ({ path }: { path: string }): boolean => !path.startsWith('/hard/');

const snake = (name: string): string => name.replace(/[^\w]+/g, '_').toLowerCase();

test('all samples in TypeScript have the right types', () => {
  // Without an import, a file would share its variables with others.
  for (const [kind, samples] of Object.entries({
    http: samplesIn('typescript'),
    sdk: samplesIn('typescript', names),
  }))
    for (const [index, code] of samples.entries())
      writeFileSync(join(folder, `${kind}${index}.ts`), `${code}\nexport {};\n`);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'NodeNext',
    types: ['node'],
  };
  const config = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc');
  const { stdout } = spawnSync(tsc, ['-p', folder], { encoding: 'utf8', env: { PATH: process.env.PATH } });
  expect(stdout.slice(0, 5000)).toBe('');
});

test('in TypeScript, each operation is a method with the inputs of the document', () => {
  const samples = samplesIn('typescript', names);
  for (const [index, code] of samples.entries())
    writeFileSync(join(folder, `s${index}.mjs`), code.replaceAll('console.log(result)', ''));
  const imports = samples.map((_, index) => `await import('./s${index}.mjs');`);
  writeFileSync(join(folder, 'all.mjs'), imports.join('\n'));
  const calls = run(process.execPath, 'all.mjs');
  expect(calls).toHaveLength(all.length);
  expect(new Set(calls.map(({ path }) => path.join('.'))).size).toBe(all.length);
  for (const [index, operation] of all.entries())
    if (isFromGithub(operation))
      expect([operation.id, calls[index]?.input]).toEqual([operation.id, expectedArguments(operation)]);
  expect(calls[all.findIndex(({ id }) => id === 'issues/create')]?.path).toEqual(['issues', 'create']);
  const listGlobal = all.findIndex(({ id }) => id === 'security-advisories/list-global-advisories');
  expect(calls[listGlobal]?.path).toEqual(['securityAdvisories', 'listGlobalAdvisories']);
  const secured = (path: string) => calls[all.findIndex((one) => one.path === path)]?.options;
  expect(secured('/hard/security0')).toEqual({ hard: secrets.HARD_TOKEN });
  expect(secured('/hard/security1')).toEqual({
    username: secrets.LOGIN_USERNAME,
    password: secrets.LOGIN_PASSWORD,
  });
  expect(secured('/hard/security6')).toEqual({});
});

if (!python) process.stderr.write('skipped: SDK samples in Python do not run, because Python is not installed\n');

test.skipIf(!python)('in Python, each operation is a method with the inputs of the document', () => {
  const samples = samplesIn('python', names).map((code) => code.replaceAll('print(result)', ''));
  writeFileSync(join(folder, 'all.json'), JSON.stringify(samples));
  const program =
    'import json\nfor code in json.load(open("all.json")):\n    exec(compile(code.encode(), "s", "exec"), {})\n';
  writeFileSync(join(folder, 'all.py'), program);
  const calls = run(python ?? '', 'all.py');
  expect(calls).toHaveLength(all.length);
  expect(new Set(calls.map(({ path }) => path.join('.'))).size).toBe(all.length);
  for (const [index, operation] of all.entries())
    if (isFromGithub(operation)) {
      const wanted = Object.entries(expectedArguments(operation)).map(([name, value]) => [snake(name), value]);
      const actual = Object.entries(calls[index]?.input ?? {}).map(([name, value]) => [name.replace(/_$/, ''), value]);
      expect([operation.id, actual]).toEqual([operation.id, wanted]);
    }
  expect(calls[all.findIndex(({ id }) => id === 'issues/create')]?.path).toEqual(['issues', 'create']);
});
