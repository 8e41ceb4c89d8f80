/** The hints of errors name inputs of the tool, and never flags of the command. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DtpError, type Facts } from '../../src/errors.ts';
import { adviceOf, errorFields } from '../../src/mcp/result.ts';
import { chooseTools } from '../../src/mcp/tools.ts';
import { withoutCommands } from '../support/hints/advice.ts';
import { hintsIn } from '../support/hints/sources.ts';

const tools = chooseTools({ allowWrites: true, patterns: undefined });
const advice = (tool: string, hint: string, facts: Facts = {}) => adviceOf({ hint, ...facts }, tools.get(tool));

const mentionsFlag = (text: string) => /(?<![\w-])(?:--[a-z][a-z-]*|-[a-zA-Z])(?![\w-])/.test(withoutCommands(text));

/** Every sentence of the source that says what to do next, without the commands of `next`. A value is `…`. */
const root = resolve(import.meta.dirname, '../../src');
const hints = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(
    (file) => file.endsWith('.ts') && !/^(cli|mcp|service|describe|local|operations|declarations|tree)\//.test(file),
  )
  .flatMap((file) => hintsIn(file, readFileSync(join(root, file), 'utf8')))
  .flatMap(({ is, text }) => (is === 'text' && !text.includes('\n') && !text.startsWith('dtp ') ? [text] : []));

test.each([...tools.keys()])('%s: no hint of the source mentions a flag', (tool) => {
  expect(hints.length).toBeGreaterThan(200);
  for (const hint of hints) {
    const { hint: text = '' } = advice(tool, hint, { next: ['dtp auth status'] });
    expect(mentionsFlag(text), `${hint} → ${text}`).toBe(false);
    // Everything else stays as it is.
    if (!mentionsFlag(hint)) expect(text).toBe(hint.trimEnd());
  }
});

test.each([
  ['events_search', 'Check --type and --limit.', 'Check interaction_type and limit.'],
  ['codehost_actions_trigger', 'Check --repo.', 'Check org and repo_name.'],
  ['publishing_tokens_create', 'Check --valid-until and --name.', 'Check valid_until and token_name.'],
  ['events_search', 'Set it with -w or DTP_WORKSPACE_ID.', 'Set it with workspace_id or DTP_WORKSPACE_ID.'],
  ['ws_create', 'Set it with -w or DTP_WORKSPACE_ID.', 'Set it with DTP_WORKSPACE_ID.'],
  [
    'artifacts_manifests_get',
    'Pass --organization-slug and --workspace-slug.',
    'Pass organization_slug and workspace_slug.',
  ],
  [
    'code_samples_jobs_get',
    'Run the same command again later, or add --wait.',
    'Run the same command again later, or add wait.',
  ],
  ['ws_list', 'Run the same command again later, or add --wait.', 'Run the same command again later.'],
  ['artifacts_revisions_list', 'Omit --all, --limit and --paginate.', 'Omit all.'],
  ['ws_list', 'Save it with -o raw -O FILE. Leave out --query, --jq and --retry.', 'Leave out query.'],
  ['ws_list', 'Choose fields with --fields, or ask for less with --query.', 'Ask for less with query.'],
  ['ws_list', 'Allow more time with --timeout.', 'Allow more time with DTP_TIMEOUT.'],
  ['ws_list', 'Use -o json.', undefined],
])('%s: %s → %s', (tool, hint, expected) => {
  expect(advice(tool, hint).hint).toBe(expected);
});

describe('what does not change', () => {
  const values = [
    'Did you mean "--limit, or -w: --wait"?',
    'Set confirm to "a \\"--b\\", or --c".',
    'Run: dtp mcp --tools X, or -w Y.',
  ];
  test.each(values)('%s', (hint) => {
    expect(advice('events_search', hint).hint).toBe(hint);
    expect(advice('events_search', `${hint} Check --limit.`).hint).toBe(
      hint.startsWith('Run') ? `${hint} Check --limit.` : `${hint} Check limit.`,
    );
  });

  test('the error, which the command line shows with its flags', () => {
    const facts = { hint: 'Check --limit.', next: ['dtp ws list --help'], details: 'use --limit' };
    const error = new DtpError('rejected', '400: use --limit', facts);
    expect(errorFields(error, { masked: (value) => value }, tools.get('events_search'))).toEqual({
      code: 'rejected',
      message: '400: use --limit',
      hint: 'Check limit.',
      details: 'use --limit',
    });
    expect(error.facts).toEqual(facts);
  });
});

test('a sentence that announces commands needs one, or the value that was meant', () => {
  const hint = 'Check --limit. To see what each flag takes:';
  expect(advice('events_search', hint, { next: ['dtp events search --help'] })).toEqual({ hint: 'Check limit.' });
  const next = ['dtp config set workspace ID', 'dtp ws list -w ID'];
  expect(advice('events_search', 'Store it:', { next })).toEqual({
    hint: 'Store it:',
    next: ['dtp config set workspace ID', 'the tool ws_list'],
  });
  expect(advice('events_search', 'It takes only:', { meant: { value: 'pets' } })).toEqual({
    hint: 'It takes only: pets',
  });
});
