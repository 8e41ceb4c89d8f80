/** The folder in which Linux shows the open files of this process, and where they really are. */
import { existsSync } from 'node:fs';
import { sep } from 'node:path';

export const descriptors = '/proc/self/fd';

/** Whether this system has the folder. On Windows, the path would be a folder that anybody can create. */
export const hasDescriptors = (): boolean => sep === '/' && existsSync(descriptors);
