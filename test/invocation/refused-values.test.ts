/** A request whose values the service refuses: the error names the flag, and corrects a typo. */
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { writeSampleFile } from '../support/samples.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'json',
};

async function errorOf(line: string, status: number, body: unknown) {
  const { openSend } = service(() => [status, body]);
  const cwd = temporaryFolder();
  writeSampleFile(cwd);
  const ended = await dtp(line.split(' '), { env, own: 'w_1', openSend, cwd });
  expect(ended.code).toBeGreaterThan(0);
  const { error } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '');
  return {
    hint: error.hint as string,
    next: (error.next ?? []).map((one: { command: string }) => one.command),
  };
}

const dryRun = 'To see the request, run the same command with --dry-run. To see what each flag takes:';
const create =
  'publishing-tokens create --token-name ci --target-id ts --target-resource documentation --valid-until 90d';
const help = 'dtp publishing-tokens create --help';
const upload = 'reports upload --file sample.html --type';

test.each<[string, number, unknown, string, string[]]>([
  [create, 422, { message: 'valid_until must be later' }, 'Check --valid-until. To see what each flag takes:', [help]],
  [create, 400, { errors: { valid_until: ['too late'] } }, 'Check --valid-until. To see what each flag takes:', [help]],
  [
    create,
    422,
    { detail: 'target_id and target_resource do not match' },
    'Check --lock-id and --target-resource. To see what each flag takes:',
    [help],
  ],
  // The keys of the error itself are not fields of the request.
  [`${upload} linting`, 422, { type: 'about:blank', status: 422 }, dryRun, ['dtp reports upload --help']],
  // `data.type` is about --type, not about all of --data.
  [
    `${upload} linting`,
    422,
    { message: 'data.type is not allowed' },
    'Check --type. To see what each flag takes:',
    ['dtp reports upload --help'],
  ],
  [`${upload} lintin`, 422, { message: 'no' }, 'Did you mean "linting"?', [`dtp ${upload} linting`]],
  [create, 422, { message: 'no' }, dryRun, [help]],
  [create, 409, { message: 'valid_until is used' }, 'To see the request, run the same command with --dry-run.', []],
])('%s: %i %j', async (line, status, body, hint, next) => {
  expect(await errorOf(line, status, body)).toEqual({ hint, next });
});
