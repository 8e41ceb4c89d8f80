/** Turns the outcome of a delivery into a result or an error. */
import { changedError, DtpError, type Facts } from '../../errors.ts';
import type { Delivery } from '../../flows/deliver.ts';
import { isCredentialRefused } from '../../flows/settle.ts';
import { isRecord } from '../../json-object.ts';
import { amount, counted, durationText, sizeText } from '../../render/amounts.ts';

export interface PostOutcome {
  readonly delivery: Delivery;
  /** The number of invalid events that were skipped. */
  readonly skipped: number;
  /** How far the input was read, such as `line 500`, or '' if nothing was read. */
  readonly place: string;
  /** Whether events that cannot be delivered are queued on the disk. */
  readonly isQueued: boolean;
  /** The command that sends the queued events to the same service. */
  readonly flush: string;
  /** Whether the events are for an embedded service, which may lose them when it ends. */
  readonly isEmbedded: boolean;
  readonly elapsedMs: number;
}

/** The result on success, and the error's details on failure. */
export const postResultOf = ({ delivery, skipped, elapsedMs }: PostOutcome) => ({
  ...delivery.tally,
  elapsed_ms: elapsedMs,
  ...(skipped > 0 && { skipped }),
});

/** `Delivered 2 events  579 bytes, 191 ms` */
export const deliveredText = ({ delivery: { tally }, elapsedMs }: PostOutcome): string =>
  `Delivered ${amount(tally.delivered, 'event')}  ${sizeText(tally.bytes)}, ${durationText(elapsedMs)}`;

/** `2 delivered, 1 queued` */
export function tallyText({ delivery: { tally }, skipped }: PostOutcome): string {
  const others = { queued: tally.pending, rejected: tally.rejected, skipped };
  const parts = Object.entries(others).flatMap(([how, count]) => (count > 0 ? [`, ${counted(count)} ${how}`] : []));
  return `${counted(tally.delivered)} delivered${parts.join('')}`;
}

/** Undefined if every event was delivered. */
export function failureOf(outcome: PostOutcome): DtpError | undefined {
  const { delivery, skipped, isQueued, flush, isEmbedded } = outcome;
  const { tally, failure, refusal, ended } = delivery;
  const details = { details: postResultOf(outcome) };
  const queued = {
    hint: `${queuedText(tally.pending)}. Send ${tally.pending === 1 ? 'it' : 'them'} ${isEmbedded ? 'while this service runs, ' : ''}with:`,
    next: [flush],
  };
  const more = tally.pending > 0 ? queued : {};

  if (ended !== undefined) return stopped(outcome, { ...more, ...details });
  // Reports the rejected credential itself, because the hint of that error says how to get another one.
  if (failure && isCredentialRefused(failure)) {
    const text =
      tally.pending > 0
        ? `. ${queuedText(tally.pending)}; send ${tally.pending === 1 ? 'it' : 'them'} with: ${flush}`
        : '';
    return changedError(failure, withAnswer(failure, outcome), failure.message + text);
  }
  if (refusal && tally.rejected === tally.accepted)
    return changedError(refusal, { ...rejectedHint(isQueued), ...withAnswer(refusal, outcome) });
  if (refusal) {
    const others = [
      tally.delivered > 0 ? `${tally.delivered} delivered` : '',
      tally.pending > 0 ? `${tally.pending} queued` : '',
    ].filter(Boolean);
    const text = `${of(tally.rejected, tally.accepted)} rejected (${others.join(', ')}): ${refusal.message}`;
    return new DtpError('partial', text, { ...rejectedHint(isQueued), ...details, cause: refusal });
  }
  if (tally.pending > 0) {
    const text = `${tally.pending} of ${amount(tally.accepted, 'event')} could not be delivered${failure ? `: ${failure.message}` : ''}`;
    return new DtpError('kept', text, {
      ...queued,
      ...(failure && { attempts: tally.attempts, retryable: true, cause: failure }),
      // If retrying alone will not help, the hint begins with the fix.
      ...(failure?.facts.retryable === false && failure.facts.hint && { hint: `${failure.facts.hint} ${queued.hint}` }),
      ...details,
    });
  }
  if (skipped > 0) {
    const text = `${amount(skipped, 'invalid event was', 'invalid events were')} skipped, ${amount(tally.delivered, 'event was', 'events were')} delivered`;
    return new DtpError('partial', text, { hint: 'Fix them and send them again.', ...details });
  }
  return undefined;
}

/** Adds the result to the details that the service sent. */
function withAnswer({ facts }: DtpError, outcome: PostOutcome): Facts {
  const said = facts.details;
  const answer = isRecord(said) ? said : { answer: said };
  return { ...facts, details: { ...answer, ...postResultOf(outcome) } };
}

const rejectedHint = (isQueued: boolean): Facts =>
  isQueued ? { hint: 'Rejected events are stored separately. List them with:', next: ['dtp events queue list'] } : {};

/** How far the input was read, so that the user can continue from there. */
function readText({ delivery: { tally, left }, place }: PostOutcome): string {
  if (tally.accepted === 0) return 'no events were delivered or queued';
  const accepted = `${amount(tally.accepted, 'event was', 'events were')} accepted`;
  if (left === 0) return place === '' ? accepted : `${accepted}, up to ${place}. The rest was not read`;
  return `${accepted}, ${amount(left, 'more was', 'more were')} read but not accepted. Send the input again; events that have an id are not stored twice`;
}

export function interruptedText(outcome: PostOutcome): string {
  const { delivered, pending } = outcome.delivery.tally;
  const how = pending > 0 ? ` (send them with: ${outcome.flush})` : '';
  return `interrupted: ${amount(delivered, 'event')} delivered, ${pending} queued${how}. ${capitalized(readText(outcome))}`;
}

const queuedText = (count: number) => `${amount(count, 'event is', 'events are')} queued`;

/** `1 of 3 events was` */
const of = (some: number, all: number) => `${some} of ${amount(all, 'event')} ${some === 1 ? 'was' : 'were'}`;

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function stopped(outcome: PostOutcome, facts: Facts): DtpError {
  const { ended } = outcome.delivery;
  const error = ended instanceof DtpError ? ended : new DtpError('error', String(ended), { cause: ended });
  return changedError(error, facts, `${error.message}. ${capitalized(readText(outcome))}`);
}
