/** Runs a tool call like a command, and returns its result or its error to the client. No error stops the server. */
import { messageOf } from '../caught.ts';
import { perform } from '../commands/operation/perform.ts';
import type { Context } from '../context.ts';
import { DtpError, hasCode } from '../errors.ts';
import type { ParsedArguments } from '../input/read.ts';
import { type Invocation, openInvocation } from '../invocation/invocation.ts';
import { withIds } from '../invocation/names-input.ts';
import { openCalls } from '../invocation/over.ts';
import type { InputOf, Operation } from '../operations/operation.ts';
import type { Log } from '../output/log.ts';
import type { Globals } from '../settings/global-flags.ts';
import { type FlowValues, flowDefaults } from '../tree/flow-flags.ts';
import { argumentsOf } from '../tree/operation-flags.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Connections } from './connections.ts';
import { type AnsweredCall, errorOf, type Shown, shownResult, toolResult, withLimit } from './result.ts';
import type { Roots } from './roots.ts';
import { pushTool } from './tools.ts';

/** The state that all calls of a server share. */
export interface World extends Pick<Invocation, 'context' | 'globals'> {
  readonly roots: Roots;
  readonly connections: Connections;
  /** The log of all calls. It masks every secret used so far, as a service may repeat one in a later response. */
  readonly log: Log;
}

/** What a client sets for one call. */
export interface CallControl {
  /** Aborts the call. */
  readonly signal: AbortSignal;
  /** Takes the progress, if the client wants it. */
  readonly report?: Context['report'];
}

type Given = Readonly<Record<string, unknown>>;

/** Runs a tool call. Never throws, because errors become results. */
export async function callTool(world: World, operation: Operation, given: Given, asked: CallControl) {
  try {
    return toolResult(await runTool(world, operation, given, asked));
  } catch (error) {
    return errorOf(asFailure(error), world.log, operation);
  }
}

/** Runs the operation of a tool, and returns what its client gets to see. */
export async function runTool(world: World, operation: Operation, given: Given, asked: CallControl): Promise<Shown> {
  const read = await readArguments(operation, given, { ...world.context, ...asked }, world.roots);
  const invocation = await openCall(world, operation.command, { ...read.settings, json: true }, asked);
  return answered(world, invocation, operation, read);
}

/** Returns the invocation of a call. It ignores the output format that the user has set. */
export async function openCall(world: World, argv: readonly string[], own: Partial<Globals>, asked: CallControl) {
  const { output: _, ...others } = world.globals;
  const globals = { ...others, ...own, progress: false, input: false };
  const opened = await openInvocation({ ...world.context, ...asked }, { argv, globals });
  return { ...opened, log: world.log, connect: world.connections.take };
}

/** Converts any error to a DtpError. An error of another type is a bug. */
export const asFailure = (error: unknown): DtpError =>
  error instanceof DtpError ? error : new DtpError('error', messageOf(error));

async function answered(
  { connections, log, roots }: World,
  invocation: Invocation,
  operation: Operation,
  { input, members, query, flow }: Arguments,
): Promise<Shown> {
  const isEmbedded = invocation.settings.values.base_url?.value.startsWith('local:') === true;
  const { signal } = invocation.context;
  const asked: AnsweredCall = { operation, input, globals: invocation.globals, query, signal, isEmbedded, log };
  if (operation.flow === 'spool') {
    const { postEvents } = await import('../commands/events/post.ts');
    const flags = { body: JSON.stringify(input.body) };
    const result = await postEvents(invocation, operation, { ...parsedOf(operation, {}), flags });
    return shownResult(asked, result).finally(result.calls?.end);
  }
  if (operation === pushTool) {
    const { pushRevision } = await import('../commands/artifacts/push.ts');
    const { path, namespace_name, tags } = input as InputOf<typeof pushTool>;
    const place = await roots.place(path, 'path');
    const given = { args: [place.real, namespace_name], flags: { tag: tags ?? [] } };
    const result = await pushRevision(invocation, { ...given, place });
    return shownResult(asked, result).finally(result.calls?.end);
  }
  const { calls, open } = await openCalls(invocation, { operation, input });
  try {
    const { input: full } = await withIds(invocation, operation, { input, members }, calls);
    const limited = withLimit(operation, full, query);
    const given = { ...parsedOf(operation, flow), args: argumentsOf(operation).map(([name]) => String(full[name])) };
    const result = await perform({ invocation, operation, given, input: limited, calls });
    return await shownResult({ ...asked, signal: open.signal }, result);
  } catch (error) {
    if (hasCode(error, 'auth', 'config')) connections.forget({ operation, settings: invocation.settings });
    throw open.explain(error);
  } finally {
    await open.end();
  }
}

/** Returns the parsed form of a command line that has only these flags, and default values for the others. */
const parsedOf = (operation: Operation, flow: FlowValues): ParsedArguments => ({
  argv: operation.command,
  args: [],
  flags: {},
  // A tool sends the request of its operation. It sends others only to wait, for all pages, or for a short URL.
  flow: { ...flowDefaults(operation), lookup: false, ...flow },
});
