/** Defines the size limits that several files share. A limit that only one file needs is in that file. */

export interface Limit {
  readonly bytes: number;
  /** The size as shown in messages, such as `64 MiB`. */
  readonly text: string;
}

const kibibytes = (count: number): Limit => ({ bytes: count * 1024, text: `${count} KiB` });
const mebibytes = (count: number): Limit => ({ bytes: count * 1024 ** 2, text: `${count} MiB` });

/** The limit for a response, or a row written as it arrives. It is held in memory (README, "Output and errors"). */
export const answerLimit = mebibytes(64);

/** The limit for a file or standard input that is read whole. The embedded service rejects larger documents. */
export const inputLimit = mebibytes(64);

/** The limit for all files of a command that are read whole. */
export const wholeLimit = mebibytes(128);

/** The limit for a response body that nobody needs. It is read only so that its connection can be reused. */
export const unneededLimit = kibibytes(64);

/** The limit for a credential from standard input or a command (README, "Settings, files and credentials"). */
export const credentialLimit = kibibytes(64);
