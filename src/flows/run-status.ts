/** What the status of a workflow run means. The API document does not list the values, so those of code hosts are known. */

const succeeded = /^(completed|success|succeeded|neutral|skipped)$/i;
const failed =
  /^(failure|failed|error|errored|cancelled|canceled|timed_out|startup_failure|action_required|stale)$/i;

/** An unknown or missing status counts as running. */
export function stateOfRun(status: unknown): 'running' | 'succeeded' | 'failed' {
  const text = typeof status === 'string' ? status : '';
  if (succeeded.test(text)) return 'succeeded';
  return failed.test(text) ? 'failed' : 'running';
}
