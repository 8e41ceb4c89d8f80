/** What can go wrong with the spool, with the way on. */
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { reasonOf } from './files.ts';

export const unusable = (folder: string, error: unknown) =>
  new DtpError('config', `the spool ${folder} cannot be used: ${reasonOf(error)}`, {
    hint: 'Name another folder with DTP_STATE_DIR, or send without keeping: --no-spool.',
    cause: error,
  });

export const notKept = (folder: string, error: unknown) =>
  new DtpError('error', `events cannot be kept in ${folder}: ${reasonOf(error)}`, {
    hint: 'Make room, name another folder with DTP_STATE_DIR, or send without keeping: --no-spool.',
    cause: error,
  });

/** Of a disk, not of the spool. */
export const isFull = (error: unknown): boolean => {
  const code = systemCode(error instanceof Error ? (error.cause ?? error) : error);
  return code === 'ENOSPC' || code === 'EDQUOT';
};

export const full = (limit: number) =>
  new DtpError('error', `the spool is full: it may hold ${limit} bytes`, {
    hint: 'Set DTP_SPOOL_MAX_BYTES, or deliver or drop what is in it.',
    next: ['dtp events spool flush', 'dtp events spool list'],
  });

/** Characters of an id that an error shows. */
const SHOWN = 40;

/** Of a base URL and a workspace id, the longer one is at fault. */
export const tooLong = ({ base, workspace }: { readonly base: string; readonly workspace: string }) => {
  const [what, text] = base.length > workspace.length ? ['base URL', base] : ['workspace id', workspace];
  return new DtpError(
    'usage',
    `the ${what} is too long: it has ${text.length} characters, and begins with ${text.slice(0, SHOWN)}`,
    { hint: 'Check it with: dtp config explain' },
  );
};
