/** The size limits that several files share. A limit that only one file needs is in that file. */

export interface Limit {
  readonly bytes: number;
  /** In words, such as `64 MiB`. */
  readonly text: string;
}

const kibibytes = (count: number): Limit => ({ bytes: count * 1024, text: `${count} KiB` });
const mebibytes = (count: number): Limit => ({ bytes: count * 1024 ** 2, text: `${count} MiB` });

/**
 * For a response, or one row of a list that is written as it arrives. This much is held in memory (README, "Output and
 * errors").
 */
export const answerLimit = mebibytes(64);

/**
 * For a file, a document or standard input that is read as a whole. The embedded service accepts no larger document.
 */
export const inputLimit = mebibytes(64);

/** For a response that nobody needs: it is read only so that its connection can be reused. */
export const unneededLimit = kibibytes(64);

/** For a credential from standard input or from `credential_command` (README, "Settings, files and credentials"). */
export const credentialLimit = kibibytes(64);
