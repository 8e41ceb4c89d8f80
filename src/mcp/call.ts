/** Runs a tool call like a command, and returns its result or its error to the client. No error stops the server. */
import { messageOf } from '../caught.ts';
import { perform } from '../commands/operation/perform.ts';
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { ParsedArguments } from '../input/read.ts';
import { type Invocation, openInvocation } from '../invocation/invocation.ts';
import { withIds } from '../invocation/names-input.ts';
import { openCalls } from '../invocation/over.ts';
import type { Operation } from '../operations/operation.ts';
import type { Globals } from '../settings/global-flags.ts';
import { flowDefaults } from '../tree/flow-flags.ts';
import { type Arguments, readArguments } from './arguments.ts';
import type { Connections } from './connections.ts';
import { type AnsweredCall, errorOf, type ToolResult, toolResult, withLimit } from './result.ts';
import type { Roots } from './roots.ts';

/** The state that all calls of a server share. */
export interface World {
  readonly context: Context;
  readonly globals: Globals;
  readonly roots: Roots;
  readonly connections: Connections;
  /** Every secret used so far, because a service may repeat one in the response to a later call. */
  readonly secrets: Set<string>;
}

/** Runs a tool call. Never throws, because errors become results. `signal` aborts the call. */
export async function callTool(
  world: World,
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const context = { ...world.context, signal };
  try {
    const read = await readArguments(operation, given, context, world.roots);
    // Always use JSON, whatever output format the user has set, because the tool result is made from the value.
    const { output: _, ...others } = world.globals;
    const globals = { ...others, ...read.settings, json: true, progress: false, input: false };
    const opened = await openInvocation(context, { argv: operation.command, globals });
    return await answered(world, { ...opened, connect: world.connections.take }, operation, read);
  } catch (error) {
    return errorOf(asFailure(error), [...world.secrets]);
  }
}

/** Converts any error to a DtpError. An error of another type is a bug. */
const asFailure = (error: unknown): DtpError =>
  error instanceof DtpError ? error : new DtpError('error', messageOf(error));

async function answered(
  { connections, secrets }: World,
  invocation: Invocation,
  operation: Operation,
  { input, members, query }: Arguments,
): Promise<ToolResult> {
  const asked: AnsweredCall = { operation, input, globals: invocation.globals, query, secrets };
  if (operation.flow === 'spool') {
    const { postEvents } = await import('../commands/events/post.ts');
    const flags = { body: JSON.stringify(input.body) };
    const result = await postEvents(invocation, operation, { ...defaultsOf(operation), flags });
    return toolResult(asked, result).finally(result.calls?.end);
  }
  const { calls, open } = await openCalls(invocation, { operation, input });
  const keepSecrets = () => {
    for (const secret of calls.connection.secrets) secrets.add(secret);
  };
  try {
    const { input: full } = await withIds(invocation, operation, { input, members }, calls);
    const limited = withLimit(operation, full, query);
    const given = defaultsOf(operation);
    const result = await perform({ invocation, operation, given, input: limited, calls });
    keepSecrets();
    return await toolResult(asked, result);
  } catch (error) {
    if (isStale(error)) connections.forget({ operation, settings: invocation.settings });
    throw open.explain(error);
  } finally {
    keepSecrets();
    await open.end();
  }
}

/** Returns the parsed form of a command line that only has default values. */
const defaultsOf = (operation: Operation): ParsedArguments => ({
  argv: operation.command,
  args: [],
  flags: {},
  // A tool sends the request of its operation, and no other.
  flow: { ...flowDefaults(operation), lookup: false },
});

const isStale = (error: unknown) => error instanceof DtpError && (error.code === 'auth' || error.code === 'config');
