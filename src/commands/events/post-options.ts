/** Reads and checks the flags and variables of event delivery. */
import type { Context } from '../../context.ts';
import { DtpError } from '../../errors.ts';
import type { FlowValues } from '../../tree/flow-flags.ts';

export type PostOptions = ReturnType<typeof postOptions>;

/** The largest request body. */
export const batchBytes = 4 * 1024 * 1024;

/** Throws `usage` for a number that is out of range. */
export const postOptions = (flow: FlowValues) => ({
  batchSize: numberOf(flow.batchSize, '--batch-size', 10_000),
  concurrency: numberOf(flow.concurrency, '--concurrency', 64),
  /** Whether an invalid event is skipped instead of stopping the command. */
  skip: flow.onError === 'skip',
  /** Whether an object without any known event field is invalid. */
  check: flow.check !== false,
  fill: flow.fill !== false,
  spool: flow.queue !== false && flow.spool !== false,
});

function numberOf(given: string | undefined, name: string, most: number): number {
  const value = Number(given);
  if (/^\d+$/.test(given ?? '') && value >= 1 && value <= most) return value;
  throw new DtpError('usage', `${name} must be a number from 1 to ${most}, not "${given}"`);
}

/** Throws `config` if a variable is not a whole number above 0. */
export const spoolLimits = ({ env }: Pick<Context, 'env'>) => ({
  /** The maximum size of the whole queue. When it is full, no event is accepted. */
  bytes: limitOf(env, 'DTP_QUEUE_MAX_BYTES', 1024 ** 3),
  /** Older events are only sent by `dtp events queue flush`. */
  days: limitOf(env, 'DTP_QUEUE_MAX_DAYS', 30),
});

/** Also reads the earlier name of the variable, with SPOOL. */
function limitOf(env: Context['env'], name: string, usual: number): number {
  const limit = env[name] || env[name.replace('QUEUE', 'SPOOL')] || String(usual);
  if (/^\d+$/.test(limit) && Number(limit) > 0) return Number(limit);
  throw new DtpError('config', `${name} must be a whole number above 0, not "${limit}"`);
}
