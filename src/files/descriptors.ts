/** The folder in which Linux shows the open files of this process, and where they really are. */
import { constants, existsSync } from 'node:fs';
import { sep } from 'node:path';

export const descriptors = '/proc/self/fd';

/** Flags to open a folder as the start of paths. O_PATH, which Node does not name, needs no permission to list it. */
export const folderFlags = 0o10000000 | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Whether this system has the folder. On Windows, the path would be a folder that anybody can create. */
export const hasDescriptors = (): boolean => sep === '/' && existsSync(descriptors);
