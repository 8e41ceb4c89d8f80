/** The registry token: fetched, renewed once, not needed for public content, and never printed. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import type { Context } from '../../../src/context.ts';
import { DtpError } from '../../../src/errors.ts';
import { type HttpRequest, type HttpResponse, readAll } from '../../../src/request/http.ts';
import { openSend } from '../../../src/transport/send.ts';
import { registry, write } from '../../support/artifacts.ts';
import { hastyClock, wallClock } from '../../support/clocks.ts';

const document = 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n';

/** Sends for real, records the tokens from preflight, and lets `meddle` change responses. */
function watched(meddle: (request: HttpRequest, count: number) => HttpResponse | undefined = () => undefined) {
  const tokens: string[] = [];
  const sent: string[] = [];
  const open: Context['openSend'] = async (options) => {
    const sender = openSend(options);
    return {
      ...sender,
      send: async (request, given) => {
        const kind = /preflight|validate|manifests|uploads|blobs/.exec(request.url)?.[0] ?? request.url;
        sent.push(`${request.method} ${kind}`);
        const answer = meddle(request, sent.length) ?? (await sender.send(request, given));
        if (kind !== 'preflight' || answer.status !== 200) return answer;
        const bytes = (await readAll(answer.body, 1e6)) as Uint8Array;
        tokens.push(JSON.parse(Buffer.from(bytes).toString()).auth_token);
        return {
          ...answer,
          body: (async function* () {
            yield bytes;
          })(),
        };
      },
    };
  };
  return { open, tokens, sent };
}

const says = (status: number, text: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'x-echo': text },
  body: (async function* () {
    yield Buffer.from(JSON.stringify({ message: text, nested: [text] }));
  })(),
});

test('an expired token is renewed once, in a pull and in a push', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const hour = 3_600_000;
  let late = false;
  const expiring = (kind: RegExp) =>
    watched((request) => {
      if (!late && kind.test(`${request.method} ${request.url}`)) {
        late = true;
        service.wait(hour);
      }
      return undefined;
    });
  const push = expiring(/PATCH/);
  const pushed = await run(['push', 'spec', '--namespace', 'pets', '--debug'], { openSend: push.open });
  expect([pushed.code, push.tokens.length]).toEqual([0, 2]);
  late = false;
  const pull = expiring(/GET .*blobs/);
  const pulled = await run(['pull', 'pets', '--debug'], { openSend: pull.open });
  expect([pulled.code, pull.sent]).toEqual([
    0,
    ['GET validate', 'POST preflight', 'GET manifests', 'GET blobs', 'POST preflight', 'GET blobs'],
  ]);
  for (const token of [...push.tokens, ...pull.tokens])
    for (const { stdout, stderr } of [pushed, pulled]) {
      expect(token.length).toBeGreaterThan(50);
      expect(stdout + stderr).not.toContain(token);
      expect(stdout + stderr).not.toContain(service.key);
    }
});

test('a second 401 is reported after one renewal, and no error shows the token', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  for (const argv of [
    ['pull', 'pets', '-O', 'new'],
    ['push', 'spec', '--namespace', 'other'],
  ])
    for (const [status, code] of [
      [401, 4],
      [403, 5],
      [418, 7],
      [302, 12],
    ] as const) {
      const watch = watched((request) =>
        request.url.includes('/oci/') ? says(status, `no ${watch.tokens.join(' ')}, ${service.key}`) : undefined,
      );
      const ended = await run([...argv, '--debug'], { openSend: watch.open });
      expect([argv, status, ended.code, watch.tokens.length]).toEqual([argv, status, code, status === 401 ? 2 : 1]);
      for (const secret of [...watch.tokens, service.key]) expect(ended.stderr).not.toContain(secret);
      expect(ended.stderr).toContain('***');
    }
});

test('a preflight response without a token is bad, and either field name is accepted', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const preflight = (body: unknown) =>
    watched((request) =>
      request.url.endsWith('/preflight') ? { ...says(201, ''), body: bytes(JSON.stringify(body)) } : undefined,
    );
  for (const body of [{}, null, [], { auth_token: '' }, { auth_token: 1 }]) {
    const { code, stderr } = await run(['pull', 'pets', '-O', 'x'], { openSend: preflight(body).open });
    expect([code, stderr]).toEqual([12, 'error: the preflight response has no token\n']);
  }
  // A workspace key also works as a bearer token.
  const { code } = await run(['pull', 'pets'], { openSend: preflight({ access_token: service.key }).open });
  expect(code).toBe(0);
});

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test('a public namespace is pulled without a credential, and the error for a private one says what to do', async () => {
  const { service, home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const env = { DTP_API_KEY: '' };
  const refused = await run(['pull', 'local/default/pets'], { env });
  expect([refused.code, refused.stderr]).toEqual([
    4,
    expect.stringMatching(/^error: no credential for .*\n {2}Log in.*\n {2}try: dtp auth login/),
  ]);
  await service.call('POST', '/v1/artifacts/namespaces/pets/visibility', { json: { public: true } });
  expect((await run(['pull', 'local/default/pets'], { env })).code).toBe(0);
  const pushed = await run(['push', 'spec', '--namespace', 'local/default/pets'], { env });
  expect([pushed.code, pushed.stderr]).toEqual([4, expect.stringContaining('no credential')]);
});

test('--retry repeats reads, and a push retries without it', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const failing = (kind: RegExp) => {
    let left = 1;
    return watched(({ method, url }) => (kind.test(`${method} ${url}`) && left-- > 0 ? says(503, 'away') : undefined))
      .open;
  };
  const pushed = await run(['push', 'spec', '--namespace', 'pets'], { openSend: failing(/PUT .*manifests/) });
  expect(pushed.code).toBe(0);
  const pull = ['pull', 'pets', '-O', 'new'];
  const once = await run(pull, { openSend: failing(/GET .*blobs/) });
  expect([once.code, once.stderr]).toEqual([
    10,
    expect.stringMatching(
      /^error: 503 from GET .*: away\n {2}Try again later.*\n {2}try: dtp artifacts pull pets -O new\n$/,
    ),
  ]);
  expect((await run([...pull, '--retry', 'often'])).code).toBe(2);
  expect((await run([...pull, '--retry', '1'], { openSend: failing(/GET .*blobs/) })).code).toBe(0);
});

test('an upload that moves to another server does not get the token', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const watch = watched((request) =>
    request.method === 'POST' && request.url.includes('/uploads')
      ? { ...says(202, ''), headers: { location: 'https://elsewhere.example/upload', range: '0-0' } }
      : undefined,
  );
  const ended = await run(['push', 'spec', '--namespace', 'pets'], { openSend: watch.open });
  expect([ended.code, ended.stderr]).toEqual([
    12,
    expect.stringContaining('the registry moved the upload to https://elsewhere.example'),
  ]);
  expect(watch.sent.at(-1)).toBe('POST blobs');
});

test('--retry downloads an interrupted layer again, and no other layer twice', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  expect((await run(['push', 'spec', '--namespace', 'pets'])).code).toBe(0);
  const cutting = (times: number) => {
    let left = times;
    return watched(({ method, url }) =>
      method === 'GET' && url.includes('/blobs/') && left-- > 0 ? { ...says(200, ''), body: cutOff() } : undefined,
    );
  };
  for (const [retries, cuts, code] of [
    [0, 1, 11],
    [1, 1, 0],
    [2, 3, 11],
  ] as const) {
    const watch = cutting(cuts);
    const argv = ['pull', 'pets', '-O', `new-${retries}`, '--retry', String(retries)];
    expect((await run(argv, { openSend: watch.open })).code).toBe(code);
    expect(watch.sent.filter((one) => one === 'GET blobs')).toHaveLength(retries + 1);
  }
});

async function* cutOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('PK');
  throw new DtpError('network', 'the host closed the connection', { retryable: true });
}

test('a server that accepts everything is not a registry', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const watch = watched(({ url }) => (url.includes('/oci/') ? says(200, 'fine') : undefined));
  const ended = await run(['push', 'spec', '--namespace', 'pets'], { openSend: watch.open });
  expect(ended).toMatchObject({ code: 12, stdout: '' });
  expect(ended.stderr).toMatch(/^error: 200 from PUT .*, expected 201/m);
});

test('a blob with the same digest but another size is an error', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const watch = watched(({ method }) =>
    method === 'HEAD' ? { ...says(200, ''), headers: { 'content-length': '7' } } : undefined,
  );
  expect(await run(['push', 'spec', '--namespace', 'pets'], { openSend: watch.open })).toMatchObject({
    code: 12,
    stderr: expect.stringContaining('has 7 bytes for this digest instead of'),
  });
});

test('if the registry does not report how much has arrived, everything counts as received', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const silent: Context['openSend'] = async (options) => {
    const sender = openSend(options);
    return {
      ...sender,
      send: async (request, given) => {
        const answer = await sender.send(request, given);
        const { range: _, ...headers } = answer.headers;
        return { ...answer, headers };
      },
    };
  };
  const ended = await run(['push', 'spec', '--namespace', 'pets'], { openSend: silent });
  expect([ended.code, ended.stderr]).toEqual([0, 'pushing openapi.yaml\n']);
  expect((await run(['pull', 'pets'])).code).toBe(0);
});

test('a push waits as long as Retry-After says, but at most a minute', async () => {
  const { home, run } = await registry();
  write(join(home, 'spec'), { 'openapi.yaml': document });
  const pushing = async (status: number, wait: string | undefined) => {
    let left = 1;
    const watch = watched(({ method }) =>
      method === 'PATCH' && left-- > 0
        ? { ...says(status, 'slowly'), headers: wait === undefined ? {} : { 'retry-after': wait } }
        : undefined,
    );
    const waits: number[] = [];
    const clock: Clock = {
      now: wallClock.now,
      sleep: async (ms, signal) => {
        // Deadlines are never reached.
        if (ms >= 60_000) return wallClock.sleep(ms, signal);
        waits.push(ms);
      },
    };
    const name = `n${status}${wait ?? ''}`;
    const { code } = await run(['push', 'spec', '--namespace', name], { openSend: watch.open, clock });
    return [code, waits];
  };
  expect(await pushing(503, '3')).toEqual([0, [3000]]);
  expect(await pushing(429, '20')).toEqual([0, [20_000]]);
  expect(await pushing(429, undefined)).toEqual([9, []]);
  expect(await pushing(503, '90')).toEqual([10, []]);
});

test('a push asks for a token again after a failure that passes', async () => {
  const { home, run } = await registry();
  write(home, { 'openapi.yaml': document });
  const failing = watched((request, count) =>
    request.url.endsWith('/preflight') && count < 5 ? says(503, 'down') : undefined,
  );
  const { code, stderr } = await run(['push', 'openapi.yaml', 'pets:v2'], {
    openSend: failing.open,
    clock: hastyClock,
  });
  expect(code, stderr).toBe(0);
  expect(failing.sent.filter((one) => one === 'POST preflight').length).toBeGreaterThan(1);
});
