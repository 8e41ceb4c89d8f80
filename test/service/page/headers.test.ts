/** The headers and the sizes of everything that the page answers. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MANIFEST, md5, REPORT, sha256 } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { type ServedPage, servedPage } from '../../support/page-service.ts';

let service: ServedPage;
beforeAll(async () => {
  service = await servedPage();
  await fillService(service);
});
afterAll(() => service.close());

const report = `/-/reports/linting/${md5(REPORT)}`;

const answers: Readonly<Record<string, () => ReturnType<ServedPage['plain']>>> = {
  'a redirect': () => service.see('/'),
  'the form': () => service.plain('GET', '/-/'),
  'a wrong key': () => service.logIn('x'),
  'a log-in': () => service.logIn(),
  'a link': () => service.plain('GET', service.link()),
  'a used link': () => service.plain('GET', '/-/open/x'),
  'a stream without a log-in': () => service.plain('GET', '/-/live?view='),
  'a stream': () => service.see('/-/live?view=', 'HEAD'),
  'a view': () => service.see('/-/'),
  'a report': () => service.see(report),
  'the registry': () => service.see(`/-/registry/pets/${sha256(MANIFEST)}`),
  'no such view': () => service.see('/-/x'),
  'a wrong method': () => service.see('/-/', 'PUT'),
  'a wrong path': () => service.see('/-/events/%'),
  'a form that is too large': () => service.plain('POST', '/-/login', { body: `key=${'x'.repeat(5000)}` }),
  'the stylesheet': () => service.plain('GET', '/-/style.css'),
  'the script': () => service.plain('GET', '/-/script.js'),
  'the icon': () => service.plain('GET', '/-/icon.svg'),
};

const policyOf = (text: unknown) =>
  Object.fromEntries(
    String(text)
      .split('; ')
      .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  );

test.each(Object.entries(answers))('%s has the headers of the page', async (_, answer) => {
  const { headers } = await answer();
  const own = Object.fromEntries(
    ['script', 'style', 'connect', 'img', 'frame'].map((name) => [`${name}-src`, "'self'"]),
  );
  expect(policyOf(headers['content-security-policy'])).toEqual({
    ...own,
    'default-src': "'none'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  });
  expect(headers).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  expect(headers['access-control-allow-origin']).toBeUndefined();
});

test('a report has no origin, runs no script, loads nothing, and is shown only in the frame of the page', async () => {
  const { headers, text } = await service.see(`${report}/content`);
  expect(text).toBe(REPORT);
  expect(policyOf(headers['content-security-policy'])).toEqual({
    sandbox: '',
    'default-src': "'none'",
    'style-src': "'unsafe-inline'",
    'img-src': 'data:',
    'font-src': 'data:',
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'self'",
  });
  expect(headers).toMatchObject({
    'x-frame-options': 'SAMEORIGIN',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect((await service.see(report)).text).toContain(`<iframe sandbox src="${report}/content"`);
});

test('the page is small, without compression', async () => {
  const at = `/v1/workspace/${service.workspaceId}/events`;
  const event = (number: number) => ({
    id: `event-${number}`,
    execution_id: `run-${number % 7}-0000-4000-8000-000000000000`,
    interaction_type: 'TARGET_GENERATE',
    success: number % 3 > 0,
    error: number % 3 > 0 ? undefined : 'the document has an operation without an id: GET /pets/{id}',
    created_at: new Date(Date.parse('2025-03-01T09:00:00Z') + number * 60_000).toISOString(),
  });
  await service.call('POST', at, { json: Array.from({ length: 60 }, (_, number) => event(number)) });
  const sizeOf = async (path: string) => {
    const { status, text, headers } = await service.see(path);
    expect([path, status, headers['content-encoding']]).toEqual([path, 200, undefined]);
    return Buffer.byteLength(text);
  };
  const assets = await Promise.all(['/-/style.css', '/-/script.js', '/-/icon.svg'].map(sizeOf));
  const views = ['/-/', '/-/events/event-1', '/-/runs', '/-/reports', '/-/registry', '/-/requests'];
  const sizes = await Promise.all(views.map(sizeOf));
  const sum = (all: readonly number[]) => all.reduce((whole, one) => whole + one, 0);
  expect(sizes[0]).toBeLessThan(25_000);
  expect(sum([...assets, ...sizes])).toBeLessThan(60_000);
  expect(sum([...assets, sizes[0] ?? 0])).toBeLessThan(35_000);
});
