/** Lists all exit codes with their names and meanings, for the help topic, the schema and the man pages. */
import { type ErrorCode, exitCodes, signals } from '../errors.ts';
import { entriesOf } from '../json-object.ts';

const reasons: Readonly<Record<ErrorCode, string>> = {
  error: 'internal error, or a full disk',
  usage: 'unknown command or flag, invalid or missing value, confirmation needed, no id or name for -o name',
  config: 'no base URL, no workspace, or an unreadable configuration',
  auth: 'no credential, or HTTP 401',
  forbidden: 'HTTP 403',
  not_found: 'HTTP 404 or 410',
  rejected: 'any other HTTP 4XX',
  pending: 'the job is still running',
  rate_limited: 'HTTP 429',
  server: 'HTTP 5XX, also after all retries',
  network: 'connection failed: DNS, refused, reset, TLS or proxy',
  bad_response: 'undecodable response, wrong digest or unexpected redirect',
  partial: 'the run failed, or some items failed and others succeeded',
  cancelled: 'declined at a prompt',
  kept: 'events are queued and will be sent later',
  timeout: 'timed out',
};

export const exitCodeRows = [
  { code: 0, name: 'ok', when: 'success, also for an empty list' },
  ...entriesOf(exitCodes).map(([name, code]) => ({ code, name, when: reasons[name] })),
  ...Object.entries(signals)
    .map(([signal, code]) => ({ code, name: signal.toLowerCase(), when: `stopped by ${signal}` }))
    .sort((one, other) => one.code - other.code),
];
