/** Reads the names of a flag from its declaration. */
import type { Globals } from '../declarations/types.ts';

/** `-w, --workspace <id>` → `--workspace`. */
export const longName = (flag: string): string => /--[\w-]+/.exec(flag)?.[0] ?? '';

/** `--ca-cert <file>` → `caCert`. */
export const attributeName = (flag: string): keyof Globals =>
  longName(flag)
    .replace(/^--(no-)?/, '')
    .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof Globals;
