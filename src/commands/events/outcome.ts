/** What came of a delivery → the result, or the failure that tells it. */

import { DtpError, type Facts } from '../../errors.ts';
import type { Delivery } from '../../flows/deliver.ts';
import { isShut } from '../../flows/settle.ts';
import { isRecord } from '../../json-object.ts';

export interface Outcome {
  readonly delivery: Delivery;
  /** Bad events that were left out. */
  readonly skipped: number;
  /** Where the input was taken in to: `line 500`; '' for nothing of it. */
  readonly place: string;
  readonly isKept: boolean;
  /** The command that delivers what is queued to the same service. */
  readonly flush: string;
  readonly elapsedMs: number;
}

/** The record that a script reads: on success the result, on failure the details. */
export const resultOf = ({ delivery, skipped, elapsedMs }: Outcome) => ({
  ...delivery.tally,
  elapsed_ms: elapsedMs,
  ...(skipped > 0 && { skipped }),
});

/** Undefined only where every event is acknowledged. */
export function failureOf(outcome: Outcome): DtpError | undefined {
  const { delivery, skipped, isKept, flush } = outcome;
  const { tally, failure, refusal, ended } = delivery;
  const details = { details: resultOf(outcome) };
  const kept = {
    hint: `Kept: ${tally.pending}. Deliver what is kept with:`,
    next: [flush],
  };
  const more = tally.pending > 0 ? kept : {};

  if (ended !== undefined) return stopped(outcome, { ...more, ...details });
  // The hint is the way to another credential.
  if (failure && isShut(failure)) {
    const text = tally.pending > 0 ? `; ${tally.pending} are kept for ${flush}` : '';
    return told(failure, failure.message + text, withAnswer(failure, outcome));
  }
  if (refusal && tally.rejected === tally.accepted)
    return told(refusal, refusal.message, { ...rejectedHint(isKept), ...withAnswer(refusal, outcome) });
  if (refusal) {
    const others = [
      tally.delivered > 0 ? `${tally.delivered} delivered` : '',
      tally.pending > 0 ? `${tally.pending} kept for later` : '',
    ].filter(Boolean);
    const text = `${tally.rejected} of ${tally.accepted} events were rejected (${others.join(', ')}): ${refusal.message}`;
    return new DtpError('partial', text, { ...rejectedHint(isKept), ...details, cause: refusal });
  }
  if (tally.pending > 0)
    return new DtpError(
      'kept',
      `${tally.pending} of ${tally.accepted} events could not be delivered${failure ? `: ${failure.message}` : ''}`,
      {
        ...kept,
        ...(failure && { attempts: tally.attempts, retryable: true, cause: failure }),
        // What does not pass by itself is mended first.
        ...(failure?.facts.retryable === false &&
          failure.facts.hint && { hint: `${failure.facts.hint} ${kept.hint}` }),
        ...details,
      },
    );
  if (skipped > 0)
    return new DtpError('partial', `${skipped} bad events were left out; ${tally.delivered} were delivered`, {
      hint: 'Fix them and send them again.',
      ...details,
    });
  return undefined;
}

/** The result beside what the service said. */
function withAnswer({ facts }: DtpError, outcome: Outcome): Facts {
  const said = facts.details;
  const answer = isRecord(said) ? said : { answer: said };
  return { ...facts, details: { ...answer, ...resultOf(outcome) } };
}

const rejectedHint = (isKept: boolean): Facts =>
  isKept ? { hint: 'They are stored separately. List them with:', next: ['dtp events spool list'] } : {};

/** How far it got, for somebody who goes on from there. */
function farText({ delivery: { tally, left }, place }: Outcome): string {
  if (tally.accepted === 0) return 'nothing was taken in';
  const taken = `${tally.accepted} events were taken in`;
  if (left === 0) return `${taken}, to ${place}; nothing behind it was`;
  return `${taken}, ${left} that were read were not: send the input again, where ids of their own keep events from being there twice`;
}

/** What a person is told who has interrupted it. */
export function interruptedText(outcome: Outcome): string {
  const { delivered, pending } = outcome.delivery.tally;
  const how = pending > 0 ? ` (deliver them with: ${outcome.flush})` : '';
  return `interrupted: ${delivered} events delivered, ${pending} kept${how}; ${farText(outcome)}`;
}

function stopped(outcome: Outcome, facts: Facts): DtpError {
  const { ended } = outcome.delivery;
  const error = ended instanceof DtpError ? ended : new DtpError('error', String(ended), { cause: ended });
  return told(error, `${error.message}; ${farText(outcome)}`, facts);
}

function told(error: DtpError, message: string, facts: Facts): DtpError {
  const failure = new DtpError(error.code, message, { ...error.facts, ...facts });
  if (error.stack !== undefined) failure.stack = error.stack;
  return failure;
}
