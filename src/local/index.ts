/** Lists the local commands in the order of the help. */
import type { LocalCommand, LocalCommands } from './command.ts';
import { machineCommands } from './machine.ts';
import { platformCommands } from './platform.ts';

const commands: LocalCommands = { ...platformCommands, ...machineCommands };

export const localCommands: readonly LocalCommand[] = Object.entries(commands).map(([words, rest]) => ({
  words,
  effect: 'read',
  ...rest,
}));
