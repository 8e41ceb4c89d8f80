/**
 * Every operation with nothing given, on a terminal: the answers to the prompts give a request that the embedded service
 * accepts, and Ctrl-C at any prompt changes nothing.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { type Served, served } from '../support/embedded-service.ts';
import { LAYER, md5, REPORT } from '../support/every-request.ts';
import { fillService } from '../support/filled-service.ts';
import { PETSTORE } from '../support/service-scope.ts';

let service: Served;
let values: Readonly<Record<string, string>>;

const folder = mkdtempSync(join(tmpdir(), 'dtp-asked-'));
const [filled, copy] = [join(folder, 'filled'), join(folder, 'copy')];
const data = 'service.db';

/** Each test gets a copy of a workspace that has one of everything. */
beforeAll(async () => {
  service = await served(join(filled, data));
  ({ values } = await fillService(service));
  await service.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  rmSync(copy, { recursive: true, force: true });
  cpSync(filled, copy, { recursive: true });
  service = await served(join(copy, data));
});
afterEach(() => service.close());

const summary = { info: { title: 't', version: '1' }, operations: [] };

/** What a person answers, by words of the question. A pick takes the first item, unless it is named here. */
const answers = (id: string): readonly (readonly [question: RegExp, answer: string])[] => [
  [/^Which namespace/, /Subscription|getBlob|getManifest/.test(id) ? 'pets' : '1'],
  [/^Which member/, '2'],
  [/number or a name:/, '1'],
  [/OWNER\/NAME/, 'acme/sdk'],
  [/^Slug/, 'fresh'],
  [/^File \(report/, 'lint.html'],
  [/^File|^API document/, 'openapi.yaml'],
  [/time/, '90d'],
  [/^Oas summary/, JSON.stringify(summary)],
  [/^Diagnostics/, '[]'],
  [/^Inputs/, '[{"registry_url":"pets:v1"}]'],
  [/^Output/, '{"registry_url":"merged"}'],
  [/^Registry url/, 'registry.example.com/local/default/pets:v1'],
  [/^Url|^Webhook/, 'https://hooks.example.com/x'],
  [/^Subscription/, values.SUBSCRIPTION_ID ?? ''],
  [/^Job/, values.JOB_ID ?? ''],
  [/^Id/i, values.SCHEMA_ID ?? ''],
  [/^Document checksum|^Checksum/, md5(REPORT)],
  [/^Digest/, LAYER],
  [/^Email/, 'mallory@a.example'],
  [/^Add on/, 'snippet_ai'],
  [/^Language/, 'curl'],
  [/^Target resource/, 'document'],
  [/^Lock ID/, 'lock-1'],
];

const ids = Object.keys(operations).sort() as (keyof typeof operations)[];

/** Runs a command with `--yes`, because the questions that confirm it are tested elsewhere. */
async function ask(id: keyof typeof operations, answer: (prompt: string) => string) {
  const home = temporaryFolder();
  writeFileSync(join(home, 'openapi.yaml'), PETSTORE);
  writeFileSync(join(home, 'lint.html'), REPORT);
  const prompts: string[] = [];
  const methods: string[] = [];
  const ended = await dtp([...operations[id].command, '--yes'], {
    home,
    tty: true,
    env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, TERM: 'dumb' },
    openSend: async (options) => {
      const { send, ...rest } = await openSend(options);
      const noting: typeof send = (request, ...more) => {
        methods.push(request.method);
        return send(request, ...more);
      };
      return { ...rest, send: noting };
    },
    answers: (prompt) => {
      if (prompts.length > 20) throw new Error(prompts.slice(0, 5).join('\n'));
      prompts.push(prompt.trim());
      return answer(prompt);
    },
  });
  return { ...ended, prompts, methods };
}

/** The question is the end of a prompt, after the items of a list and the answer before. */
function answerTo(id: string, prompt: string): string {
  const lines = prompt
    .trim()
    .split('\n')
    .filter((line) => /^[A-Z]|:$/.test(line));
  const question = lines.join(' ').replace(/^.*?\. (?=[A-Z])/, '');
  return answers(id).find(([words]) => words.test(question))?.[1] ?? 'ci';
}

test.each(ids)('%s is accepted', async (id) => {
  const { code, stderr, prompts } = await ask(id, (prompt) => answerTo(id, prompt));
  expect([0, 8], `${prompts.join('\n')}\n${stderr}`).toContain(code);
  // The whole command is printed, so that it can be repeated.
  const printed = stderr.replace(/\s+/g, ' ');
  if (prompts.length > 0) expect(printed).toContain(`Running: dtp ${operations[id].command.join(' ')} `);
});

const ctrlC = '\u0003';

test.each(ids)('%s: Ctrl-C at any prompt sends nothing that changes anything', async (id) => {
  for (let at = 0; ; at++) {
    let count = 0;
    const ended = await ask(id, (prompt) => (count++ === at ? ctrlC : answerTo(id, prompt)));
    if (count <= at) break;
    expect([ended.code, ended.stdout, ended.prompts.length]).toEqual([130, '', at + 1]);
    expect(ended.methods.filter((method) => method !== 'GET')).toEqual([]);
  }
});
