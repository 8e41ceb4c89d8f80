/** The one action of every operation: input → request → send → read → render. */
import type { Context } from '../context.ts';
import type { FileValue, Operation } from '../operations/operation.ts';
import { buildRequest } from '../request/build.ts';
import { pathOf } from '../request/url.ts';
import { advise, commandLine, withoutTimeout } from './advice.ts';
import { type Ask, exchange } from './call.ts';
import { checkChart, emitChart } from './chart.ts';
import { checkInput } from './check.ts';
import { confirm } from './confirm.ts';
import { baseAddress, connect } from './connection.ts';
import { openDeadline } from './deadline.ts';
import { emitUnsent, isUnsent } from './dry-run.ts';
import { checkOutput, emitValue } from './emit.ts';
import { openFiles } from './files.ts';
import { withPlaceholders, withSettings } from './filled.ts';
import type { Globals } from './globals.ts';
import { type Given, readInput } from './input.ts';
import { checkLink, emitLink } from './links.ts';
import { openLog } from './log.ts';
import { type Output, outputOf } from './output.ts';
import { emitPages } from './pages.ts';
import { pickMissing } from './pick.ts';
import { senderOf, withHead } from './sender.ts';
import { resolveSettings } from './settings.ts';
import { withSpinner } from './spinner.ts';
import { strangeValues } from './strange-values.ts';
import { asUpload, fileField } from './upload.ts';
import { verifiedValue } from './verify.ts';
import { checkTimes, emitAwaited } from './wait.ts';

export async function runOperation(
  context: Context,
  operation: Operation,
  typed: Given,
  flags: Globals,
): Promise<void> {
  if (typed.flow.skeleton) {
    const { emitSkeleton } = await import('./skeleton.ts');
    return emitSkeleton(context, operation, flags);
  }
  const log = openLog(context, flags);
  const asked = { given: typed, globals: flags };
  const { given, globals } = await pickMissing(context, operation, asked, log);
  for (const note of strangeValues(operation, given)) log.note(note);
  if (operation.flow === 'spool') {
    const { runPost } = await import('./events/post.ts');
    return runPost(context, operation, given, globals);
  }
  if (operation.deprecated !== undefined)
    log.warn(`dtp ${operation.command.join(' ')} is deprecated; use dtp ${operation.deprecated}`);

  const settings = await resolveSettings(context, globals);
  for (const fault of settings.faults) log.warn(fault.message);
  const made = await outputOf(context, globals, settings);
  // What a path of the user's answers is told only by its bytes: they are decoded, unless raw ones are asked for.
  const output = operation.id === 'api' ? { ...made, asked: made.format } : made;
  const input = await readInput(operation, given, context, openFiles(context));
  checkInput(operation, withPlaceholders(operation, input), given.argv);
  // Refuses ids that cannot be sent, before anything is asked.
  pathOf(operation.path, withPlaceholders(operation, input));
  await checkOutput(output);
  if (operation.flow === 'wait') checkTimes(given.flow);
  if (given.flow.chart) checkChart(output);
  await checkLink(context, given.flow, baseAddress(settings).value, output);

  const connection = await connect({ context, settings, globals, operation, log });
  try {
    if (isUnsent(globals)) {
      const full = await withSettings(operation, input, settings, connection, undefined);
      return await emitUnsent(context, operation, full, settings, connection, globals, output, log);
    }
    // Before the clock runs: a person may think as long as he likes.
    await confirm(context, globals, operation, given);
    const deadline = openDeadline(context, operation, settings);
    try {
      const full = await withSettings(operation, input, settings, connection, deadline.signal);
      const sender = await senderOf(context, operation, full, connection, deadline.signal);
      const send = deadline.moving(given.flow.include ? withHead(context, sender) : sender);
      const read = isAsItComes(output, given.flow) ? ({ ...operation, result: 'bytes' } as const) : operation;
      const asked: Ask = (more, signal) => {
        const request = buildRequest(
          operation,
          { ...full, ...more },
          connection.target,
          `dtp-${context.uuid()}`,
        );
        return exchange(send, read, request, signal);
      };
      const field = fileField(operation, full);
      const upload = field && {
        file: full[field] as FileValue,
        field,
        checksum: given.flow.checksum === true,
        again: commandLine(withoutTimeout(given.argv)),
      };
      const ask = upload ? asUpload(context, operation, upload, asked, log) : asked;
      const first = full.next_page_token as string | undefined;
      const { flow } = given;
      const { signal, moving } = deadline;
      const all = {
        context,
        operation,
        settings,
        given,
        globals,
        flow,
        connection,
        input: full,
        first,
        ask,
        output,
        log,
        signal,
        moving,
      };
      if (operation.flow === 'pages') return await emitPages(all);
      if (flow.wait) return await emitAwaited(all);
      // An upload moves by itself.
      const value = upload
        ? await ask({}, signal)
        : await withSpinner(context, operation.summary, () => ask({}, signal));
      if (flow.chart) return await emitChart(context, operation.id, value, output, log);
      if (operation.flow === 'upload' || operation.flow === 'link') return await emitLink({ ...all, value });
      await emitValue(context, operation, verifiedValue(operation, full, value), output, log);
    } finally {
      deadline.end();
    }
  } catch (error) {
    throw advise(error, operation, settings, connection);
  } finally {
    await connection.close();
  }
}

/** The bytes of an answer, untouched, where nothing of it is needed. */
const isAsItComes = (
  { format, query, fields }: Output,
  { all, limit, wait, shorten, open, download }: Given['flow'],
) => format === 'raw' && !query && !fields && !all && !limit && !wait && !shorten && !open && !download;
