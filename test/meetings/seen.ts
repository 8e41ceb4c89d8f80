/** What can be seen of a run, without what differs in each run. */
import type { Subject } from './subjects.ts';

/** A value without what differs in each run. */
export const steady = ({ folder }: Subject, value: unknown): string =>
  (JSON.stringify(value) ?? '')
    .replaceAll(folder, 'FOLDER')
    .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+\/\d+/g, 'ADDRESS')
    .replace(/\d+(\.\d+)? ?ms|elapsed_ms[\\":\s]*\d+/g, 'MS');

/** Everything that anybody can see of a run. */
export const seen = (subject: Subject) => {
  const { code, stdout, stderr, file, made, requests } = subject;
  const sent = requests.map(({ method, url, body, headers }) => [method, url, body, headers]);
  return steady(subject, [code, stdout, stderr, file, made, sent]);
};

/** A request without new ids and times. */
export const masked = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value)
      .replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/g, 'UUID')
      .replace(/\b20[2-9]\d-\d\d-\d\dT[\d:.]+Z/g, 'TIME'),
  );

/** Flags that change nothing that a test can see, or only in a state that no answer here has. */
export const quiet = new Set([
  ...['--no-progress', '--show-secrets', '--color', '--allow-failure', '--timeout', '--retry', '-v', '--debug'],
  ...[
    '--open',
    '--wait-timeout',
    '--poll-interval',
    '--concurrency',
    '--on-error',
    '--no-check',
    '--no-queue',
    '--checksum',
  ],
  ...[
    '--no-fill',
    '--wait',
    '--no-lookup',
    '--passive',
    '--store',
    '--corrupt',
    '--rejected',
    '--all',
    '--chart',
    '--limit',
  ],
]);
