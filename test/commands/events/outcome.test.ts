/** The outcome of a delivery: the result, the error with its exit code, and the lines that a user reads. */
import { expect, test } from 'vitest';
import { failureOf, interruptedText, type PostOutcome, postResultOf } from '../../../src/commands/events/outcome.ts';
import { progressOf } from '../../../src/commands/events/progress.ts';
import { DtpError, exitCodeOf } from '../../../src/errors.ts';
import type { Delivery, Tally } from '../../../src/flows/deliver.ts';
import { progressText } from '../../../src/render/progress.ts';

type Counts = Partial<Omit<Tally, 'accepted'>>;

const tallyOf = (counts: Counts): Tally => {
  const all = { delivered: 0, pending: 0, rejected: 0, batches: 1, attempts: 1, bytes: 9, ...counts };
  return { accepted: all.delivered + all.pending + all.rejected, ...all };
};

function outcome(counts: Counts, delivery: Partial<Delivery> = {}, more: Partial<PostOutcome> = {}): PostOutcome {
  return {
    delivery: {
      tally: tallyOf(counts),
      failure: undefined,
      refusal: undefined,
      ended: undefined,
      left: 0,
      ...delivery,
    },
    skipped: 0,
    place: 'line 9',
    isQueued: true,
    flush: 'dtp events queue flush',
    isEmbedded: false,
    elapsedMs: 12,
    ...more,
  };
}

const network = new DtpError('network', 'host refused the connection', { attempts: 9, retryable: true });
const untrusted = new DtpError('network', 'no secure connection', {
  retryable: false,
  hint: 'Give --ca-cert.',
});
const late = new DtpError('timeout', 'no result within 2 s', { hint: 'Allow more time with --timeout.' });
const refused = new DtpError('rejected', '422 from POST /x: no', { status: 422, details: { message: 'no' } });
const gone = new DtpError('not_found', '404 from POST /x: gone', { status: 404 });
const wrong = new DtpError('auth', '401 from POST /x: wrong', { status: 401 });
const barred = new DtpError('forbidden', '403 from POST /x: barred', { status: 403 });
const full = new DtpError('error', 'the queue is full', { next: ['dtp events queue list'] });
const bad = new DtpError('usage', '--body: line 10 is 5', { hint: 'Fix it.' });
const flush = ['dtp events queue flush'];
const list = ['dtp events queue list'];

test.each<readonly [name: string, given: PostOutcome, code: number, message: string, facts: object]>([
  ['all events are delivered', outcome({ delivered: 3 }), 0, '', {}],
  ['there were no events', outcome({ batches: 0 }, {}, { place: '' }), 0, '', {}],
  ['delivered after an outage', outcome({ delivered: 3 }, { failure: network }), 0, '', {}],
  [
    'the network is down',
    outcome({ delivered: 1, pending: 2 }, { failure: network }),
    75,
    '2 of 3 events could not be delivered: host refused the connection',
    { hint: '2 events are queued. Send them with:', next: flush, attempts: 1, retryable: true },
  ],
  [
    'a failure that does not pass by itself',
    outcome({ pending: 2 }, { failure: untrusted }),
    75,
    '2 of 2 events could not be delivered: no secure connection',
    { hint: 'Give --ca-cert. 2 events are queued. Send them with:', next: flush },
  ],
  [
    'one is kept',
    outcome({ pending: 1 }, { failure: late }),
    75,
    '1 of 1 event could not be delivered: no result within 2 s',
    { hint: '1 event is queued. Send it with:', next: flush },
  ],
  [
    'all events are rejected',
    outcome({ rejected: 2 }, { refusal: refused }),
    7,
    '422 from POST /x: no',
    { status: 422, details: { message: 'no' }, next: list },
  ],
  [
    'all events are rejected and not queued',
    outcome({ rejected: 2 }, { refusal: refused }, { isQueued: false }),
    7,
    '422 from POST /x: no',
    { status: 422, next: undefined, hint: undefined },
  ],
  ['the workspace does not exist', outcome({ rejected: 2 }, { refusal: gone }), 6, '404 from POST /x: gone', {}],
  [
    'some events are rejected',
    outcome({ delivered: 3, rejected: 1, pending: 2 }, { refusal: refused, failure: network }),
    14,
    '1 of 6 events was rejected (3 delivered, 2 queued): 422 from POST /x: no',
    { next: list },
  ],
  [
    'the credential is wrong',
    outcome({ pending: 2 }, { failure: wrong }),
    4,
    '401 from POST /x: wrong. 2 events are queued; send them with: dtp events queue flush',
    { status: 401, hint: undefined, next: undefined },
  ],
  [
    'the credential has no permission',
    outcome({ delivered: 1, pending: 1 }, { failure: barred }),
    5,
    '403 from POST /x: barred. 1 event is queued; send it with: dtp events queue flush',
    {},
  ],
  [
    'an invalid event stops it',
    outcome({ delivered: 9 }, { ended: bad }),
    2,
    '--body: line 10 is 5. 9 events were accepted, up to line 9. The rest was not read',
    { hint: 'Fix it.' },
  ],
  [
    'an invalid event stops it before the first batch',
    outcome({}, { ended: bad }, { place: '' }),
    2,
    '--body: line 10 is 5. No events were delivered or queued',
    {},
  ],
  [
    'the time runs out with events in the queue',
    outcome({ delivered: 1, pending: 2 }, { ended: late, failure: network }),
    124,
    'no result within 2 s. 3 events were accepted, up to line 9. The rest was not read',
    { hint: '2 events are queued. Send them with:', next: flush },
  ],
  [
    'the queue is full',
    outcome({ delivered: 4 }, { ended: full, left: 5 }),
    1,
    'the queue is full. 4 events were accepted, 5 more were read but not accepted. ' +
      'Send the input again; events that have an id are not stored twice',
    { next: list },
  ],
  [
    'without a queue, the network is down',
    outcome({}, { ended: network, failure: network, left: 5 }, { isQueued: false }),
    11,
    'host refused the connection. No events were delivered or queued',
    { attempts: 9 },
  ],
  [
    'invalid events were skipped',
    outcome({ delivered: 3 }, {}, { skipped: 2 }),
    14,
    '2 invalid events were skipped, 3 events were delivered',
    { hint: 'Fix them and send them again.' },
  ],
  [
    'invalid events were skipped, and the others queued',
    outcome({ pending: 3 }, { failure: network }, { skipped: 2 }),
    75,
    '3 of 3 events could not be delivered: host refused the connection',
    { next: flush },
  ],
  [
    'a bug',
    outcome({ pending: 3 }, { ended: new Error('oh') }),
    1,
    'Error: oh. 3 events were accepted, up to line 9. The rest was not read',
    { next: flush },
  ],
])('%s', (_, given, code, message, facts) => {
  const failure = failureOf(given);
  expect(failure ? [exitCodeOf(failure), failure.message] : [0, '']).toEqual([code, message]);
  if (failure) expect({ ...absent(facts), ...failure.facts }).toMatchObject(facts);
  if (failure && !failure.facts.status) expect(failure.facts.details).toEqual(postResultOf(given));
});

/** The keys that must be absent, so that `toMatchObject` checks them. */
const absent = (facts: object) => Object.fromEntries(Object.keys(facts).map((key) => [key, undefined]));

test('the result has every count, and the skipped events only if there are some', () => {
  const counts = {
    accepted: 6,
    delivered: 3,
    pending: 2,
    rejected: 1,
    batches: 4,
    attempts: 5,
    bytes: 9,
    elapsed_ms: 12,
  };
  const given = outcome({ delivered: 3, pending: 2, rejected: 1, batches: 4, attempts: 5 });
  expect(postResultOf(given)).toEqual(counts);
  expect(postResultOf({ ...given, skipped: 7 })).toEqual({ ...counts, skipped: 7 });
});

test.each([
  [
    outcome({ delivered: 2, pending: 3 }),
    'interrupted: 2 events delivered, 3 queued (send them with: dtp events queue flush). ' +
      '5 events were accepted, up to line 9. The rest was not read',
  ],
  [outcome({}, {}, { place: '' }), 'interrupted: 0 events delivered, 0 queued. No events were delivered or queued'],
])('an interrupt is reported: %#', (given, text) => {
  expect(interruptedText(given)).toBe(text);
});

test.each([
  [{ delivered: 0 }, 10, 0, undefined, '0 delivered'],
  [{ delivered: 999 }, 999, 5, 10, '999 delivered, 50 %'],
  [{ delivered: 12_000 }, 1500, 40, 100, '12,000 delivered, 8,000/s, 40 %, 3 s left'],
  [{ delivered: 1_234_567 }, 1000, 1, undefined, '1,234,567 delivered, 1,234,567/s, 1 s'],
  [{ delivered: 5, pending: 1000, rejected: 2 }, 500, 1, undefined, '5 delivered, 1,000 queued, 2 rejected'],
  [{ delivered: 10 }, 10_000, 5, 100, '10 delivered, 1/s, 5 %, 3 min left'],
  [{ delivered: 10 }, 100_000, 1, 200, '10 delivered, 0/s, 0 %, 6 h left'],
  [{ delivered: 10 }, 1000, 100, 100, '10 delivered, 10/s, 100 %'],
])('progress: %j', (counts, elapsedMs, read, size, text) => {
  const progress = progressOf({ tally: tallyOf(counts), isOut: true, elapsedMs, read, size });
  expect(progressText(progress, elapsedMs, 0)).toBe(text);
});
