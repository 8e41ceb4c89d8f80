/** Interprets the status of a workflow run by the values that code hosts use. The API document lists no values. */

const succeeded = /^(completed|success|succeeded|neutral|skipped)$/i;
const failed = /^(failure|failed|error|errored|cancelled|canceled|timed_out|startup_failure|action_required|stale)$/i;

/** Returns the state of a run. An unknown or missing status counts as running. */
export function stateOfRun(status: unknown): 'running' | 'succeeded' | 'failed' {
  const text = typeof status === 'string' ? status : '';
  if (succeeded.test(text)) return 'succeeded';
  return failed.test(text) ? 'failed' : 'running';
}
