/**
 * Faults on the wire, and how a command must end after each; typed by hand from the documents, never from the
 * tool's behavior.
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { answer, type FaultContext } from './faulty-server.ts';
import { cuts, drips, type Ends, ends, type Fault, fault, floods, resets, sends, stalls } from './wire-fault.ts';

/** The content differs from the declared one: a result that accepts any content accepts this. */
const content = (more: Partial<Ends>): Ends => ({
  ...ends('ok'),
  digest: 'bad_response',
  written: more.json ?? 'ok',
  ...more,
});
const noJson = content({ json: 'bad_response' });
/** There is no record, although an operation that changes something has done so. */
const noRecord = content({ json: 'bad_response', text: 'bad_response', written: 'ok' });
const noText = content({ json: 'bad_response', text: 'bad_response' });

/** Too long for memory, but a file could hold it. Posted events need the end of their answer. */
const tooLong: Ends = { ...noText, bytes: 'usage', digest: 'usage', whole: 'bad_response' };

/** 80 MiB. */
const bomb = gzipSync(Buffer.alloc(80 * 1024 * 1024));

const START = 'HTTP/1.1 200 OK\r\n';
const JSON_TYPE = 'content-type: application/json\r\n';
const CHUNKED = `${START}${JSON_TYPE}transfer-encoding: chunked\r\n\r\n`;
const length = (at: FaultContext, more = 0) => `content-length: ${at.good.byteLength + more}\r\n\r\n`;
const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
const half = (at: FaultContext) => at.good.subarray(0, at.good.byteLength >> 1).toString('latin1');
const good = (at: FaultContext) => at.good.toString('latin1');
const raw = (text: string) => Buffer.from(text, 'latin1');

const connections: readonly Fault[] = [
  fault('refuses the connection', ends('network'), () => undefined, { on: 'nobody' }),
  fault('takes the connection and is silent', ends('timeout'), ({ hush }) => hush(), {
    on: 'connection',
    isEndless: true,
  }),
  fault('closes before a byte', ends('network'), ({ socket }) => socket.end(), { on: 'connection' }),
  fault('resets before a byte', ends('network'), ({ socket }) => socket.resetAndDestroy(), {
    on: 'connection',
  }),
  cuts('closes after the request', ends('network'), () => ''),
  cuts('closes in the status line', ends('network'), () => 'HTTP/1.1 20'),
  cuts('closes in the headers', ends('network'), () => `${START}content-ty`),
  resets('resets after the request', () => '\r\n'),
  resets('resets after the status line', () => START),
  resets('resets in the headers', () => `${START}${JSON_TYPE}content-le`),
  resets('resets in the body', (at) => raw(`${START}${length(at, 99)}${half(at)}`)),
  stalls('stalls after the request', () => '\r\n'),
  stalls('stalls after the status line', () => START),
  stalls('stalls in the headers', () => `${START}content-ty`),
  stalls('stalls in the body', (at) => raw(`${START}${length(at, 99)}${half(at)}`)),
  stalls('stalls in a chunk', () => `${CHUNKED}ff\r\n{`),
  drips('drips a body forever', ends('timeout'), `${START}content-length: 9999\r\n\r\n`, ' '),
  drips('drips headers forever', ends('timeout'), `${START}x: `, 'x'),
];

const lengths: readonly Fault[] = [
  cuts('a length of more than comes', ends('network'), (at) => raw(`${START}${length(at, 9)}${good(at)}`)),
  sends('a length of less than comes', ends('ok'), (at) => raw(`${START}${length(at)}${good(at)}garbage`)),
  sends('trailing bytes like an answer', ends('ok'), (at) =>
    raw(`${START}${length(at)}${good(at)}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n`),
  ),
  sends('a negative length', ends('bad_response'), (at) => `${START}content-length: -5\r\n\r\n${good(at)}`),
  sends('two lengths', ends('bad_response'), (at) => `${START}content-length: 1\r\n${length(at)}${good(at)}`),
  sends('a length that is not a number', ends('bad_response'), () => `${START}content-length: many\r\n\r\n{}`),
  sends('a length beyond counting', ends('bad_response'), () => `${START}content-length: ${'9'.repeat(40)}\r\n\r\n`),
  sends('a length and chunks', ends('bad_response'), (at) =>
    raw(`${START}transfer-encoding: chunked\r\n${length(at)}${chunk('{}')}0\r\n\r\n`),
  ),
  sends('chunks with trailers', ends('ok'), (at) =>
    raw(`${CHUNKED}${at.good.byteLength ? chunk(good(at)) : ''}0\r\nx: y\r\n\r\n`),
  ),
  sends('a chunk without a size', ends('bad_response'), () => `${CHUNKED}zz\r\n{}\r\n`),
  sends('a chunk of a huge size', ends('bad_response'), () => `${CHUNKED}${'f'.repeat(20)}\r\n{}`),
  sends('a chunk longer than its size', ends('bad_response'), () => `${CHUNKED}1\r\n{}\r\n0\r\n\r\n`),
  cuts('a chunk that is cut', ends('network'), () => `${CHUNKED}ff\r\n{`),
  cuts('no last chunk', ends('network'), (at) => raw(`${CHUNKED}${at.good.byteLength ? chunk(good(at)) : ''}`)),
];

const nonsense: readonly Fault[] = [
  sends('an SSH banner', ends('bad_response'), () => 'SSH-2.0-OpenSSH_9.6\r\n'),
  sends('a TLS alert', ends('bad_response'), () => Buffer.from([0x15, 3, 1, 0, 2, 2, 0x28])),
  sends('zeros', ends('bad_response'), () => Buffer.alloc(4096)),
  cuts('HTTP/0.9', ends('bad_response'), () => '<html>hello</html>'),
  sends('an HTTP/2 frame', ends('bad_response'), () => Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0])),
  sends('an HTTP/2 preface', ends('bad_response'), () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  sends('another version', ends('bad_response'), () => 'HTTP/9.9 200 OK\r\ncontent-length: 0\r\n\r\n'),
  sends('status 99', ends('bad_response'), () => answer('99 Odd', '{}')),
  sends('status 099', ends('bad_response'), () => answer('099 Odd', '{}')),
  sends('status 1000', ends('bad_response'), () => answer('1000 Odd', '{}')),
  sends('a status that is not a number', ends('bad_response'), () => answer('OK OK', '{}')),
  sends('a status line of 20 KB', ends('ok'), (at) => answer(`200 ${'x'.repeat(20_000)}`, at.good)),
  fault(
    'a status line without an end',
    ends('timeout'),
    ({ socket, hush }) => {
      socket.write('HTTP/1.1 200 ');
      floods(socket, 'x');
      hush();
    },
    { isEndless: true },
  ),
  sends('no reason phrase', ends('ok'), (at) => answer(200, at.good)),
  sends('bare line feeds', ends('bad_response'), () => 'HTTP/1.1 200 OK\ncontent-length: 2\n\n{}'),
  sends('a NUL in a header', ends('bad_response'), () => `${START}x: a\0b\r\ncontent-length: 2\r\n\r\n{}`),
  sends('a carriage return in a header', ends('bad_response'), () => `${START}x: a\rb\r\ncontent-length: 2\r\n\r\n{}`),
  sends('a header without a name', ends('bad_response'), () => `${START}: x\r\ncontent-length: 2\r\n\r\n{}`),
  sends('headers of 20 KB', ends('bad_response'), () => answer('200 OK', '{}', `x: ${'x'.repeat(20_000)}`)),
  fault('endless headers', ends('bad_response'), ({ socket }) => {
    socket.write(START);
    floods(socket, 'x-more: xxxxxxxx\r\n');
  }),
  sends('100 before the answer', ends('bad_response'), (at) =>
    Buffer.concat([raw('HTTP/1.1 100 Continue\r\n\r\n'), answer(200, at.good)]),
  ),
  sends('103 before the answer', ends('ok'), (at) =>
    Buffer.concat([raw('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'), answer(200, at.good)]),
  ),
  drips('102 forever', ends('timeout'), '', 'HTTP/1.1 102 Processing\r\n\r\n'),
  sends(
    'an upgrade',
    ends('bad_response'),
    () => 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  ),
];

/** The operation succeeded, whatever the body was: only a command that needs the body fails. */
const undecodable: Ends = { ...ends('bad_response'), none: 'ok', whole: 'ok' };

const bodies: readonly Fault[] = [
  sends('a page of a captive portal', ends('bad_response'), () =>
    answer('200 OK', '<html>Log in</html>', 'content-type: text/html'),
  ),
  sends('a page without a type', ends('bad_response'), () => answer('200 OK', '<!DOCTYPE html>Log in')),
  sends('a page with the type of plain text', ends('bad_response'), () =>
    answer('201 Created', '\ufeff \r\n<!-- portal --><html>', 'content-type: text/plain'),
  ),
  sends(
    'a page in two pieces',
    ends('bad_response'),
    () => `${CHUNKED}${chunk('<!doc')}${chunk('type html>')}0\r\n\r\n`,
  ),
  // A JSON result is parsed whatever the declared type. Bytes are checked by their digest.
  sends('a declared text/html', content({ text: 'bad_response', bytes: 'bad_response', digest: 'ok' }), (at) =>
    answer('200 OK', at.good, 'content-type: text/html'),
  ),
  sends('no content type', ends('ok'), (at) => answer('200 OK', at.good)),
  sends('nothing', noRecord, () => answer('200 OK', '', 'content-type: application/json')),
  sends('invalid UTF-8', noText, () => answer('200 OK', Buffer.from([0x22, 0xff, 0xfe, 0x22]))),
  sends('half a JSON', noJson, () => answer('200 OK', '{"id":"a","items":[', 'content-type: application/json')),
  sends('a byte order mark', content({}), (at) => answer('200 OK', Buffer.concat([Buffer.from('\ufeff'), at.good]))),
  sends('100,000 levels', content({ json: 'bad_response' }), () =>
    answer('200 OK', `${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ),
  fault(
    'more than 64 MiB',
    tooLong,
    ({ socket }) => {
      const piece = Buffer.alloc(1024 * 1024, ' ');
      socket.write(`${START}content-length: ${65 * piece.byteLength}\r\n\r\n`);
      for (let count = 0; count < 65; count++) socket.write(piece);
    },
    { isLarge: true },
  ),
  fault(
    'a body without an end',
    tooLong,
    ({ socket }) => {
      socket.write(`${START}\r\n`);
      floods(socket, ' ');
    },
    { isLarge: true },
  ),
  fault(
    'a bomb',
    { ...ends('bad_response'), none: 'ok' },
    ({ socket }) => socket.write(answer('200 OK', bomb, 'content-encoding: gzip')),
    { isLarge: true },
  ),
  sends('half a gzip', undecodable, (at) =>
    answer('200 OK', gzipSync(`${good(at)}   `).subarray(0, 12), 'content-encoding: gzip'),
  ),
  sends('invalid gzip', undecodable, () => answer('200 OK', '{"id":"a"}', 'content-encoding: gzip')),
  sends('two encodings', undecodable, (at) =>
    answer('200 OK', gzipSync(gzipSync(at.good)), 'content-encoding: gzip, gzip'),
  ),
  sends('an unknown encoding', undecodable, (at) => answer('200 OK', at.good, 'content-encoding: zstd')),
  sends('gzip', ends('ok'), (at) => answer('200 OK', gzipSync(at.good), 'content-encoding: gzip')),
  sends('deflate', ends('ok'), (at) => answer('200 OK', deflateSync(at.good), 'content-encoding: deflate')),
  sends('br', ends('ok'), (at) => answer('200 OK', brotliCompressSync(at.good), 'content-encoding: br')),
  sends('204 with a body', noRecord, () => answer('204 No Content', '{"id":"a"}')),
];

const statuses: readonly Fault[] = [
  sends('a redirect to nowhere', ends('bad_response'), () => answer('302 Found')),
  sends('a redirect to itself', ends('bad_response'), (at) =>
    answer('307 Loop', '', `location: ${at.address}/v1/user`),
  ),
  sends('a redirect to an invalid URL', ends('bad_response'), () => answer('302 Found', '', 'location: http://[')),
  sends('status 600', ends('bad_response'), () => answer('600 Odd', '{}')),
  sends('status 999', ends('bad_response'), () => answer('999 Odd', '{}')),
  fault(
    '500 with a body without an end',
    ends('server'),
    ({ socket }) => {
      socket.write('HTTP/1.1 500 No\r\n\r\n');
      floods(socket, 'no ');
    },
    { status: 500 },
  ),
  drips('500 with a body that drips', ends('timeout'), 'HTTP/1.1 500 No\r\ncontent-length: 9999\r\n\r\n', 'x'),
  sends('404 with a binary body', ends('not_found'), () =>
    answer('404 No', Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256))),
  ),
  sends('403 that sends the credential back', ends('forbidden'), ({ secret }) =>
    answer(`403 ${secret}`, `{"message":"no ${secret}","you":{"sent":["${secret}"]}}`, `x-request-id: ${secret}`),
  ),
  fault(
    '500 that sends the credential back',
    ends('server'),
    ({ socket, secret }) =>
      socket.write(
        answer(`500 ${secret}`, `what is ${secret}?`, `x-request-id: ${secret}`, `location: http://${secret}/`),
      ),
    { status: 500 },
  ),
  sends('an upgrade that sends the credential back', ends('bad_response'), ({ secret }) =>
    raw(`HTTP/1.1 101 ${secret}\r\nupgrade: ${secret}\r\nconnection: upgrade\r\n\r\n${secret}`),
  ),
  sends(
    'something other than HTTP that sends the credential back',
    ends('bad_response'),
    ({ secret }) => `${secret}: ${secret}\r\n`,
  ),
];

export const faults: readonly Fault[] = [...connections, ...lengths, ...nonsense, ...bodies, ...statuses];
