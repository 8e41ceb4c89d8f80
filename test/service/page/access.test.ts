/** Who may see the page: log-in, log-out, links that count once, and what belongs to another workspace. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MANIFEST, md5, REPORT, sha256 } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { cookieIn, openStream, type ServedPage, servedPage } from '../../support/page-service.ts';

let service: ServedPage;
beforeEach(async () => {
  service = await servedPage();
});
afterEach(() => service.close());

const LOGIN = '<h1>Log in</h1>';
const DIGEST = sha256(MANIFEST);

/** A path of each view, for a workspace that has one of everything. */
const views = [
  '/-/',
  '/-/?outcome=failed',
  '/-/events/e1',
  '/-/runs',
  '/-/runs/run-1',
  '/-/reports',
  `/-/reports/linting/${md5(REPORT)}`,
  `/-/reports/linting/${md5(REPORT)}/content`,
  '/-/registry',
  '/-/registry/pets',
  `/-/registry/pets/${DIGEST}`,
  '/-/requests',
  '/-/requests/2',
];

/** Fills the first workspace, and gives its event a run. */
async function filled() {
  await fillService(service);
  const event = { id: 'e3', execution_id: 'run-1', interaction_type: 'CI_EXEC', success: true };
  await service.call('POST', `/v1/workspace/${service.workspaceId}/events`, { json: [event] });
}

/** Creates a second key of the workspace. */
async function secondKey(): Promise<{ readonly id: string; readonly key: string }> {
  const at = `/v1/workspace/${service.workspaceId}/tokens`;
  await service.call('POST', at, { json: { name: 'short-lived' } });
  const keys: { id: string; key: string; name: string }[] = (await service.call('GET', at)).json;
  const second = keys.find(({ name }) => name === 'short-lived');
  if (!second) throw new Error('there is no second key');
  return second;
}

describe('log-in', () => {
  test('the cookie lasts half a day, is for the page alone, and no script and no other site can use it', async () => {
    const answer = await service.logIn(` ${service.key} `);
    expect([answer.status, answer.headers.location]).toEqual([303, '/-/']);
    const [cookie = '', ...attributes] = String(answer.headers['set-cookie']).split('; ');
    expect(cookie).toMatch(new RegExp(`^dtp-page-${new URL(service.address).port}=[\\w-]{43}$`));
    const secure = service.address.startsWith('https:') ? ['Secure'] : [];
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/-/', 'SameSite=Strict', ...secure]);
    expect(cookieIn(await service.logIn())).not.toBe(cookie);
  });

  test('whatever is wrong with a key, the answer is the same, and sets no cookie', async () => {
    const { access_token: token } = (
      await service.plain('GET', `/v1/auth/access_token?workspace_id=${service.workspaceId}`)
    ).json;
    const wrong = ['', 'x', `${service.key}x`, service.key.slice(0, -1), service.workspaceId, token, `Bearer ${token}`];
    const answers = [];
    for (const key of wrong) answers.push(await service.logIn(key));
    for (const { headers, text } of answers) {
      expect([headers['set-cookie'], text]).toEqual([undefined, answers[0]?.text]);
      expect(text).toContain('role="alert"');
    }
  });

  test.each([
    ['runs', '/-/runs'],
    ['?outcome=failed', '/-/?outcome=failed'],
    ['runs/a%2Fb', '/-/runs/a%2Fb'],
    ['//evil.example', '/-/'],
    ['https://evil.example', '/-/https://evil.example'],
    ['\\evil.example', '/-/'],
    ['a\r\nset-cookie: b=c', '/-/'],
  ])('after the log-in for %j, the browser goes to %s, never to another site', async (to, location) => {
    expect((await service.logIn(service.key, to)).headers.location).toBe(location);
  });

  test('log-out ends the session, and open streams', async () => {
    const { cookie, see, call, workspaceId } = service;
    const stream = openStream(service.address, '', cookie);
    expect([await stream.status, await stream.until('event: view')]).toEqual([
      200,
      expect.stringContaining('No events'),
    ]);
    const answer = await see('/-/logout', 'POST');
    expect([answer.status, answer.headers.location]).toEqual([303, '/-/login']);
    expect(String(answer.headers['set-cookie'])).toMatch(/=; Path=\/-\/; Max-Age=0;/);
    expect((await see('/-/')).text).toContain(LOGIN);
    await call('POST', `/v1/workspace/${workspaceId}/events`, { json: [{ id: 'after' }] });
    expect(await stream.until('/-/events/after')).not.toContain('/-/events/after');
  });

  test('a session ends after twelve hours, and with its key', async () => {
    service.wait(12 * 3600_000 - 1);
    expect((await service.see('/-/')).text).not.toContain(LOGIN);
    service.wait(1);
    expect((await service.see('/-/')).text).toContain(LOGIN);
    const at = `/v1/workspace/${service.workspaceId}/tokens`;
    const { key, id } = await secondKey();
    const cookie = cookieIn(await service.logIn(key));
    const see = async () => (await service.plain('GET', '/-/runs', { headers: { cookie } })).text.includes(LOGIN);
    expect(await see()).toBe(false);
    await service.call('DELETE', `${at}/${id}`);
    expect(await see()).toBe(true);
  });

  test('without a log-in, every path is the form, and there is no stream', async () => {
    await filled();
    for (const cookie of ['', 'dtp-page=x', service.cookie.replace(/=.*/, '='), `${service.cookie}x`])
      for (const path of [...views, '/-/nothing', '/-/constructor', '/-/requests/1/x']) {
        const { status, text } = await service.plain('GET', path, { headers: { cookie } });
        expect([path, status, text.includes(LOGIN)]).toEqual([path, 200, true]);
        for (const word of ['e1', 'run-1', 'pets', 'getUser', 'nav'])
          expect([path, word, new RegExp(`>${word}|</${word}`).test(text)]).toEqual([path, word, false]);
      }
    for (const view of views) {
      const { status, text } = await service.plain('GET', `/-/live?view=${encodeURIComponent(view.slice(3))}`);
      expect([status, text]).toEqual([401, '']);
    }
  });

  test.each(['style.css', 'script.js', 'icon.svg'])('%s is the same for everyone', async (name) => {
    const { status, text } = await service.plain('GET', `/-/${name}`);
    expect([status, text]).toEqual([200, (await service.see(`/-/${name}`)).text]);
  });
});

describe('links', () => {
  const follow = (path: string, method = 'GET') => service.plain(method, path);

  test('a link logs in once', async () => {
    const link = service.link();
    const answer = await follow(link);
    expect([answer.status, answer.headers.location]).toEqual([303, '/-/']);
    const { text } = await service.plain('GET', '/-/', { headers: { cookie: cookieIn(answer) } });
    expect(text).toContain('<h1>Events</h1>');
    const again = await follow(link);
    expect([again.headers['set-cookie'], again.text]).toEqual([undefined, expect.stringContaining('used already')]);
  });

  test.each([
    [59_999, true],
    [60_000, false],
  ])('after %i ms, a link still counts: %s', async (ms, isGood) => {
    const link = service.link();
    service.wait(ms);
    expect((await follow(link)).headers['set-cookie'] !== undefined).toBe(isGood);
  });

  test.each(['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])('%s does not use a link up', async (method) => {
    const link = service.link();
    expect((await follow(link, method)).headers['set-cookie']).toBeUndefined();
    expect((await follow(link)).status).toBe(303);
  });

  test('a link that another site opens is refused, and still counts', async () => {
    const link = service.link();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'null' }, { host: 'evil.example' }])
      expect((await service.plain('GET', link, { headers })).status).toBe(403);
    expect((await follow(link)).status).toBe(303);
  });

  test('an invented link opens nothing', async () => {
    for (const id of ['', 'x', '__proto__', service.cookie.split('=')[1]])
      expect((await follow(`/-/open/${id}`)).headers['set-cookie']).toBeUndefined();
  });

  test.each([
    ['local:/runs/a%2Fb', '/-/runs/a%2Fb'],
    ['local:/reports/linting/abc?signature=x', '/-/reports/linting/abc'],
    ['http://127.0.0.1:1/runs/r', '/-/runs/r'],
    ['local:/runs/r/pull_request', '/-/'],
    ['local:/invites/i', '/-/'],
    ['https://evil.example', '/-/'],
  ])('the link for %s leads to %s', async (url, location) => {
    expect((await follow(service.link(url))).headers.location).toBe(location);
  });
});

describe('workspaces', () => {
  test('the owner sees each view, and another workspace sees none of its things', async () => {
    await filled();
    const stranger = service.addStranger();
    const cookie = cookieIn(await service.logIn(stranger.headers['x-api-key']));
    for (const path of views) {
      const own = await service.see(path);
      expect([path, own.status, own.status === 200 ? '' : own.text]).toEqual([path, 200, '']);
      const { text } = await service.plain('GET', path, { headers: { cookie } });
      expect(text).not.toContain(LOGIN);
      const mark = /\/-\/(events|runs|reports|registry|requests)\/[^"]*[^"/]"/g;
      expect([path, text.match(mark) ?? []]).toEqual([path, []]);
      for (const word of ['CI_EXEC', REPORT, 'lock-1', DIGEST.slice(7), service.workspaceId])
        expect([path, word, text.includes(word) && !path.includes(word)]).toEqual([path, word, false]);
    }
  });

  /** Requests that are refused, or are of the other workspace, by their credential. */
  const foreign: Readonly<Record<string, (stranger: string) => Readonly<Record<string, string>>>> = {
    'a wrong key': () => ({ 'x-api-key': 'wrong-key' }),
    'a wrong bearer': () => ({ authorization: 'Bearer wrong-key' }),
    'a wrong password': () => ({ authorization: `Basic ${btoa('any:wrong-key')}` }),
    'a wrong id': () => ({ 'x-workspace-identifier': 'wrong-key' }),
    'no credential': () => ({}),
    'the key of another workspace': (stranger) => ({ 'x-api-key': stranger }),
    'that key as a bearer': (stranger) => ({ authorization: `Bearer ${stranger}` }),
  };

  test.each(Object.entries(foreign))(
    'a request with %s is not on the page of the workspace that it names',
    async (_, of) => {
      const stranger = service.addStranger().headers['x-api-key'];
      for (const path of [
        '/v1/workspace/ID/events',
        '/v2/local/default/secret-name/tags/list',
        '/v1/nothing?secret-name',
      ]) {
        const sent = { json: [{ id: 'secret-name' }], headers: of(stranger) };
        const method = path.startsWith('/v2') ? 'GET' : 'POST';
        const { status } = await service.plain(method, path.replace('ID', service.workspaceId), sent);
        expect(status).toBeGreaterThanOrEqual(400);
      }
      for (const path of ['/-/', '/-/requests', '/-/requests/1', '/-/requests/2']) {
        const { text } = await service.see(path);
        expect([path, text.includes('secret-name'), text.includes('failed at')]).toEqual([path, false, false]);
      }
      expect((await service.see('/-/requests')).text).toContain('No requests yet');
      // Nor does it take the place of another request.
      await service.call('GET', '/v1/user');
      for (let count = 0; count < 200; count++)
        await service.plain('GET', '/v1/user', { headers: { 'x-api-key': 'wrong' } });
      expect((await service.see('/-/requests')).text).toContain('getUser');
    },
  );

  test.each<readonly [string, string, number]>([
    ['an unknown workspace', '/v1/workspace/unknown', 404],
    ['a workspace of others', '/v1/workspace/workspace-2', 403],
    ['a repository of others', '/v2/two/two/pets/tags/list', 403],
    ['an unknown path', '/v1/nothing', 404],
  ])('what fails with a right key, such as %s, is on the page', async (_, path, status) => {
    service.addStranger();
    expect((await service.call('GET', path)).status).toBe(status);
    const { text } = await service.see('/-/requests');
    for (const words of [path, `✘ ${status}<`]) expect(text).toContain(words);
  });

  test.each([
    '/runs/a',
    '/reports/linting/a?signature=b',
    '/invites/a',
    '/s/a',
    '/v1/auth/access_token?workspace_id=a',
  ])('%s needs no credential, so its URL is a secret, which nobody is shown', async (path) => {
    await service.plain('GET', path);
    expect((await service.see('/-/requests')).text).toContain('No requests yet');
  });

  test('what a deleted key has sent is still only for its workspace', async () => {
    const at = `/v1/workspace/${service.workspaceId}/tokens`;
    const { key, id } = await secondKey();
    await service.call('GET', '/v1/user', { headers: { 'x-api-key': key } });
    await service.call('DELETE', `${at}/${id}`);
    const stranger = service.addStranger();
    const cookie = cookieIn(await service.logIn(stranger.headers['x-api-key']));
    expect((await service.plain('GET', '/-/requests', { headers: { cookie } })).text).toContain('No requests yet');
  });
});
