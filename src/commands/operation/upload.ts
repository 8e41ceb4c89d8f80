/** A file on its way to the service: how far it is, and at its end what was sent. */
import { createHash } from 'node:crypto';
import { DtpError, withFacts } from '../../errors.ts';
import type { Ask } from '../../invocation/call.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { type FileValue, type Input, isFile, type Operation } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import { bytesText, counted } from '../../render/amounts.ts';

/**
 * Bytes of a file up to which its checksums are computed unasked. They take three times as long as the sending on a quick
 * connection (bench/upload.mjs).
 */
const checksumLimit = 256 * 1024 * 1024;

const algorithms = ['md5', 'sha256'] as const;

/** The file of an operation's one file part, if the input has it. */
export function fileField(operation: Operation, input: Input): Pick<Upload, 'field' | 'file'> | undefined {
  for (const [name, field] of Object.entries(operation.input)) {
    const file = input[name];
    if (field.in === 'part' && field.kind === 'file' && isFile(file)) return { field: name, file };
  }
  return undefined;
}

/** A file that is to be sent. */
export interface Upload {
  readonly file: FileValue;
  readonly field: string;
  /** Whether the checksums are wanted whatever they cost. */
  readonly checksum: boolean;
  /** The command line that sends it again. */
  readonly again: string;
}

/** `ask` for an input with a file in `field`: with progress while it is sent, and one line on stderr when it is. */
export function asUpload({ context, log }: Invocation, operation: Operation, given: Upload, ask: Ask): Ask {
  const { file, field } = given;
  const isChecked = given.checksum || file.size <= checksumLimit;
  return async (more, signal) => {
    let line = '';
    const value = await withSpinner(context, operation.summary, (show) => {
      const open = async function* () {
        const hashes = isChecked ? algorithms.map((algorithm) => createHash(algorithm)) : [];
        const start = context.clock.now();
        let sent = 0;
        for await (const piece of file.open()) {
          for (const hash of hashes) hash.update(piece);
          sent += piece.byteLength;
          show(`${file.name}: ${bytesText(sent, file.size, context.clock.now() - start)}`);
          yield piece;
        }
        const sums = hashes.map((hash, at) => `, ${algorithms[at]} ${hash.digest('hex')}`);
        line = `${file.name}: ${counted(sent)} bytes${sums.join('')}`;
      };
      return ask({ [field]: { ...file, open }, ...more }, signal).catch((error: unknown) => {
        // A service keeps nothing of half a form, so it is sent again from its beginning.
        throw isCut(error) ? withFacts(error, { next: [given.again] }) : error;
      });
    });
    log.note(line);
    return value;
  };
}

const isCut = (error: unknown) =>
  error instanceof DtpError && (error.code === 'network' || error.code === 'timeout');
