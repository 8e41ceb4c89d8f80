/** Operations that are hard to write as code, each with the request that its samples must send. */
import { type ExpectedBody, type ExpectedRequest, fileContent } from './expected-request.ts';

interface HardOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Readonly<Record<string, unknown>>;
  readonly expected: ExpectedRequest;
}

/** Strings that mean something to some language, shell or format. */
export const strings: Readonly<Record<string, string>> = {
  quotes: `it's "so" \`x\` """ ''' \\" \\'`,
  backslashes: 'C:\\new\\table \\u0041 \\b \\ \\\\',
  breaks: 'a\nb\r\nc\rd\te\n',
  controls: 'a\u0000b\u0001\b\f\v\u001b[31m\u007f\u0085\u009b',
  dollars: '$HOME $\u007bHOME} $(id) `id` !! %s %d %% $',
  interpolation: '#{1+1} #$0 #@x \\(1) {0} {{x}} %{x} <%= 1 %> $\u007b1}',
  unicode: 'é ß 中文 😀 👩‍👩‍👧 \u202e \u2028 \u2029 \ufeff \u00a0 \u{e0041} \ufffe',
  ends: 'JSON\nEOF\n"""#\n*/ // --> </script> #"',
  at: '@file',
  dash: '-d {"a": [1]}',
  empty: '',
};

/** What the variables of the credentials contain. */
export const secrets: Readonly<Record<string, string>> = {
  HARD_TOKEN: 'h4rd-t0ken',
  QUERY_KEY: 's3cr&t+/=x',
  COOKIE_KEY: 'c00kie',
  HEADER_KEY: 'h3ader',
  LOGIN_USERNAME: 'ann',
  LOGIN_PASSWORD: 'pa:ss $word"',
};

export const securitySchemes = {
  hard: { type: 'http', scheme: 'bearer' },
  queryKey: { type: 'apiKey', in: 'query', name: 'k&ey' },
  cookieKey: { type: 'apiKey', in: 'cookie', name: 'token' },
  headerKey: { type: 'apiKey', in: 'header', name: 'X-Key' },
  login: { type: 'http', scheme: 'basic' },
};

const encoded = (text: string) => encodeURIComponent(text).replaceAll("'", '%27');

const form = 'application/x-www-form-urlencoded';

const content = (type: string, example: unknown, schema: object = {}) => ({
  requestBody: { content: { [type]: { example, schema } } },
});

const sending = (name: string, type: string, operation: object, body: ExpectedBody): HardOperation => ({
  method: 'post',
  path: `/hard/${name}`,
  operation: { ...operation },
  expected: { method: 'POST', path: `/hard/${name}`, headers: { 'content-type': type }, body },
});

/** Each string in each place. */
function stringOperations([name, text]: readonly [string, string]): readonly HardOperation[] {
  const object = { body: text, [text]: text, list: [text, { text }], __proto: { body: null } };
  const parameter = (place: string) => ({
    parameters: [{ in: place, name: 'q', required: true, schema: { type: 'string' }, example: text }],
  });
  const get = (place: string, path: string, operation: object, expected: object = {}): HardOperation => ({
    method: 'get',
    path: `/hard/${name}/${place}${place === 'path' ? '/{q}' : ''}`,
    operation: { ...operation },
    expected: { method: 'GET', path: `/hard/${name}/${path}`, headers: {}, ...expected },
  });
  const visible = text.replace(/[^ -~]/gu, encodeURIComponent);
  const json = 'application/json';
  return [
    sending(`${name}/json`, json, content(json, object), { json: object }),
    sending(`${name}/one`, json, content(json, text), { json: text }),
    sending(`${name}/form`, form, content(form, { q: text, [`n${text}`]: 'v' }), {
      pairs: [
        ['q', text],
        [`n${text}`, 'v'],
      ],
    }),
    sending(`${name}/text`, 'text/plain', content('text/plain', text, { type: 'string' }), {
      bytes: Buffer.from(text),
    }),
    sending(`${name}/parts`, 'multipart/form-data', content('multipart/form-data', { note: text, more: 'x' }), {
      parts: [
        ['note', text],
        ['more', 'x'],
      ],
    }),
    ...(text === '' ? [] : [get('path', `path/${encoded(text)}`, parameter('path'))]),
    get('query', `query?q=${encoded(text)}`, parameter('query')),
    get('header', 'header', parameter('header'), { headers: { q: visible } }),
    get('cookie', 'cookie', parameter('cookie'), {
      headers: { cookie: `q=${text.replace(/[^!-~]|[",;\\]/gu, encodeURIComponent)}` },
    }),
  ];
}

const value = (example: unknown, more: object = {}) => ({ name: 'p', required: true, example, ...more });
const list = ['a b', 'c&d'];
const object = { a: '1', b: 'x y' };
const id = { in: 'path', name: 'p', required: true };

/** Parameters, and what they are in the path and the query. */
const styles: readonly (readonly [parameter: object, wire: string])[] = [
  [value(list, { in: 'query' }), '?p=a%20b&p=c%26d'],
  [value(list, { in: 'query', explode: false }), '?p=a%20b,c%26d'],
  [value(list, { in: 'query', style: 'spaceDelimited', explode: false }), '?p=a%20b%20c%26d'],
  [value(list, { in: 'query', style: 'pipeDelimited', explode: false }), '?p=a%20b%7Cc%26d'],
  [value(object, { in: 'query' }), '?a=1&b=x%20y'],
  [value(object, { in: 'query', explode: false }), '?p=a,1,b,x%20y'],
  [value(object, { in: 'query', style: 'deepObject' }), '?p%5Ba%5D=1&p%5Bb%5D=x%20y'],
  [value({ a: { b: ['c'] } }, { in: 'query', style: 'deepObject' }), '?p%5Ba%5D%5Bb%5D%5B0%5D=c'],
  [value('a/b?c&d', { in: 'query', allowReserved: true }), '?p=a/b?c%26d'],
  [value(true, { in: 'query' }), '?p=true'],
  [
    { in: 'query', name: 'p', required: true, content: { 'application/json': { example: [1, 'a'] } } },
    '?p=%5B1%2C%22a%22%5D',
  ],
  [value(list, id), '/a%20b,c%26d'],
  [value(object, id), '/a,1,b,x%20y'],
  [value(object, { ...id, explode: true }), '/a=1,b=x%20y'],
  [value(list, { ...id, style: 'label' }), '/.a%20b,c%26d'],
  [value(list, { ...id, style: 'label', explode: true }), '/.a%20b.c%26d'],
  [value(list, { ...id, style: 'matrix' }), '/;p=a%20b,c%26d'],
  [value(list, { ...id, style: 'matrix', explode: true }), '/;p=a%20b;p=c%26d'],
  [value(7, { ...id, style: 'matrix' }), '/;p=7'],
];

const parameterOperations = styles.map(([parameter, wire], index): HardOperation => {
  const path = `/hard/style${index}`;
  return {
    method: 'get',
    path: wire.startsWith('/') ? `${path}/{p}` : path,
    operation: { parameters: [parameter] },
    expected: { method: 'GET', path: `${path}${wire}`, headers: {} },
  };
});

const cookies = ['sid', 'lang'].map((name) => ({ in: 'cookie', name, required: true, example: 'x' }));

const headers = [
  { in: 'header', name: 'X-List', required: true, example: ['a', 'b'] },
  { in: 'header', name: 'X-Object', required: true, example: { a: 1 }, explode: true },
  { in: 'header', name: 'X-Empty', required: true, example: '' },
  { in: 'header', name: 'Content-Language', required: true, example: 'en' },
  { in: 'header', name: 'authorization', required: true, example: 'not sent' },
  { in: 'header', name: 'not a name', required: true, example: 'not sent' },
];

const basic = `Basic ${Buffer.from(`${secrets.LOGIN_USERNAME}:${secrets.LOGIN_PASSWORD}`).toString('base64')}`;
const queryKey = `k%26ey=${encodeURIComponent(secrets.QUERY_KEY ?? '')}`;

/** Credentials, and the path and the headers that they lead to. */
const credentials: readonly (readonly [security: object[], path: string, headers: object])[] = [
  [[{ hard: [] }], '', { authorization: `Bearer ${secrets.HARD_TOKEN}` }],
  [[{ login: [] }], '', { authorization: basic }],
  [[{ headerKey: [] }], '', { 'x-key': secrets.HEADER_KEY }],
  [[{ queryKey: [] }], `?${queryKey}`, {}],
  [[{ cookieKey: [] }], '', { cookie: `token=${secrets.COOKIE_KEY}` }],
  [[{}, { queryKey: [], headerKey: [] }], `?${queryKey}`, { 'x-key': secrets.HEADER_KEY }],
  [[], '', {}],
];

const secured = credentials.map(([security, query, own], index): HardOperation => {
  const path = `/hard/security${index}`;
  return {
    method: 'get',
    path,
    operation: { security },
    expected: { method: 'GET', path: path + query, headers: { ...own } as never },
  };
});

const file = { type: 'string', format: 'binary' };

const bodies: readonly HardOperation[] = [
  sending('file', 'application/octet-stream', content('application/octet-stream', undefined, file), {
    bytes: fileContent,
  }),
  sending(
    'upload',
    'multipart/form-data',
    content('multipart/form-data', undefined, {
      type: 'object',
      required: ['file', 'note', 'tags'],
      properties: {
        file,
        note: { type: 'string', example: 'an "é"' },
        tags: { type: 'array', example: ['a', 'b'] },
      },
    }),
    {
      parts: [
        ['file', fileContent],
        ['note', 'an "é"'],
        ['tags', 'a'],
        ['tags', 'b'],
      ],
    },
  ),
  sending(
    'deep',
    form,
    {
      requestBody: {
        content: {
          [form]: {
            example: { a: { b: 'c' }, l: ['x', 'y'] },
            encoding: { a: { style: 'deepObject' }, l: { explode: false } },
          },
        },
      },
    },
    {
      pairs: [
        ['a[b]', 'c'],
        ['l', 'x,y'],
      ],
    },
  ),
  ...[null, true, 0, -1.5e-7, 1e21, [], {}, [[]], { ['__proto__']: 1, constructor: { a: null } }].map((json, index) =>
    sending(`json${index}`, 'application/vnd.acme+json', content('application/vnd.acme+json', json), {
      json,
    }),
  ),
  sending('half', 'application/json', content('application/json', { a: 'x\ud800y' }), {
    json: { a: 'x\ud800y' },
  }),
  sending('long', 'application/json', content('application/json', { a: 'x"é'.repeat(30_000) }), {
    json: { a: 'x"é'.repeat(30_000) },
  }),
];

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].map((method): HardOperation => {
  const hasBody = method !== 'head' && method !== 'trace';
  const path = `/hard/method/${method}`;
  return {
    method,
    path,
    operation: content('application/json', { a: 1 }),
    expected: {
      method: method.toUpperCase(),
      path,
      headers: hasBody ? { 'content-type': 'application/json' } : {},
      ...(hasBody && { body: { json: { a: 1 } } }),
    },
  };
});

const plain = (path: string, wire: string, operation: object, own: object = {}): HardOperation => ({
  method: 'post',
  path,
  operation: { ...operation },
  expected: { method: 'POST', path: wire, headers: { ...own } as never },
});

const odd: readonly HardOperation[] = [
  plain(
    '/hard/cookies',
    '/hard/cookies',
    { parameters: cookies, security: [{ cookieKey: [] }] },
    { cookie: `sid=x; lang=x; token=${secrets.COOKIE_KEY}` },
  ),
  plain(
    '/hard/headers',
    '/hard/headers',
    { parameters: headers },
    {
      'x-list': 'a,b',
      'x-object': 'a=1',
      'x-empty': '',
      'content-language': 'en',
    },
  ),
  plain("/hard/o'dd [x]|$HOME`/%20%zz", "/hard/o'dd%20%5Bx%5D%7C$HOME%60/%20%25zz", {}),
  plain('/hard/#Action=A', '/hard/', {}),
  plain('/hard/?Action=B', '/hard/?Action=B&p=1', { parameters: [value(1, { in: 'query' })] }),
  plain('/hard/id1', '/hard/id1', { operationId: 'a\\u000a} class X { \n import os # coding: utf-7 \u202e' }),
  plain('/hard/id2', '/hard/id2', { operationId: 'coding=none' }),
];

export const hardOperations: readonly HardOperation[] = [
  ...Object.entries(strings).flatMap(stringOperations),
  ...parameterOperations,
  ...secured,
  ...bodies,
  ...methods,
  ...odd,
];
