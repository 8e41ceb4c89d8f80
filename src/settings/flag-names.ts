/** Reads the names of a flag from its declaration. */
import type { Globals } from '../declarations/types.ts';

/** Returns the long name of a flag: `-w, --workspace <id>` → `--workspace`. */
export const longName = (flag: string): string => /--[\w-]+/.exec(flag)?.[0] ?? '';

/** Returns the name that commander gives to the value of a flag: `--ca-cert <file>` → `caCert`. */
export const attributeName = (flag: string): keyof Globals =>
  longName(flag)
    .replace(/^--(no-)?/, '')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof Globals;
