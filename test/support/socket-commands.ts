/** Commands that send requests over real sockets, and what they report if the requests do not arrive. */
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { openProbe } from '../../src/transport/probe.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type World } from './context.ts';

/** The credential of every command, and the password of proxies. It must not appear in any message. */
export const canary = 'canary-71s5ecr3t';

/** The folder of the certificates, in which commands run. */
export const certificates = resolve(import.meta.dirname, 'tls');

const real = {
  openSend: async (options) => openSend(options),
  openProbe: async () => openProbe(),
} satisfies World;

export const run = (base: string, argv: readonly string[], more: World = {}) =>
  dtp(['--base-url', base, '-o', 'json', ...argv], {
    ...real,
    cwd: certificates,
    ...more,
    env: { DTP_API_KEY: canary, ...more.env },
  });

/** The error of a command that fails, without a warning before it. */
export async function errorFrom(base: string, argv: readonly string[], more: World = {}) {
  const { code, stdout, stderr } = await run(base, argv, more);
  expect([stdout, stderr.includes(canary)]).toEqual(['', false]);
  const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
    error: { message: string; hint: string; attempts: number; retryable: boolean };
  };
  return { ...error, exit: code };
}
