/** The source contains no real URL: the network is used only for what the user asked for. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('every URL in the source is an example, or loopback', () => {
  const root = join(import.meta.dirname, '../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const hosts = files.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)+)/gi)].map(
      ([, host]) => host,
    ),
  );
  // Documentation URLs, placeholders for the user's host, and the name of SVG, which nobody requests.
  const shown = /^(jmespath\.org|jqlang\.org|www\.w3\.org|json-schema\.org|127\.0\.0\.1|([a-z]+\.)?example\.com)$/;
  expect(hosts.filter((host) => !shown.test(host as string))).toEqual([]);
});
