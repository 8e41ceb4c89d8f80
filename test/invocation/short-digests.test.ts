/** Every command with a revision takes the beginning of its digest, if only one digest begins with it. */
import { expect, test } from 'vitest';
import { dtp } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const digests = ['7fce21', 'bbbb10', 'bbbb20', 'a00000'].map((start) => `sha256:${start.padEnd(64, '0')}`);
const env = {
  ...{ DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' },
  ...{ DTP_ORGANIZATION_SLUG: 'acme', DTP_WORKSPACE_SLUG: 'main' },
};

async function run(line: string) {
  const sent: string[] = [];
  const { openSend } = service(({ method, url, body }) => {
    if (url.includes('/revisions')) return [200, { items: digests.map((digest) => ({ digest })) }];
    if (url.endsWith('/preflight')) return [200, { auth_token: 't-1' }];
    sent.push(`${method} ${decodeURIComponent(url)} ${body instanceof Uint8Array ? Buffer.from(body) : body}`);
    return [404, { message: 'revision not found' }];
  });
  const { code, stderr } = await dtp(line.split(' '), { env, own: 'w_1', openSend });
  expect(code, stderr).toBe(6);
  return { sent: sent.join('\n'), stderr };
}

test.each([
  'artifacts manifests get pets DIGEST',
  'artifacts manifests get pets@DIGEST',
  'artifacts tags add pets --revision DIGEST --tag new',
  'artifacts tags add pets@DIGEST --tag new',
  'suggest registry pets DIGEST',
  'artifacts pull pets@DIGEST -O out',
])('dtp %s', async (line) => {
  for (const start of ['sha256:7fce', 'sha256:7fce2', 'sha256:a000', 'sha256:7fce210000…']) {
    const whole = digests.find((digest) => digest.startsWith(start.replace('…', ''))) ?? '';
    expect((await run(line.replace('DIGEST', start))).sent, start).toContain(whole);
  }
  const { sent, stderr } = await run(line.replace('DIGEST', 'sha256:bbbb'));
  expect(sent).not.toMatch(/sha256:bbbb[0-9a-f]/);
  expect(stderr).toContain(digests[1]);
  expect(stderr).toContain(digests[2]);
});
