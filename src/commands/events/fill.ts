/** Fills in missing required fields of events once, before the first attempt. Retries send the same values. */
import type { Context } from '../../context.ts';

export interface Filling {
  readonly workspace: string;
  readonly execution: string;
  readonly now: () => Date;
  readonly id: () => string;
}

/** RFC 9562 §5.7: 48 bits of milliseconds, then random bits, which come from a version 4 UUID. */
export const uuid7 = (ms: number, uuid4: string): string => {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid4.slice(15)}`;
};

/**
 * The bytes of an event, with the missing fields inserted at the start. The rest is not changed, so that numbers keep
 * their digits. `given` is the parsed event.
 */
export function filled(bytes: Buffer, given: Readonly<Record<string, unknown>>, filling: Filling): Buffer {
  let missing = '';
  const add = (name: string, value: unknown) => {
    missing += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  };
  if (given.id === undefined) add('id', filling.id());
  if (given.workspace_id === undefined) add('workspace_id', filling.workspace);
  if (given.execution_id === undefined) add('execution_id', filling.execution);
  const { created_at: created, local_started_at: started, local_completed_at: completed } = given;
  // An event starts before it is completed and created, so both times come from one look at the clock, and from the
  // times that the event has.
  const now = created === undefined || started === undefined ? filling.now() : undefined;
  if (created === undefined) add('created_at', isBefore(now, started) ? started : now);
  if (started === undefined) {
    const first = isBefore(completed, now) ? completed : now;
    add('local_started_at', isBefore(created, first) ? created : first);
  }
  if (missing === '') return bytes;
  const isEmpty = Object.keys(given).length === 0;
  return Buffer.concat([Buffer.from(`{${isEmpty ? missing.slice(0, -1) : missing}`), bytes.subarray(1)]);
}

/** Whether a time is before another one. False if one of them is not a time. */
const isBefore = (one: unknown, other: unknown): boolean => msOf(one) < msOf(other);

function msOf(time: unknown): number {
  if (time instanceof Date) return time.getTime();
  return typeof time === 'string' ? Date.parse(time) : Number.NaN;
}

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

/**
 * The execution id: `DTP_EXECUTION_ID`, or the id and attempt of the CI run, which all its steps share, or a new id.
 */
export function executionOf({ env, date, uuid }: Pick<Context, 'env' | 'date' | 'uuid'>): string {
  if (env.DTP_EXECUTION_ID) return env.DTP_EXECUTION_ID;
  for (const [name, run, attempt] of systems)
    if (env[run]) return [name, env[run], attempt && env[attempt]].filter(Boolean).join('-');
  return uuid7(date().getTime(), uuid());
}
