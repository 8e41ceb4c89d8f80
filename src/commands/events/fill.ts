/** Fills in missing required fields of events once, before the first attempt. Retries send the same values. */
import type { Context } from '../../context.ts';

/** The same time in milliseconds since 1970 and as RFC 3339. */
export interface Instant {
  readonly ms: number;
  readonly text: string;
}

export interface FillValues {
  readonly workspace: string;
  readonly execution: string;
  readonly now: () => Instant;
  readonly id: () => string;
}

/** RFC 9562 §5.7: 48 bits of milliseconds, then random bits, which come from a version 4 UUID. */
export const uuid7 = (ms: number, uuid4: string): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid4.slice(15)}`;
};

/** Inserts the missing fields at the start. The rest of the bytes is unchanged, so that numbers keep their digits. */
export function fillEvent(bytes: Buffer, given: Readonly<Record<string, unknown>>, filling: FillValues): Buffer {
  let missing = '';
  const add = (name: string, value: unknown) => {
    missing += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  };
  if (given.id === undefined) add('id', filling.id());
  if (given.workspace_id === undefined) add('workspace_id', filling.workspace);
  if (given.execution_id === undefined) add('execution_id', filling.execution);
  const { created_at: created, local_started_at: started, local_completed_at: completed } = given;
  // No filled-in time may contradict another one: an event starts before it is completed, and before it is created.
  if (created === undefined || started === undefined) {
    const now = filling.now();
    if (created === undefined) add('created_at', now.ms < msOf(started) ? started : now.text);
    if (started === undefined) {
      const first = msOf(completed) < now.ms ? { ms: msOf(completed), text: completed } : now;
      add('local_started_at', msOf(created) < first.ms ? created : first.text);
    }
  }
  if (missing === '') return bytes;
  const isEmpty = Object.keys(given).length === 0;
  return Buffer.concat([Buffer.from(`{${isEmpty ? missing.slice(0, -1) : missing}`), bytes.subarray(1)]);
}

/** Parses a time to milliseconds. Returns NaN, which is neither earlier nor later than any time, for anything else. */
const msOf = (time: unknown): number => (typeof time === 'string' ? Date.parse(time) : Number.NaN);

/** The variables with the run and the attempt in each CI system. */
const systems: readonly (readonly [name: string, run: string, attempt?: string])[] = [
  ['github', 'GITHUB_RUN_ID', 'GITHUB_RUN_ATTEMPT'],
  ['gitlab', 'CI_PIPELINE_ID', 'CI_JOB_ID'],
  ['buildkite', 'BUILDKITE_BUILD_ID', 'BUILDKITE_RETRY_COUNT'],
  ['circleci', 'CIRCLE_WORKFLOW_ID', 'CIRCLE_BUILD_NUM'],
  ['azure', 'BUILD_BUILDID', 'SYSTEM_JOBATTEMPT'],
  ['bitbucket', 'BITBUCKET_PIPELINE_UUID', 'BITBUCKET_STEP_RUN_NUMBER'],
  ['travis', 'TRAVIS_BUILD_ID'],
  ['jenkins', 'BUILD_TAG'],
  ['codebuild', 'CODEBUILD_BUILD_ID'],
];

/** Returns the execution id: `DTP_EXECUTION_ID`, or that of the CI run, which its steps share, or else a new one. */
export function executionOf({ env, date, uuid }: Pick<Context, 'env' | 'date' | 'uuid'>): string {
  if (env.DTP_EXECUTION_ID) return env.DTP_EXECUTION_ID;
  for (const [name, run, attempt] of systems)
    if (env[run]) return [name, env[run], attempt && env[attempt]].filter(Boolean).join('-');
  return uuid7(date().getTime(), uuid());
}
