/** `dtp mcp`: a Model Context Protocol server that offers the operations as tools for agents. */
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalGiven } from '../local/command.ts';
import type { mcpFlags } from '../local/flags.ts';

/** Returns no result because the protocol uses standard output. */
export async function serveMcp(
  invocation: Invocation,
  { flags }: LocalGiven<typeof mcpFlags>,
): Promise<undefined> {
  const { serveTools } = await import('../mcp/server.ts');
  const { outputFile: _, query: __, fields: ___, ...others } = invocation.globals;
  await serveTools({ ...invocation, globals: others }, flags);
}
