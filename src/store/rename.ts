/** Renames files and folders, also on Windows, where a virus scanner or another reader may have them open. */
import { rename as renameOnce } from 'node:fs/promises';
import { systemCode } from '../caught.ts';
import { isOnWindows } from '../system/platform.ts';

/** How long a rename is tried again, and the pause between two attempts, in milliseconds. */
const [patience, pause] = [1000, 20];

/** What Windows reports for a file that another program has open, and for a folder that contains one. */
const busy = ['EACCES', 'EBUSY', 'EPERM'];

interface System {
  readonly isWindows: boolean;
  readonly rename: (from: string, to: string) => Promise<void>;
}

/**
 * Renames a file or a folder. On Windows, tries again for a second while another program has it open. Throws file
 * system errors: EBUSY if it is still open then.
 */
export async function rename(
  from: string,
  to: string,
  { isWindows, rename: attempt }: System = { isWindows: isOnWindows, rename: renameOnce },
): Promise<void> {
  for (let left = patience; ; left -= pause)
    try {
      return await attempt(from, to);
    } catch (error) {
      if (!isWindows || !busy.includes(systemCode(error) ?? '')) throw error;
      if (left <= 0) throw Object.assign(new Error(`${to} is in use`, { cause: error }), { code: 'EBUSY' });
      await new Promise((done) => setTimeout(done, pause));
    }
}
