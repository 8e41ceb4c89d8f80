/** Size limits that several files share. A limit that only one file uses is in that file. */

export interface Limit {
  readonly bytes: number;
  /** For people: `64 MiB`. */
  readonly text: string;
}

const kibibytes = (count: number): Limit => ({ bytes: count * 1024, text: `${count} KiB` });
const mebibytes = (count: number): Limit => ({ bytes: count * 1024 ** 2, text: `${count} MiB` });

/** The most that is held in memory of a response, or of one row of a list that is written as it arrives (README, "Output"). */
export const answerLimit = mebibytes(64);

/** The most that is read into memory from a file or standard input. The embedded service rejects larger documents. */
export const inputLimit = mebibytes(64);

/** The most that is read of a response that is not needed, so that its connection can be reused. */
export const unneededLimit = kibibytes(64);

/** The largest credential from standard input or `credential_command` (README, "Settings"). */
export const credentialLimit = kibibytes(64);
