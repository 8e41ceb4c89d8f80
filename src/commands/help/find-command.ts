/** Finds the command that the arguments of `dtp help` and `dtp schema` name. */
import { rootCommand } from '../../tree/tree.ts';

/** Throws `usage` for an unknown command. Suggestions begin with `before`, and may be one of `others` instead. */
export async function findCommand(names: readonly string[], before: readonly string[], others: readonly string[] = []) {
  let found = rootCommand;
  for (const name of names) {
    const next = found.commandNamed(name);
    if (!next) {
      const { unknownWords } = await import('../../suggest/usage-errors.ts');
      throw unknownWords(names, before, others);
    }
    found = next;
  }
  return found;
}
