/** The embedded service's code samples: all kinds of bodies, and parameters in all styles. */
import { expect, test } from 'vitest';
import { codeLanguages } from '../../../src/operations/records.ts';
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

/** The lines that show how each language sends a form, parts and a file. */
const bodies: Readonly<Record<string, readonly (readonly [object, readonly string[]])[]>> = {
  typescript: [
    [form, [String.raw`body: new URLSearchParams([["q", "it's \"so\" & \\so"], ["ids", "a"], ["ids", "b"]]),`]],
    [
      parts,
      [
        'const form = new FormData();',
        'form.append("file", new Blob([await readFile("FILE")]), "FILE");',
        String.raw`form.append("note", "@it's \"so\" #{1} \\(2)");`,
        '  body: form,',
      ],
    ],
    [bytes, ['import { readFile } from "node:fs/promises";', '  body: await readFile("FILE"),']],
  ],
  go: [
    [form, ['body := strings.NewReader("q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b")']],
    [
      parts,
      [
        'part0, err := form.CreateFormFile("file", "FILE")',
        String.raw`if err := form.WriteField("note", "@it's \"so\" #{1} \\(2)"); err != nil {`,
        'request.Header.Set("Content-Type", form.FormDataContentType())',
      ],
    ],
    [bytes, ['content, err := os.ReadFile("FILE")', 'body := bytes.NewReader(content)']],
  ],
  java: [
    [form, ['BodyPublishers.ofString("q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b")']],
    [
      parts,
      [
        'body.write(Files.readAllBytes(Path.of("FILE")));',
        String.raw`name=\"note\"\r\n\r\n@it's \"so\" #{1} \\(2)\r\n--snippet-boundary--\r\n"`,
        '"multipart/form-data; boundary=snippet-boundary"',
      ],
    ],
    [bytes, ['BodyPublishers.ofFile(Path.of("FILE"))']],
  ],
  csharp: [
    [form, ['new StringContent("q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b")']],
    [
      parts,
      [
        'form.Add(new StreamContent(File.OpenRead("FILE")), "file", "FILE");',
        String.raw`form.Add(new StringContent("@it's \"so\" #{1} \\(2)"), "note");`,
      ],
    ],
    [bytes, ['request.Content = new StreamContent(File.OpenRead("FILE"));']],
  ],
  ruby: [
    [form, ['request.body = "q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b"']],
    [
      parts,
      [
        String.raw`request.set_form([["file", File.open("FILE")], ["note", "@it's \"so\" \#{1} \\(2)"]], "multipart/form-data")`,
      ],
    ],
    [bytes, ['request.body = File.binread("FILE")']],
  ],
  swift: [
    [form, ['request.httpBody = Data("q=it%27s+%22so%22+%26+%5Cso&ids=a&ids=b".utf8)']],
    [
      parts,
      [
        'body.append(try Data(contentsOf: URL(fileURLWithPath: "FILE")))',
        String.raw`name=\"note\"\r\n\r\n@it's \"so\" #{1} \\(2)\r\n--snippet-boundary--\r\n".utf8))`,
        '"multipart/form-data; boundary=snippet-boundary"',
      ],
    ],
    [bytes, ['request.httpBody = try Data(contentsOf: URL(fileURLWithPath: "FILE"))']],
  ],
};

test.each(Object.keys(bodies))('%s sends forms and files', (language) => {
  for (const [operation, lines] of bodies[language] ?? [])
    for (const line of lines) expect(codeOf(language, operation)).toContain(line);
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
  expect(codeOf('curl', taking('text/plain', { type: 'string', example: '@a' }))).toContain(`--data-raw '@a'`);
});

test('Python sends forms and files', () => {
  expect(codeOf('python', form)).toContain(String.raw`data=[["q", "it's \"so\" & \\so"], ["ids", "a"], ["ids", "b"]],`);
  const multipart = codeOf('python', parts);
  expect(multipart).toContain('files=[("file", open("FILE", "rb")), ("note", (None, "@it');
  expect(multipart).not.toContain('Content-Type');
  expect(codeOf('python', bytes)).toContain('data=open("FILE", "rb"),');
});

test('a field named body is JSON once', () => {
  const operation = taking('application/json', { example: { body: 'a "b"\n\\c' } });
  const once = String.raw`{"body":"a \"b\"\n\\c"}`;
  const twice = String.raw`"{\"body\":\"a \\\"b\\\"\\n\\\\c\"}"`;
  const quoted: Readonly<Record<string, string>> = {
    // Every shell, fish too, reads two backslashes outside of the quotes in the same way.
    curl: `--data '${once.replace(String.raw`\\c`, String.raw`'\\''\\'c`)}'`,
    typescript: String.raw`body: JSON.stringify({ body: "a \"b\"\n\\c" }),`,
    python: String.raw`json={"body": "a \"b\"\n\\c"},`,
    go: `strings.NewReader(${twice})`,
    java: `BodyPublishers.ofString(${twice})`,
    csharp: `new StringContent(${twice})`,
    ruby: `request.body = ${twice}`,
    swift: `Data(${twice}.utf8)`,
  };
  for (const language of codeLanguages) expect(codeOf(language, operation)).toContain(quoted[language]);
});

test('credentials come from variables that are named after the security scheme', () => {
  const schemes = {
    githubToken: { type: 'http', scheme: 'bearer' },
    acme_auth: { type: 'oauth2' },
    path: { type: 'apiKey', in: 'header', name: 'X-Key' },
    '2key': { type: 'apiKey', in: 'query', name: 'k' },
    Ünï: { type: 'http', scheme: 'basic' },
    signed: { type: 'http', scheme: 'hmac' },
    tls: { type: 'mutualTLS' },
    undefinedScheme: undefined,
  };
  const texts = {
    githubToken: 'Authorization: Bearer $GITHUB_TOKEN"',
    acme_auth: 'Authorization: Bearer $ACME_AUTH_TOKEN"',
    path: 'X-Key: $PATH_KEY"',
    '2key': '--url-query "k=$API_2KEY_KEY"',
    Ünï: '--user "$UNI_USERNAME:$UNI_PASSWORD"',
    signed: 'Authorization: Hmac $SIGNED_TOKEN"',
    tls: "--url 'https://api.example.com/a'",
    undefinedScheme: 'Authorization: Bearer $UNDEFINED_SCHEME_TOKEN"',
  };
  for (const [name, text] of Object.entries(texts)) {
    const more = { security: [{ [name]: [] }], components: { securitySchemes: schemes } };
    expect(codeOf('curl', {}, more)).toContain(text);
  }
});

test('examples are what a request may have', () => {
  const schema = {
    type: 'object',
    required: ['id', 'name'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      mail: { type: 'string' },
    },
    anyOf: [{ required: ['mail'] }, { required: ['name'] }],
  };
  expect(codeOf('curl', taking('application/json', schema))).toContain(`--data '{"name":"string","mail":"string"}'`);
  const content = { 'application/json': { example: null, schema } };
  expect(codeOf('curl', { requestBody: { content } })).toContain(`--data 'null'`);
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
  [{ ...ids, style: 'pipeDelimited', explode: false }, 'ids=a%20b%7Cc'],
  [{ ...ids, schema: undefined, type: 'array', example: ['a', 'b'] }, 'ids=a,b'],
  [{ ...ids, schema: undefined, type: 'array', example: ['a', 'b'], collectionFormat: 'multi' }, 'ids=a&ids=b'],
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
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'cookie', name: 'token' } } },
  };
  for (const language of codeLanguages) {
    const code = codeOf(language, { parameters: [cookie('sid'), cookie('lang')] }, more);
    expect(code).toMatch(/sid=string; lang=string; token=.*API_KEY/);
    expect(code.match(/cookie/gi)).toHaveLength(1);
  }
});
