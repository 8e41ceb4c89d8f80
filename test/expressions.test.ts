/** Every regular expression in `src` runs in linear time: the analysis proves it, or a reason is given here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../src');

/** Expressions that the analysis cannot prove linear, and the reason why they are not slow. */
const reasons: Readonly<Record<string, string>> = {
  "prompt/screen.ts new RegExp(`${String.fromCharCode(27)}\\\\[[\\\\d;]*m`, 'g')":
    'starts with a mark, and each digit can match in one way only',
  'output/done.ts /(?:(-\\S+) )?(\\S*\\{\\S+)|\\S+/g': 'a command that this file contains',
  'render/amounts.ts /\\B(?=(\\d{3})+$)/g': 'a number that this program formats',
  'invocation/connect.ts /\\/+$/': 'the base URL, which the user sets',
  'suggest/command-line.ts /([\\w-]+)["\']?\\s*[:=]/g': 'a word of the command line',
  "commands/api.ts /^([\\w!#$%&'*+.^`|~-]+):\\s*(.*?)\\s*$/s": 'a header on the command line',
  "files/ignored.ts new RegExp(range, 'su')": 'a set, applied to one character',
  "mcp/tools.ts new RegExp(`^${parts.join('.*')}$`)": 'a pattern on the command line, applied to tool names',
  'documents/pointer.ts /^([^#?]*)[^#]*(?:#(.*))?$/s': 'matches every string, so it never backtracks',
  'json-object.ts new RegExp(`"${mark}(-?\\\\d+)"`, \'g\')': 'starts with a mark that the digits cannot contain',
  'request/redact.ts /=+$/': 'the base64 of a credential, which ends with at most two',
  'service/documents/sample-body.ts new RegExp(`^${FORM}`)': 'a fixed string with an anchor',
  'service/documents/sample-body.ts new RegExp(`^${MULTIPART}`)': 'a fixed string with an anchor',
  'service/documents/source.ts /[^/]*$/': 'the URL of a server, in a process with a time limit',
  'service/documents/overlay.ts /[.:\\s]+$/': 'a string of the document, in a process with a time limit',
  'service/documents/sample-parameters.ts /^ +| +$/g': 'a string of the document, in a process with a time limit',
  "service/documents/write-go.ts new RegExp(STRING, 'g')": 'code that this program writes',
  "service/documents/write-go.ts new RegExp(`${STRING.source}|\\\\n(?=.)`, 'g')": 'code that this program writes',
  "service/documents/write-go.ts new RegExp(`\\\\b${name.split('/').at(-1)}\\\\.`)": 'code that this program writes',
  "service/documents/write-java.ts new RegExp(`.{1,${CHUNK}}`, 'gsu')": 'matches every string, so it never backtracks',
  "service/documents/write-java.ts new RegExp(`\\\\b${name.split('.').at(-1)}\\\\b`)": 'code that this program writes',
};

interface Expression {
  readonly name: string;
  readonly pattern?: string;
  readonly flags?: string;
}

function expressionsIn(file: string): readonly Expression[] {
  const code = readFileSync(join(root, file), 'utf8');
  const found: Expression[] = [];
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(look);
      return;
    }
    const { regex, type, callee, start, end } = node as Node;
    if (type === 'Literal' && regex) found.push({ name: `${file} /${regex.pattern}/${regex.flags}`, ...regex });
    if (type === 'NewExpression' && callee?.name === 'RegExp')
      found.push({ name: `${file} ${code.slice(start, end)}` });
    Object.values(node).forEach(look);
  };
  look(parseAst(code, { lang: 'ts' }).body);
  return found;
}

interface Node {
  readonly type?: string;
  readonly regex?: { readonly pattern: string; readonly flags: string };
  readonly callee?: { readonly name?: string };
  readonly start?: number;
  readonly end?: number;
}

const all = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'))
  .sort()
  .flatMap(expressionsIn);

/** The analysis does not see expressions that are built at run time. */
function isCleared({ pattern, flags = '' }: Expression): boolean {
  if (pattern === undefined) return false;
  return analyse({ source: pattern, flags }, { assumeRejectingSuffix: false }).reports.length === 0;
}

test('each is linear, or has a reason', () => {
  expect(all.length).toBeGreaterThan(300);
  const slow = all.filter((one) => !isCleared(one)).map(({ name }) => name);
  expect([...new Set(slow)].sort()).toEqual(Object.keys(reasons).sort());
});

test.each([
  ['(a+)+$', ''],
  ['x*y', ''],
  ['[?&]([^=&#]+)=', 'g'],
  ['[\\r\\n]+$', ''],
  ['^(\\s*):(?=:)', 'gm'],
])('the analysis finds that /%s/%s is slow', (pattern, flags) => {
  expect(isCleared({ name: '', pattern, flags })).toBe(false);
});
