/** Looks up the ids of things that the user selected by name, with the operation that lists these things. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { type ListedResource, workspaceResource } from '../operations/resources.ts';
import type { Named } from '../render/short.ts';
import { buildRequest } from '../request/build.ts';
import type { Value } from '../request/read.ts';
import type { Setting } from '../settings/resolve.ts';
import { type Ask, type Calls, exchange, type UncheckedConnection } from './connection.ts';
import { lookUpTime, timeoutOf, withDeadline } from './deadline.ts';
import { withSettings } from './fill.ts';
import { isInteractive, type LookupContext } from './invocation.ts';
import { findThing, type LookupQuery, type Misses, missOf, type Thing, thingsIn } from './names-match.ts';
import { type ValueToLookUp, type WithIds, withIdOf } from './names-shape.ts';

/** Replaces the `unknowns`, which are values in `typed` that may be names, with ids. Throws like `withIds`. */
export async function lookUpNames(
  { context, settings, globals, argv }: LookupContext,
  unknowns: readonly ValueToLookUp[],
  typed: Input,
  { connection, begin }: Calls,
): Promise<WithIds> {
  let input = typed;
  const names: Record<string, Named> = {};
  const isOnTerminal = isInteractive(context, globals);
  for (const unknown of unknowns) {
    const { field, value, resource, mustExist } = unknown;
    const { list } = resource;
    const deadline = begin(list);
    try {
      // These two also fail for the operation itself, so they are not failures of the list.
      await connection.checkWorkspace(list, deadline.signal);
      const send = await connection.sendFor(list);
      const ask = async (more: Input, signal: AbortSignal) => {
        const full = await withSettings(list, { ...input, ...more }, { settings, connection, signal });
        const own = Object.fromEntries(Object.entries(full).filter(([name]) => name in list.input));
        return exchange(send, list, buildRequest(list, own, connection.target), signal);
      };
      const time = { context, ms: lookUpTime(timeoutOf(list, settings)), signal: deadline.signal };
      const one = await find({ value, resource, argv, isOnTerminal }, ask, time, connection.misses);
      const isMissing = one === undefined && connection.misses.get(list.command.join(' '))?.value === value;
      if (isMissing && mustExist) throw new DtpError('not_found', `${resource.noun} ${value} not found`);
      if (one === undefined) continue;
      input = withIdOf(unknown, input, one.id);
      names[field] = { id: one.id, name: nameOf(one, value) };
    } finally {
      deadline.end();
    }
  }
  return { input, names };
}

/** Returns the user's name for a thing, or its first name. A digest is a tag only if the user typed the tag. */
const nameOf = ({ id, names }: Thing, value: string): string => {
  if (names.includes(value)) return value;
  return (id.includes(':') ? undefined : names[0]) ?? id;
};

/** A workspace setting that may be a name, and the operation that needs it. */
interface NamedWorkspace {
  readonly context: Context;
  readonly operation: Operation;
  readonly setting: Setting;
  /** The time limit of the operation in milliseconds. */
  readonly ms: number;
}

/** Returns the id of the workspace that a setting names, or its value. Throws like `withIds`. */
export async function workspaceIdOf(
  { context, operation, setting: { value }, ms }: NamedWorkspace,
  wire: Pick<UncheckedConnection, 'target' | 'sendUnchecked' | 'typed'>,
  signal: AbortSignal,
  misses: Misses = new Map(),
): Promise<string> {
  const { list } = workspaceResource;
  // The list needs a credential. Without one, an operation that needs none is sent with the name as it was typed.
  const send = await wire.sendUnchecked(list).catch((error: unknown) => {
    if (operation.auth === 'none' && error instanceof DtpError) return undefined;
    throw error;
  });
  if (!send) return value;
  const ask = (_: Input, until: AbortSignal) => exchange(send, list, buildRequest(list, {}, wire.target), until);
  const { argv = [], globals = {} } = wire.typed ?? {};
  const sought = { value, resource: workspaceResource, argv, isOnTerminal: isInteractive(context, globals) };
  return (await find(sought, ask, { context, ms: lookUpTime(ms), signal }, misses))?.id ?? value;
}

interface Time {
  readonly context: Context;
  readonly ms: number;
  readonly signal: AbortSignal;
}

/** Finds a thing in its list. Undefined if it is not there, or if the list cannot be read in time. */
async function find(sought: LookupQuery, ask: Ask, { context, ms, signal }: Time, misses: Misses) {
  const { resource } = sought;
  const read = (until: AbortSignal) => thingsOf(resource, (more) => ask(more, until));
  const things = await withDeadline(context, ms, signal, read).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof DtpError) return undefined;
    throw error;
  });
  const one = things && findThing(sought, things);
  const command = resource.list.command.join(' ');
  if (things && !one) misses.set(command, missOf(sought, things));
  return one;
}

/** Fetches the things in a list. All pages are read, because a name must be unique in the whole list. */
async function thingsOf(resource: ListedResource, ask: (more: Input) => Promise<Value>): Promise<readonly Thing[]> {
  const { list, noun } = resource;
  const notAList = () =>
    new DtpError('bad_response', `the service did not send a list of ${noun}s`, { operation: list.id });
  const rows: unknown[] = [];
  const seen = new Set<string>();
  for (let token: string | undefined; ; ) {
    const answer = await ask(token === undefined ? {} : { next_page_token: token });
    if (answer.kind !== 'json') throw notAList();
    const { rows: name } = list;
    // Services may send null for an empty list.
    const page = (name === undefined ? answer.value : fieldsOf(answer.value)[name]) ?? [];
    if (!Array.isArray(page)) throw notAList();
    // A spread would overflow the stack with a long page.
    for (const row of page) rows.push(row);
    const { next_page_token: next } = fieldsOf(answer.value);
    if (typeof next !== 'string' || next === '') return thingsIn(rows, resource);
    if (seen.has(next)) throw notAList();
    seen.add(next);
    token = next;
  }
}
