/** Lists the local commands in the order of the help. */
import type { LocalCommand, LocalCommands } from './command.ts';
import { machineCommands } from './machine.ts';
import { platformCommands } from './platform.ts';

const listed = (commands: LocalCommands, way: LocalCommand['way']): readonly LocalCommand[] =>
  Object.entries(commands).map(([words, rest]) => ({ words, effect: 'read', ...rest, way: { ...way, ...rest.way } }));

/** Commands for what this machine has also run if settings are invalid. */
export const localCommands = [...listed(platformCommands, {}), ...listed(machineCommands, { collectFaults: true })];
