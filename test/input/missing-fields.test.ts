/** A command with missing values names the flags to add, and suggests a command line that is accepted. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { harmOf, type Operation } from '../../src/operations/operation.ts';
import { openSend } from '../../src/transport/send.ts';
import { readLine } from '../../src/tree/line.ts';
import { dtp } from '../support/context.ts';
import { home } from '../support/process.ts';
import { type Echo, openEcho } from '../support/recording-service.ts';
import { everyOperation, sampleFile, writeSampleFile } from '../support/samples.ts';

const { folder, remove } = home();
let echo: Echo;
beforeAll(async () => {
  writeSampleFile(folder);
  echo = await openEcho(() => [200, '{}']);
});
afterAll(() => {
  echo.close();
  remove();
});

async function run(argv: readonly string[]) {
  const before = echo.asked.length;
  const ended = await dtp(argv, {
    own: 'w_1',
    home: folder,
    openSend: async (options) => openSend(options),
    env: {
      DTP_ERROR_FORMAT: 'json',
      DTP_BASE_URL: echo.address,
      DTP_API_KEY: 'k-1',
      DTP_WORKSPACE_ID: 'w_1',
      DTP_ORGANIZATION_SLUG: 'o',
      DTP_WORKSPACE_SLUG: 'w',
    },
  });
  return { ...ended, asked: echo.asked.slice(before) };
}

/** The suggested flags of each operation without input, typed from the API document and its records. */
const suggested: Readonly<Record<string, string>> = {
  getCodeSamples: '--registry-url REGISTRY-URL',
  generateCodeSamplePreview: 'FILE --language LANGUAGE',
  generateCodeSamplePreviewAsync: 'FILE --language LANGUAGE',
  codehostStorePublishingSecrets: '--lock-id LOCK-ID',
  codehostConfigureCodeSamples: '--repo OWNER/NAME --target-name TARGET-NAME',
  codehostConfigureDocsiteRepo: '--repo OWNER/NAME --input INPUT --overlays OVERLAYS',
  codehostConfigureTarget: '--repo OWNER/NAME',
  codehostTriggerAction: '--repo OWNER/NAME --lock-id LOCK-ID',
  createOrganization: '--name NAME',
  createBillingAddOns: '--add-ons ADD-ONS',
  createPublishingToken: '--lock-id LOCK-ID --target-resource TARGET-RESOURCE --valid-until VALID-UNTIL --name NAME',
  updatePublishingTokenExpiration: 'TOKEN-ID --valid-until VALID-UNTIL',
  createWorkspace: '--name NAME',
  updateWorkspaceDetails: '--name NAME',
  updateWorkspaceSettings: '--webhook-url WEBHOOK-URL',
  createWorkspaceToken: '--name NAME',
  setWorkspaceFeatureFlags: '--feature-flags FEATURE-FLAGS',
  postWorkspaceEvents: '--type TYPE',
  uploadReport: '--type linting FILE',
  suggestOpenAPI: 'FILE',
  suggest: '--oas-summary @FILE --suggestion-type method-names --diagnostics @FILE',
  suggestItems: '--prompt PROMPT --items ITEMS',
  createSchemaStoreItem: 'FILE --package PACKAGE --sdk-class SDK-CLASS',
  create: '--url URL',
  preflight: '--namespace NAMESPACE',
  postTags: 'NAMESPACE --revision REVISION --tag TAG',
  setVisibility: 'NAMESPACE --no-public',
  createRemoteSource: '--inputs @FILE --output @FILE',
};

/** Operations whose body is optional. */
const bodiless = ['archiveNamespace', 'getSchemaStoreItem', 'suggestOpenAPIRegistry'];

const withBody = everyOperation.filter(({ input }) =>
  Object.values(input).some(({ in: place }) => ['body', 'member', 'part'].includes(place)),
);

test('every operation with a body is in the table', () => {
  expect(withBody.map(({ id }) => id).filter((id) => !(id in suggested) && !bodiless.includes(id))).toEqual([]);
});

const rows = everyOperation
  .filter(({ id }) => id in suggested)
  .map((operation) => [operation.id, operation, suggested[operation.id] ?? ''] as const);

/** The long flags that the command of an operation has. */
function flagsIn({ command }: Operation): readonly string[] {
  return readLine(command).command.flags.map(({ name }) => name);
}

describe('without input', () => {
  test.each(rows)('%s', async (_, operation, words) => {
    const { code, stdout, stderr, asked } = await run(operation.command);
    expect({ code, stdout, asked }).toEqual({ code: 2, stdout: '', asked: [] });
    const { message, next } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
    const more = operation.id === 'suggest' ? ['FILE'] : [];
    const lines = [...more, words];
    expect(next).toEqual(lines.map((line) => ({ command: `dtp ${operation.command.join(' ')} ${line}` })));
    // The message names the same flags and arguments, and each flag exists.
    const named: readonly string[] = message.replace(/ \(.*/, '').match(/--[a-z-]+|[A-Z][A-Z-]+/g) ?? [];
    // Of a whole record, any field is enough, and the line has the first one.
    const shown = message.startsWith('pass at least one of ') ? named.slice(0, 1) : named;
    // The only switch is named without `no-`: nothing suggests to publish.
    expect(shown).toEqual(words.replace('--no-public', '--public').match(/--[a-z-]+|^[A-Z-]+|(?<=linting )FILE/g));
    const flags = flagsIn(operation);
    for (const one of named) if (one.startsWith('--')) expect(flags).toContain(one);
  });
});

/** A plausible value for a placeholder. */
function plausible(word: string, before = ''): string {
  if (before === '--valid-until') return '2027-01-31T12:00:00Z';
  if (word === '@FILE') return '{"a":"b"}';
  if (word === 'FILE') return sampleFile.name;
  return /^[A-Z-]+$/.test(word) ? 'acme_1' : word;
}

/** Without this flag, the tokens are listed too. */
const alone = ({ id }: Operation) => (id === 'createWorkspaceToken' ? ['--no-lookup'] : []);

describe('the suggested command line with values is accepted', () => {
  test.each(rows)('%s', async (_, operation, words) => {
    const given = words.split(' ').map((word, at, all) => plausible(word, all[at - 1]));
    const confirmed = harmOf(operation) === undefined ? [] : ['--yes'];
    const { stderr, asked } = await run([...operation.command, ...given, ...confirmed, ...alone(operation)]);
    expect(
      asked.map(({ method }) => method),
      stderr,
    ).toEqual([operation.method]);
  });
});

describe('an empty body is sent unchanged', () => {
  test.each([
    ['preflight', []],
    ['postTags', ['ns']],
    ['createRemoteSource', []],
    ['createWorkspaceToken', ['--no-lookup']],
  ] as const)('%s', async (id, args) => {
    const { command } = everyOperation.find((one) => one.id === id) as Operation;
    expect((await run([...command, ...args, '--body', '{}'])).asked.map(({ body }) => body)).toEqual(['{}']);
    const some = await run([...command, ...args, '-F', 'more=1']);
    expect(some.asked.map(({ body }) => JSON.parse(body))).toEqual([{ more: 1 }]);
  });
});

test('some fields of a record are enough, and the others are not required', async () => {
  expect((await run(['ws', 'update', '--name', 'acme'])).asked.map(({ body }) => body)).toEqual(['{"name":"acme"}']);
  expect((await run(['artifacts', 'tags', 'add', 'ns', '--tags', 'v1'])).asked.map(({ body }) => body)).toEqual([
    '{"tags":["v1"]}',
  ]);
});

test('the hint shows the other way to pass a record', async () => {
  const { stderr } = await run(['ws', 'tokens', 'create']);
  expect(JSON.parse(stderr).error).toMatchObject({
    message: 'missing flag: --name',
    hint: 'Or pass all fields as JSON or YAML with --body. It also takes @FILE, or - for standard input.',
  });
});
