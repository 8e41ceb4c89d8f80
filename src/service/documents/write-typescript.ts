/** Writes a call in TypeScript with fetch, or with `node:http` if fetch refuses the call. */
import type { SampleBody } from './sample-body.ts';
import type { SampleCall } from './sample-call.ts';
import { escapeUnits, quoteWith, type Text, type Values, writeValue } from './sample-text.ts';
import { headersBesideForm, indent, joinLines, joinUrl, type Strings, type Write } from './writer.ts';

export const quote = quoteWith(escapeUnits);

export const isName = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

/** In an object literal, `__proto__` without brackets is not a field but sets the prototype. */
const key = (text: string): string => {
  if (text === '__proto__') return '["__proto__"]';
  return isName(text) ? text : quote(text);
};

export const valueSyntax: Values = {
  scalar: (value) => (typeof value === 'string' ? quote(value) : String(JSON.stringify(value))),
  key,
  step: '  ',
  pad: ' ',
};

const strings: Strings = {
  quote,
  variable: (name) => `process.env.${name}`,
  encoded: (name) => `encodeURIComponent(process.env.${name} ?? "")`,
};

/** Writes a template literal, such as `Bearer ${process.env.API_TOKEN}` in backticks. */
function templateText(text: Text): string {
  if (text.every((piece) => typeof piece === 'string')) return quote(text.join(''));
  const inner = text.map((piece) =>
    typeof piece === 'string'
      ? quote(piece)
          .slice(1, -1)
          .replace(/`|\$(?=\{|$)/g, '\\$&')
      : `\${process.env.${piece.variable}}`,
  );
  return `\`${inner.join('')}\``;
}

const file = (name: string): string => `await readFile(${quote(name)})`;

function bodyValue(body: SampleBody): string {
  if ('json' in body) return `JSON.stringify(${writeValue(body.json, valueSyntax)})`;
  if ('form' in body) return `new URLSearchParams(${writeValue(body.form, valueSyntax)})`;
  if ('parts' in body) return 'form';
  return 'file' in body ? file(body.file) : quote(body.text);
}

const formLines = (body: SampleBody): readonly string[] =>
  'parts' in body
    ? [
        'const form = new FormData();',
        ...body.parts.map(({ name, value, isFile }) =>
          isFile
            ? `form.append(${quote(name)}, new Blob([${file(value)}]), ${quote(value)});`
            : `form.append(${quote(name)}, ${quote(value)});`,
        ),
        '',
      ]
    : [];

const readsFile = (body: SampleBody): boolean =>
  'file' in body || ('parts' in body && body.parts.some(({ isFile }) => isFile));

function headerLines(call: SampleCall): readonly string[] {
  const all = headersBesideForm(call).map(([name, value]) => `    ${key(name)}: ${templateText(value)},`);
  const pair = call.basic?.map((name) => `process.env.${name}`).join(' + ":" + ');
  const basic = pair === undefined ? [] : [`    Authorization: "Basic " + Buffer.from(${pair}).toString("base64"),`];
  // Unlike fetch, `request` does not set the content length of these calls.
  const size = call.body && isRefused(call) ? ['    "Content-Length": Buffer.byteLength(body),'] : [];
  const own = [...all, ...basic, ...size];
  return own.length > 0 ? ['  headers: {', ...own, '  },'] : [];
}

/** Whether fetch refuses the call, which is a GET with a body or a TRACE. */
const isRefused = ({ method, body }: SampleCall): boolean => method === 'TRACE' || (method === 'GET' && !!body);

function byRequest(call: SampleCall, options: readonly string[]): string {
  const { body, url } = call;
  const value = body && `${bodyValue(body)}${'form' in body ? '.toString()' : ''}`;
  return joinLines(
    body && readsFile(body) && 'import { readFile } from "node:fs/promises";',
    `import { request } from "node:${url.startsWith('https:') ? 'https' : 'http'}";`,
    '',
    value && `const body = ${value};`,
    `const call = request(${joinUrl(call, strings)}, {`,
    options,
    '}, (response) => {',
    '  console.log(response.statusCode);',
    '  response.pipe(process.stdout);',
    '});',
    `call.end(${value ? 'body' : ''});`,
  );
}

export const typescript: Write = (call) => {
  const { method, body } = call;
  const options = [`  method: ${quote(method)},`, ...headerLines(call)];
  if (isRefused(call)) return byRequest(call, options);
  return joinLines(
    body && readsFile(body) && ['import { readFile } from "node:fs/promises";', ''],
    body && formLines(body),
    `const response = await fetch(${joinUrl(call, strings)}, {`,
    options,
    body && `${indent(`body: ${bodyValue(body)}`, '  ')},`,
    '});',
    'if (!response.ok) throw new Error("HTTP " + response.status);',
    'console.log(await response.text());',
  );
};
