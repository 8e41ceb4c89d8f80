/** A context for tests that read the command tree without running anything. */
import { Readable, Writable } from 'node:stream';
import type { Context } from '../../src/context.ts';

const unused = () => {
  throw new Error('the command tree must not use the context');
};

/** A world in which every call fails. */
export const stillContext: Context = {
  env: {},
  cwd: '/',
  home: '/',
  stdin: Readable.from([]),
  stdout: new Writable(),
  stderr: new Writable(),
  clock: { now: unused, sleep: unused },
  date: unused,
  random: unused,
  uuid: unused,
  signal: new AbortController().signal,
  setGrace: unused,
  pid: 0,
  uid: undefined,
  warned: new Set(),
  secrets: new Set(),
  displays: new Set(),
  runtime: { version: 'v20.18.1', platform: 'linux' },
  openProfiles: unused,
  openSpool: unused,
  openSend: unused,
  openProbe: unused,
  spawn: unused,
  openTemporary: unused,
  openBrowser: unused,
  exec: unused,
  keychain: unused,
  runAside: unused,
};
