/** A file system with one fault: which calls a piece of work makes, and what happens if one of them fails. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { resolve } from 'node:path';
import { sampled, seed } from './random.ts';

const SAMPLE = 30;

/**
 * `short`: a write stores half of its bytes and reports that. `full`: no space is left from that call on. The
 * other faults happen once. A write without space, or to a failing disk, stores half of its bytes.
 */
export const faults = ['EIO', 'ENOSPC', 'EACCES', 'short', 'full'] as const;
export type Fault = (typeof faults)[number];

export interface Call {
  /** The name of a call such as `rename`, whichever variant is used. */
  readonly name: string;
  /** The path of the file or folder, relative to the root. */
  readonly path: string;
}

interface Plan {
  readonly root: string;
  readonly noLinks: boolean;
  readonly at: number;
  readonly fault: Fault | undefined;
  readonly calls: Call[];
}

/** Calls that take a path. */
const named = [
  ...['access', 'chmod', 'copyFile', 'link', 'lstat', 'mkdir', 'open', 'readFile', 'readdir', 'realpath'],
  ...['rename', 'rm', 'rmdir', 'stat', 'unlink', 'writeFile'],
] as const;
/** Calls that take an open file. */
const opened = [
  'close',
  'fsync',
  'read',
  'write',
  'writev',
  'writeFile',
  'readFile',
  'stat',
  'datasync',
  'sync',
] as const;
const taking = new Set([
  'copyFile',
  'fsync',
  'link',
  'mkdir',
  'rename',
  'datasync',
  'sync',
  'write',
  'writeFile',
  'writev',
]);
const short = new Set(['write', 'writev']);
/** Nothing is really synced. It is enough that the code asked for it. */
const syncing = new Set(['datasync', 'fsync', 'sync']);

/** The faults that a call may meet. */
export const faultsOf = ({ name, path }: Call): readonly Fault[] =>
  faults.filter((fault) => {
    if (fault === 'short') return short.has(name);
    if (fault === 'EACCES') return path !== '' && !opened.some((one) => one === name && !isNamed(one));
    if (fault === 'ENOSPC' || fault === 'full') return taking.has(name) || name === 'open for writing';
    return true;
  });
const isNamed = (name: string) => named.some((one) => one === name);

let plan: Plan | undefined;
const descriptors = new Map<number, string>();
const handles = new WeakMap<object, string>();

// biome-ignore lint/suspicious/noExplicitAny: each function of a module, whatever it takes.
type Any = any;
type Work = (...args: Any[]) => Any;

/** What is thrown instead; undefined if the call is made. `half` is what an interrupted write leaves. */
function met(name: string, path: string, half: () => Any): { readonly result: Any } | undefined {
  if (!plan || path === '' || !`${path}/`.startsWith(`${plan.root}/`)) return undefined;
  const { calls, at, fault, noLinks } = plan;
  const number = calls.push({ name, path: path.slice(plan.root.length) }) - 1;
  const isLater = fault === 'full' && number > at && faultsOf({ name, path }).includes('full');
  if (noLinks && name === 'link') throw failure('EPERM', name, path);
  if (fault === undefined || (number !== at && !isLater)) return undefined;
  const result = fault !== 'EACCES' && (short.has(name) || name === 'writeFile') ? half() : undefined;
  if (fault === 'short') return { result };
  const thrown = failure(fault === 'full' ? 'ENOSPC' : fault, name, path);
  // A short write stores its half when the call reports it.
  if (result instanceof Promise)
    return {
      result: result.then(() => {
        throw thrown;
      }),
    };
  throw thrown;
}

const failure = (code: string, name: string, path: string) =>
  Object.assign(new Error(`${code}: ${name} '${path}'`), { code, path, syscall: name });

const nameOf = (name: string, args: Any[]) =>
  name === 'open' && /[wa+]|^rs\+/.test(String(args[1] ?? 'r')) ? 'open for writing' : name;
/** The tool may name a folder by its descriptor. */
const pathOf = (given: Any) =>
  typeof given === 'string'
    ? resolve(given.replace(/^\/proc\/self\/fd\/\d+(?=\/)/, (held) => fs.readlinkSync(held)))
    : '';
/** A pipe between processes, or a buffer, cannot report a short write. */
const halfOf = (bytes: Any): Buffer => {
  const all = Buffer.from(bytes);
  return all.subarray(0, all.byteLength >> 1);
};

function patchSync(target: Any, name: string): void {
  const real: Work = target[`${name}Sync`];
  const patched = (...args: Any[]) => {
    const path = typeof args[0] === 'number' ? (descriptors.get(args[0]) ?? '') : pathOf(args[0]);
    const half = () => real(args[0], name === 'writev' ? halfOf(Buffer.concat(args[1])) : halfOf(args[1]));
    const isClosing = name === 'close';
    if (isClosing) descriptors.delete(args[0]);
    try {
      const found = met(nameOf(name, args), path, half);
      if (found) return found.result;
    } catch (error) {
      if (isClosing) real(...args);
      throw error;
    }
    if (syncing.has(name) && path !== '' && plan) return undefined;
    const result = real(...args);
    if (name === 'open' && path !== '') descriptors.set(result, path);
    return result;
  };
  // realpathSync has a variant as a property.
  target[`${name}Sync`] = Object.assign(patched, real);
}

function patchNamed(target: Any, name: string): void {
  const real: Work = target[name];
  target[name] = async (...args: Any[]) => {
    const path = pathOf(args[0]);
    const found = met(nameOf(name, args), path, () => real(args[0], halfOf(args[1]), args[2]));
    if (found) return found.result;
    const result = await real(...args);
    if (name === 'open' && path !== '') handles.set(result, path);
    return result;
  };
}

function patchOpened(prototype: Any, name: string): void {
  const real: Work = prototype[name];
  prototype[name] = async function (this: Any, ...args: Any[]) {
    const path = handles.get(this) ?? '';
    const half = () => (name === 'writev' ? this.write(halfOf(Buffer.concat(args[0]))) : undefined);
    const halfWritten = name === 'writeFile' || name === 'write' ? () => real.call(this, halfOf(args[0])) : half;
    try {
      const found = met(name, path, halfWritten);
      if (found) return await found.result;
    } catch (error) {
      // A file is closed even if its close fails.
      if (name === 'close') await real.apply(this, args);
      throw error;
    }
    if (syncing.has(name) && path !== '' && plan) return undefined;
    return real.apply(this, args);
  };
}

for (const name of [...named, 'close', 'fsync', 'read', 'write', 'writev']) patchSync(fs, name);
for (const name of named) patchNamed(fs.promises, name);
const own = await fs.promises.open(import.meta.filename, 'r');
await own.close();
for (const name of opened.filter((one) => one in own)) patchOpened(Object.getPrototypeOf(own), name);
// From here on, the names that other modules imported are the functions of this object.
syncBuiltinESMExports();

export interface FaultCase<T> {
  /** Undefined if nothing failed. */
  readonly call: Call | undefined;
  readonly fault: Fault | undefined;
  readonly result: T;
  /** Describes the fault in messages. */
  readonly what: string;
}

/**
 * Runs a piece of work without a fault, then once for each fault that each of its calls below `root` may meet,
 * each time after `fresh` (a sample of these unless this is a long run). Reports how many runs there were, and
 * how many cases there are. A file system with `noLinks` has no hard links.
 */
export async function eachFault<T>(
  root: string,
  fresh: () => unknown,
  work: () => Promise<T>,
  check: (met: FaultCase<T>) => unknown,
  noLinks = false,
): Promise<string> {
  const once = async (at: number, fault?: Fault) => {
    const now: Plan = { root, noLinks, at, fault, calls: [] };
    await fresh();
    plan = now;
    try {
      return { result: await work(), calls: now.calls };
    } finally {
      plan = undefined;
    }
  };
  const { result, calls } = await once(-1);
  await check({ call: undefined, fault: undefined, result, what: 'no fault' });
  const cases = calls.flatMap((expected, at) => faultsOf(expected).map((fault) => ({ at, expected, fault })));
  const drawn = sampled(cases, SAMPLE);
  const broken: string[] = [];
  for (const { at, expected, fault } of drawn) {
    const done = await once(at, fault);
    const call = done.calls[at] ?? expected;
    const what = `${fault} at ${at}: ${call.name} ${call.path}`;
    try {
      await check({ call, fault, result: done.result, what });
    } catch (error) {
      broken.push((error as Error).message);
    }
  }
  if (broken.length > 0) throw new Error(`${broken.length} of ${drawn.length} (seed ${seed}):\n${broken.join('\n')}`);
  return `${drawn.length} of ${cases.length}`;
}

/** Whether a removal failed. In that case, the file may still exist. */
export const isRemoval = (call: Call | undefined): boolean =>
  call !== undefined && ['rm', 'rmdir', 'unlink'].includes(call.name);
