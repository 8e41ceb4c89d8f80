/** Displayed requests: curl's arguments for a real shell, and no secret in any place. */
import { deepStrictEqual } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { buildRequest } from '../../src/request/build.ts';
import { curlOf } from '../../src/request/curl.ts';
import { maskDeep, maskOf, redactHeaders, redactUrl, redactValue } from '../../src/request/redact.ts';
import { harmless, property, text, word } from '../support/property.ts';
import { rounds, seed } from '../support/random.ts';

/** Fields without secret names: a query, a JSON body, a form, and a header. */
const cases: readonly Operation[] = [
  operations.searchWorkspaceEvents,
  operations.createWorkspace,
  operations.uploadReport,
  operations.suggestOpenAPI,
];
const words = { codehost: undefined, docsite: undefined };

const shownCase = fc.record({
  operation: fc.constantFrom(...cases),
  id: word.map((one) => `w${one.replace(/\p{C}/gu, '')}`),
  texts: fc.array(word, { minLength: 3, maxLength: 3 }),
  header: fc.string({ minLength: 1, maxLength: 12 }).map((one) => `h${one.trim()}`),
});
type ShownCase = typeof shownCase extends fc.Arbitrary<infer T> ? T : never;

/** The command, and the arguments that curl must get, built by hand. */
function curlCase({ operation, id, texts: [one = '', two = '', three = ''], header }: ShownCase) {
  const file = { name: one, size: 0, open: () => (async function* () {})() };
  const inputs: Readonly<Record<string, Record<string, unknown>>> = {
    searchWorkspaceEvents: { workspace_id: id, execution_id: one, limit: 7, success: false },
    createWorkspace: { body: { name: one, [`x${two}_id`]: [three, null, 1.5] } },
    uploadReport: { data: { type: two, list: [three] }, file },
    suggestOpenAPI: { 'x-session-id': header, schema: file },
  };
  const input = inputs[operation.id] ?? {};
  const request = buildRequest(operation, input, { base: 'http://[::1]:4000/api', words }, () => 'b');
  const json = ['-H', 'accept: application/json'];
  const args = ['-H', 'x-api-key: k'];
  const quotes = (path: string) => `"${[...path].map((c) => (c === '"' || c === '\\' ? `\\${c}` : c)).join('')}"`;
  const tails: Readonly<Record<string, readonly string[]>> = {
    searchWorkspaceEvents: [...json, ...args],
    createWorkspace: [
      ...['-H', 'content-type: application/json', ...json, ...args],
      ...['--data-binary', JSON.stringify(input.body)],
    ],
    uploadReport: [
      ...[...json, ...args, '--form-string', `data=${JSON.stringify(input.data)}`],
      ...['-F', `file=@${quotes(one)}`],
    ],
    suggestOpenAPI: [
      ...['-H', 'accept: */*', '-H', `x-session-id: ${header}`, ...args],
      ...['-F', `schema=@${quotes(one)}`],
    ],
  };
  const head = ['-sS', '--fail-with-body', '-X', operation.method, request.url];
  return {
    command: curlOf(operation, input, request, { credential: 'x-api-key' }),
    expected: [...head, ...(tails[operation.id] ?? [])],
  };
}

/** The arguments that curl would get, parsed by a real shell in one run. */
function readByShell(commands: readonly string[]): readonly (readonly string[])[] {
  const script = `curl() { printf '%s\\0' "$#" "$@"; }\n${commands.join('\n')}\n`;
  const { stdout, status, stderr } = spawnSync('sh', [], {
    input: script,
    env: { DTP_API_KEY: 'k' },
    maxBuffer: 2 ** 28,
  });
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' });
  const words = stdout.toString().split('\0').slice(0, -1);
  const all: string[][] = [];
  for (let at = 0; at < words.length; ) {
    const count = Number(words[at]);
    all.push(words.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return all;
}

const COMMANDS = rounds(300, 1000);

test(`a shell reads a curl command as intended, ${COMMANDS} of them (seed ${seed})`, () => {
  const all = fc.sample(shownCase, { seed, numRuns: COMMANDS }).map(curlCase);
  const read = readByShell(all.map(({ command }) => command));
  expect(read.length).toBe(all.length);
  for (const [at, { expected, command }] of all.entries())
    deepStrictEqual(comparable(read[at] ?? []), comparable(expected), command);
});

/** A body is compared as parsed JSON, because hidden characters in it are written as escapes. */
const comparable = (words: readonly string[]) =>
  words.map((one, at) => (words[at - 1] === '--data-binary' ? JSON.parse(one) : one));

/** Visible ASCII without the characters of a mask. */
const secret = fc
  .string({ minLength: 8, maxLength: 40 })
  .map((one) => one.replaceAll('*', '+'))
  .filter((one) => one.trim().length >= 8);

/** The ways in which the secret may be encoded. */
const forms = (one: string) => {
  const bytes = Buffer.from(one);
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replaceAll('=', ''), bytes.toString('hex')];
  const all = [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1), ...encoded];
  return all.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()]);
};
const holds = (shown: string, one: string) =>
  forms(one).filter((form) => shown.toLowerCase().includes(form.toLowerCase()));

const secretName = fc.constantFrom(
  ...['token', 'access_token', 'apiKey', 'X-Amz-Signature', 'sig', 'password', 'client_secret', 'codehost_oidc_token'],
);

property(
  'a known secret is in no displayed string, however it was encoded, and the rest stays',
  [secret, fc.array(harmless, { minLength: 3, maxLength: 3 })],
  (one, [before = '', between = '', after = '']) => {
    const raw = `${before} ${forms(one).join(` ${between} `)} ${after}`;
    const shown = maskOf([one])(raw);
    expect(holds(shown, one)).toEqual([]);
    for (const rest of [before, between, after])
      if (!one.includes(rest) && !rest.includes(one)) expect(shown).toContain(rest);
    const deep = maskDeep({ a: [{ [`k${raw}`]: raw }], b: one }, maskOf([one]));
    expect(holds(JSON.stringify(deep), one)).toEqual([]);
    expect(holds(JSON.parse(JSON.stringify(JSON.stringify(deep))), one)).toEqual([]);
  },
);

property(
  'a value with a secret name is never displayed: URL, headers, body at any depth',
  [secret, secretName, harmless.map((one) => encodeURIComponent(one))],
  (one, name, path) => {
    const encoded = encodeURIComponent(one);
    const address = `https://me:${encoded}@a.test/${path}?page=2&${name}=${encoded}#x`;
    const shown = redactUrl(address);
    expect(holds(shown, one)).toEqual([]);
    expect(shown.startsWith(`https://***@a.test/${path}?page=2&`)).toBe(true);
    const body = {
      page: 2,
      list: [{ [name]: one, [`${name}s`.replace(/s$/, '')]: { deep: [one, 1] } }],
      url: address,
    };
    expect(holds(JSON.stringify(redactValue(body)), one)).toEqual([]);
    const headers = redactHeaders({ authorization: one, 'x-api-key': one, cookie: one, link: address });
    expect(holds(JSON.stringify(headers), one)).toEqual([]);
    expect(holds(JSON.stringify(redactHeaders({ 'x-own': one }, ['x-own'])), one)).toEqual([]);
  },
);

property('a request without secrets is displayed unchanged', [harmless, text, secret], (name, value, one) => {
  const member = `${name}_id`;
  const plain = value.replaceAll(/[?&@]/g, '');
  const body = {
    [member]: plain,
    list: [plain, 1, true, null],
    next_page_token: plain,
    missing_secrets: [plain],
  };
  deepStrictEqual(redactValue(body), body);
  if (holds(JSON.stringify(body) + plain + member, one).length === 0) {
    deepStrictEqual(maskDeep(body, maskOf([one])), body);
    expect(maskOf([one])(plain)).toBe(plain);
  }
  const address = `https://a.test/${encodeURIComponent(plain)}?q=${encodeURIComponent(plain)}&page_token=x`;
  expect(redactUrl(address)).toBe(address);
});
