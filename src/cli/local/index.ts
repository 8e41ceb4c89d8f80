/** The commands that are no operations of the API, in the order of the help. */
import type { LocalCommand } from '../local-command.ts';
import { apiCommands } from './records/api.ts';
import { artifactsCommands } from './records/artifacts.ts';
import { authCommands } from './records/auth.ts';
import { completionCommands } from './records/completion.ts';
import { configCommands } from './records/config.ts';
import { doctorCommands } from './records/doctor.ts';
import { helpCommands } from './records/help.ts';
import { mcpCommands } from './records/mcp.ts';
import { schemaCommands } from './records/schema.ts';
import { serviceCommands } from './records/service.ts';
import { spoolCommands } from './records/spool.ts';

export const localCommands: readonly LocalCommand[] = [
  ...authCommands,
  ...spoolCommands,
  ...artifactsCommands,
  ...apiCommands,
  ...completionCommands,
  ...configCommands,
  ...doctorCommands,
  ...serviceCommands,
  ...mcpCommands,
  ...schemaCommands,
  ...helpCommands,
];

/** The one of these words. */
export const findLocal = (words: string): LocalCommand | undefined =>
  localCommands.find((one) => one.words === words);
