/** Creates the errors of the spool, with advice for the user. */
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { Exposed } from './exposure.ts';
import { reasonOf } from './files.ts';

/** Returns a function that throws the error for the queue, or for a file or folder in it. */
export const failedTo = (verb: 'use' | 'read' | 'delete', path: string) => (error: unknown) => {
  throw new DtpError('config', `cannot ${verb} ${path}: ${reasonOf(error)}`, {
    hint: 'Choose another folder for the queue with DTP_STATE_DIR, or send without queueing: --no-queue.',
    cause: error,
  });
};

export const notQueued = (folder: string, error: unknown) =>
  new DtpError('error', `events cannot be queued in ${folder}: ${reasonOf(error)}`, {
    hint: `${isFull(error) ? 'Free some space, choose' : 'Choose'} another folder with DTP_STATE_DIR, or send without queueing: --no-queue.`,
    cause: error,
  });

export const notLocked = (folder: string, error: unknown) =>
  new DtpError('kept', `events are still queued in ${folder}, because no lock can be created: ${reasonOf(error)}`, {
    hint: `${isFull(error) ? 'Free some space, and run' : 'Run'} the command again. Without a lock, another process could send the same events.`,
    next: ['dtp events queue list'],
    cause: error,
  });

export const exposedQueue = (folder: string, { why, advice, next }: Omit<Exposed, 'file' | 'isFolder'>) =>
  new DtpError('config', `the folder of the queue, ${folder}, ${why}`, {
    hint: `Choose another folder with DTP_STATE_DIR. Or ${advice}`,
    next,
  });

/** Whether an error means that the disk is full. A full spool is a different error. */
export const isFull = (error: unknown): boolean => {
  const code = systemCode(error instanceof Error ? (error.cause ?? error) : error);
  return code === 'ENOSPC' || code === 'EDQUOT';
};

export const queueFull = (limit: number) =>
  new DtpError('error', `the queue is full: its limit is ${limit} bytes`, {
    hint: 'Raise DTP_QUEUE_MAX_BYTES, or deliver or drop queued events.',
    next: ['dtp events queue flush', 'dtp events queue list'],
  });

/** The number of characters of an id that an error shows. */
const SHOWN = 40;

/** The error for a destination that is too long to store. It names the longer of the base URL and the workspace id. */
export const tooLong = ({ base, workspace }: { readonly base: string; readonly workspace: string }) => {
  const [what, text] = base.length > workspace.length ? ['base URL', base] : ['workspace id', workspace];
  return new DtpError('usage', `the ${what} is too long (${text.length} characters): ${text.slice(0, SHOWN)}…`, {
    hint: 'Check it with: dtp config explain',
  });
};
