/** `dtp mcp`: the operations as tools of a Model Context Protocol server, for agents. */
import type { Invocation } from '../invocation/invocation.ts';
import type { LocalGiven } from '../local/command.ts';
import type { mcpFlags } from '../local/flags.ts';

/** Standard output is the protocol's: there is no result to write. */
export async function serveMcp(
  invocation: Invocation,
  { flags }: LocalGiven<typeof mcpFlags>,
): Promise<undefined> {
  const { serveTools } = await import('../mcp/server.ts');
  const { outputFile: _, query: __, fields: ___, ...others } = invocation.globals;
  await serveTools({ ...invocation, globals: others }, flags);
}
