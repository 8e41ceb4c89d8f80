/** Every exit code with its name and when it comes: for the topic, the schema and the manual. */
import { entriesOf } from '../entries.ts';
import { type ErrorCode, exitCodes, signals } from '../errors.ts';

export interface ExitCodeRow {
  readonly code: number;
  readonly name: string;
  readonly when: string;
}

const reasons: Readonly<Record<ErrorCode, string>> = {
  error: 'a fault of the tool, a full disk',
  usage:
    'an unknown command or flag, a bad or missing value, --yes missing without a terminal, no id or name for -o name',
  config: 'no base address, no workspace, a configuration that cannot be read',
  auth: 'no credential, or 401',
  forbidden: '403',
  not_found: '404 or 410',
  rejected: 'any other 4XX',
  pending: 'a job that still runs',
  rate_limited: '429',
  server: '5XX, after the retries that are declared',
  network: 'the connection: names, refusals, resets, TLS, proxies',
  bad_response: 'an answer that cannot be decoded, a digest that does not match, an unexpected redirect',
  partial: 'some of many failed',
  cancelled: 'you said no',
  kept: 'events are kept, to be delivered later',
  timeout: 'a deadline passed',
};

/** By code. */
export const exitCodeRows: readonly ExitCodeRow[] = [
  { code: 0, name: 'ok', when: 'also an empty list' },
  ...entriesOf(exitCodes).map(([name, code]) => ({ code, name, when: reasons[name] })),
  ...Object.entries(signals)
    .map(([signal, code]) => ({ code, name: signal.toLowerCase(), when: `ended by ${signal}` }))
    .sort((one, other) => one.code - other.code),
];
