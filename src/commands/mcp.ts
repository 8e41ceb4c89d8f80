/** Implements `dtp mcp`, which runs a Model Context Protocol server with the operations as tools for agents. */
import type { Invocation } from '../invocation/invocation.ts';
import type { mcpFlags } from '../local/flags.ts';
import type { LocalInput } from './local-input.ts';

/** Runs the server. Returns no result, because the protocol uses stdout. */
export async function serveMcp(
  invocation: Invocation,
  { flags }: LocalInput<typeof mcpFlags>,
): Promise<undefined> {
  const { serveTools } = await import('../mcp/server.ts');
  const { outputFile: _, query: __, fields: ___, ...others } = invocation.globals;
  await serveTools({ ...invocation, globals: others }, flags);
}
