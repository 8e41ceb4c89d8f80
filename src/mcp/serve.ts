/** Implements `dtp mcp`, which runs a Model Context Protocol server with the operations as tools for agents. */
import type { LocalInput } from '../commands/local-input.ts';
import type { Invocation } from '../invocation/invocation.ts';
import type { mcpFlags } from '../local/flags.ts';
import { serveTools } from './server.ts';

/** Runs the server. Returns no result, because the protocol uses stdout. */
export async function serveMcp(invocation: Invocation, { flags }: LocalInput<typeof mcpFlags>): Promise<undefined> {
  const { outputFile: _, query: __, fields: ___, ...others } = invocation.globals;
  await serveTools({ ...invocation, globals: others }, flags);
}
