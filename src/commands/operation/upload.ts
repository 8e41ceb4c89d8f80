/** Shows the progress of a file upload, and a note at its end with the size and the checksums. */
import { createHash } from 'node:crypto';
import { hasCode, withFacts } from '../../errors.ts';
import type { Ask } from '../../invocation/connection.ts';
import { type Input, isFile, type Operation } from '../../operations/operation.ts';
import { withSpinner } from '../../output/progress.ts';
import { counted, sizeText } from '../../render/amounts.ts';
import { commandLine, withoutTimeout } from '../../settings/command-line.ts';
import type { Work } from './work.ts';

/** The largest file with checksums by default, in bytes: they take longer than a fast upload (bench/upload.mjs). */
const checksumLimit = 256 * 1024 * 1024;

const algorithms = ['md5', 'sha256'] as const;

export function fileField(operation: Operation, input: Input) {
  for (const [name, field] of Object.entries(operation.input)) {
    const file = input[name];
    if (field.in === 'part' && field.kind === 'file' && isFile(file)) return { field: name, file };
  }
  return undefined;
}

/** Wraps `ask` to show progress while a file is sent, and to print the checksums, for a person only if asked. */
export function withUpload({ invocation, operation, input, given }: Omit<Work, 'calls'>, ask: Ask): Ask {
  const found = fileField(operation, input);
  if (found === undefined) return ask;
  const { file, field } = found;
  const { context, log } = invocation;
  const { checksum } = given.flow;
  const again = commandLine(withoutTimeout(given.argv));
  const isChecked = checksum || file.size <= checksumLimit;
  return async (more, signal) => {
    let line = '';
    const value = await withSpinner(context, operation.summary, (show) => {
      const open = async function* () {
        const hashes = isChecked ? algorithms.map((algorithm) => createHash(algorithm)) : [];
        let sent = 0;
        for await (const piece of file.open()) {
          for (const hash of hashes) hash.update(piece);
          yield piece;
          // The piece has been sent when the next one is requested.
          sent += piece.byteLength;
          show({ text: file.name, done: sent, total: file.size });
        }
        show({ text: `${file.name}: waiting for the service`, done: sent, facts: [`${sizeText(sent)} sent`] });
        const sums = hashes.map((hash, at) => `, ${algorithms[at]} ${hash.digest('hex')}`);
        line = `${file.name}: ${counted(sent)} bytes${sums.join('')}`;
      };
      return ask({ [field]: { ...file, open }, ...more }, signal).catch((error: unknown) => {
        // The service discards an incomplete form, so the file must be sent again from the start.
        throw hasCode(error, 'network', 'timeout') ? withFacts(error, { next: [again] }) : error;
      });
    });
    // The sentence at the end has the name and the size.
    if (context.stderr.isTTY !== true || checksum) log.note(line);
    return value;
  };
}
