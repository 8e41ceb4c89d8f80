/** The embedded service's snippets: all kinds of bodies, and parameters in all styles. */
import { expect, test } from 'vitest';
import { languages } from '../../../src/service/documents/languages.ts';
import { snippetsOf } from '../../../src/service/documents/snippets.ts';

function codeOf(language: string, operation: object, more: object = {}): string {
  const document = { openapi: '3.0.0', paths: { '/a': { post: operation } }, ...more };
  return snippetsOf(document, { languages: [language] })[0]?.code ?? '';
}

const taking = (type: string, schema: object) => ({ requestBody: { content: { [type]: { schema } } } });

const form = taking('application/x-www-form-urlencoded', {
  type: 'object',
  properties: {
    q: { type: 'string', example: `it's "so" & \\so` },
    ids: { type: 'array', example: ['a', 'b'] },
  },
});
const parts = taking('multipart/form-data', {
  type: 'object',
  required: ['file', 'note'],
  properties: {
    file: { type: 'string', format: 'binary' },
    note: { type: 'string', example: '@it\'s "so" #{1} \\(2)' },
  },
});
const bytes = taking('application/octet-stream', { type: 'string', format: 'binary' });

const others = languages.filter((language) => language !== 'curl' && language !== 'python');

test.each(others)('%s sends forms and files', (language) => {
  expect(codeOf(language, form)).toContain('q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b');
  const multipart = codeOf(language, parts);
  expect(multipart).toContain('multipart/form-data; boundary=snippet-boundary');
  expect(multipart).toMatch(/name=\\?"file\\?"; filename=\\?"FILE\\?"/);
  expect(multipart).toContain('CONTENTS OF FILE');
  expect(multipart).toContain(String.raw`--snippet-boundary--\r\n`);
  expect(codeOf(language, bytes)).toContain('CONTENTS OF FILE');
  expect(codeOf(language, bytes)).toContain('application/octet-stream');
});

test('curl sends forms and files', () => {
  expect(codeOf('curl', form)).toContain(`--data 'q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b'`);
  expect(codeOf('curl', parts)).toBe(
    [
      '# createA',
      'curl --request POST',
      `--url 'https://api.example.com/a'`,
      `--form 'file=@FILE'`,
      `--form-string 'note=@it'\\''s "so" #{1} \\(2)'`,
    ]
      .join(' \\\n  ')
      .replace('createA \\\n  ', 'createA\n'),
  );
  expect(codeOf('curl', bytes)).toContain(`--data-binary '@FILE'`);
  expect(codeOf('curl', taking('text/plain', { type: 'string', example: '@a' }))).toContain(
    `--data-raw '@a'`,
  );
});

test('Python sends forms and files', () => {
  expect(codeOf('python', form)).toContain(
    `data=[["q", "it's \\"so\\" & \\\\so"], ["ids", "a"], ["ids", "b"]],`,
  );
  const multipart = codeOf('python', parts);
  expect(multipart).toContain('files=[("file", open("FILE", "rb")), ("note", (None, "@it');
  expect(multipart).not.toContain('Content-Type');
  expect(codeOf('python', bytes)).toContain('data=open("FILE", "rb"),');
});

test('strings are escaped for each language', () => {
  const multipart = (language: string) => codeOf(language, parts);
  expect(multipart('typescript')).toContain(String.raw`@it\'s "so" #{1} \\(2)`);
  expect(multipart('ruby')).toContain(String.raw`@it's \"so\" \#{1} \\(2)`);
  for (const language of ['swift', 'go', 'java', 'csharp'])
    expect(multipart(language)).toContain(String.raw`@it's \"so\" #{1} \\(2)`);
});

test('JSON is preferred to a form, and a form to a file', () => {
  const content = (...types: string[]) => ({
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { example: { a: 1 } }])) },
  });
  const all = ['text/plain', 'multipart/form-data', 'application/x-www-form-urlencoded', 'application/json'];
  expect(codeOf('curl', content(...all))).toContain(`--data '{"a":1}'`);
  expect(codeOf('curl', content(...all.slice(0, 3)))).toContain(`--data 'a=1'`);
  expect(codeOf('curl', content(...all.slice(0, 2)))).toContain(`--form-string 'a=1'`);
});

test('a form of Swagger 2.0 has its fields in parameters', () => {
  const field = (name: string, type: string) => ({ in: 'formData', name, type });
  expect(codeOf('curl', { parameters: [field('a', 'string')] })).toContain(`--data 'a=string'`);
  expect(codeOf('curl', { parameters: [field('f', 'file')] })).toContain(`--form 'f=@FILE'`);
});

const ids = { in: 'query', name: 'ids', required: true, schema: { type: 'array', example: ['a b', 'c'] } };
const filter = { in: 'query', name: 'f', required: true, schema: { example: { a: 1, b: 'x' } } };

test.each([
  [ids, 'ids=a%20b&ids=c'],
  [{ ...ids, explode: false }, 'ids=a%20b,c'],
  [{ ...ids, style: 'spaceDelimited' }, 'ids=a%20b%20c'],
  [{ ...ids, style: 'pipeDelimited', explode: false }, 'ids=a%20b|c'],
  [{ ...ids, schema: undefined, type: 'array', example: ['a', 'b'] }, 'ids=a,b'],
  [
    { ...ids, schema: undefined, type: 'array', example: ['a', 'b'], collectionFormat: 'multi' },
    'ids=a&ids=b',
  ],
  [filter, 'a=1&b=x'],
  [{ ...filter, explode: false }, 'f=a,1,b,x'],
  [{ ...filter, style: 'deepObject' }, 'f%5Ba%5D=1&f%5Bb%5D=x'],
  [{ ...filter, schema: undefined, content: { 'application/json': { example: [1] } } }, 'f=%5B1%5D'],
])('the parameter %j is %s', (parameter, query) => {
  expect(codeOf('curl', { parameters: [parameter] })).toContain(`/a?${query}'`);
});

test('required cookies go in one header, with the credential', () => {
  const cookie = (name: string) => ({ in: 'cookie', name, required: true, schema: { type: 'string' } });
  const more = {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'cookie', name: 'token' } } },
  };
  for (const language of languages)
    expect(codeOf(language, { parameters: [cookie('sid'), cookie('lang')] }, more)).toContain(
      'sid=string; lang=string; token=YOUR_API_KEY',
    );
});
