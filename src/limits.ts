/** The limits of size that more than one file keeps. A limit that one file alone keeps stands in that file. */

export interface Limit {
  readonly bytes: number;
  /** For people: `64 MiB`. */
  readonly text: string;
}

const kibibytes = (count: number): Limit => ({ bytes: count * 1024, text: `${count} KiB` });
const mebibytes = (count: number): Limit => ({ bytes: count * 1024 ** 2, text: `${count} MiB` });

/** Of an answer, or of one row of a list that is written as it arrives: what is held in memory (README, "Output"). */
export const answerLimit = mebibytes(64);

/** Of a file, a document or standard input that is read whole: the embedded service reads no larger document. */
export const inputLimit = mebibytes(64);

/** Of an answer that nobody needs: it is read so that its connection can be used again, if that is soon done. */
export const unneededLimit = kibibytes(64);

/** Of a credential, from standard input or from `credential_command` (README, "Settings"). */
export const credentialLimit = kibibytes(64);
