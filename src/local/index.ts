/** Lists the local commands in the order of the help. */
import { apiCommands } from './api.ts';
import { artifactsCommands } from './artifacts.ts';
import { authCommands } from './auth.ts';
import type { LocalCommand, LocalCommands } from './command.ts';
import { completionCommands } from './completion.ts';
import { configCommands } from './config.ts';
import { doctorCommands } from './doctor.ts';
import { eventsCommands } from './events.ts';
import { helpCommands } from './help.ts';
import { initCommands } from './init.ts';
import { mcpCommands } from './mcp.ts';
import { openCommands } from './open.ts';
import { schemaCommands } from './schema.ts';
import { serviceCommands } from './service.ts';
import { spoolCommands } from './spool.ts';
import { workspaceCommands } from './workspaces.ts';

const commands: LocalCommands = {
  ...initCommands,
  ...authCommands,
  ...workspaceCommands,
  ...eventsCommands,
  ...spoolCommands,
  ...artifactsCommands,
  ...apiCommands,
  ...completionCommands,
  ...configCommands,
  ...doctorCommands,
  ...openCommands,
  ...serviceCommands,
  ...mcpCommands,
  ...schemaCommands,
  ...helpCommands,
};

export const localCommands: readonly LocalCommand[] = Object.entries(commands).map(([words, rest]) => ({
  words,
  ...rest,
}));
