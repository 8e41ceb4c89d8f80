/** Lists the global flags, which every command accepts. */
import type { FlagForm } from '../declarations/flag.ts';
import type { SettingDeclaration } from '../declarations/row.ts';
import { allRows } from '../declarations/settings.ts';
import type { Globals } from '../declarations/types.ts';

export type { Globals } from '../declarations/types.ts';

/** Whether the request is shown instead of sent (`--dry-run` or `--curl`). */
export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

/** The declarations by the name of the flag. If two settings share a flag, the last one declares it. */
export const globalFlagDeclarations: ReadonlyMap<
  string,
  { readonly flag: FlagForm; readonly row: SettingDeclaration }
> = new Map(
  Object.values(allRows).flatMap((row) => {
    const { flag } = row;
    return flag === undefined ? [] : [[flag.name, { flag, row }] as const];
  }),
);

/** The long names of all global flags, without dashes. A field may have the same name (see tree/line.ts). */
export const globalNames: ReadonlySet<string> = new Set(globalFlagDeclarations.keys());
