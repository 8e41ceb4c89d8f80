/** Everything that people read is in plain English: no line breaks a rule of support/plain-english.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { pageFor } from '../src/commands/help/pages.ts';
import { agentPage } from '../src/describe/agent/command-page.ts';
import { helpTextOf } from '../src/describe/help/print.ts';
import { topicFor, topics } from '../src/describe/help/topics.ts';
import { wholeSchema } from '../src/describe/schema.ts';
import { allBelow, rootCommand } from '../src/tree/tree.ts';
import { plainFaults, wordings } from './support/plain-english.ts';
import { textsIn } from './support/source-texts.ts';

const root = resolve(import.meta.dirname, '..');
const page = (one: Parameters<typeof helpTextOf>[0]) => helpTextOf(one, { width: 10_000, heading: (text) => text });

const filesIn = (folder: string, name: RegExp) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((one) => name.test(one) && !/node_modules|plain-english/.test(one))
    .map((one) => join(folder, one));

/** The lines that break a rule, with the wording to avoid and what to write instead. */
const faultsIn = (name: string, text: string) =>
  text.split('\n').flatMap((line) => plainFaults(line).map((fault) => `${name}: ${fault} | ${line.trim()}`));

const pages = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...filesIn('docs', /\.md$/)];

test.each(pages)('%s', (name) => {
  // Code blocks are not prose.
  const prose = readFileSync(join(root, name), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  expect(faultsIn(name, prose)).toEqual([]);
});

test('every page of the help', () => {
  const commands = allBelow(rootCommand).map((command) => ({
    name: command.words.join(' '),
    text: page(pageFor(command, true)),
  }));
  const all = (Object.keys(topics) as (keyof typeof topics)[]).map((topic) => ({
    name: `help ${topic}`,
    text: page(topicFor(topic)),
  }));
  expect(commands.length).toBeGreaterThan(100);
  expect([...commands, ...all].flatMap(({ name, text }) => faultsIn(name, text))).toEqual([]);
});

test('every page for agents', () => {
  // The fields of a result are names.
  const all = allBelow(rootCommand).map((command) => ({
    name: command.words.join(' '),
    text: agentPage(command).replace(/^Result: .*/m, ''),
  }));
  expect(all.flatMap(({ name, text }) => faultsIn(`help --agent ${name}`, text))).toEqual([]);
});

test('the schema', () => {
  // Keys and single words are names.
  const texts = JSON.stringify(wholeSchema()).match(/"[^"]* [^"]*"/g) ?? [];
  expect(texts.length).toBeGreaterThan(1000);
  expect(texts.flatMap((text) => faultsIn('schema', text))).toEqual([]);
});

test.each(['src', 'test', 'scripts', 'bench'])('every comment and string in %s', (folder) => {
  const files = filesIn(folder, /\.([cm]?[jt]s)$/);
  expect(files.length).toBeGreaterThan(5);
  const faults = files.flatMap((name) =>
    textsIn(name, readFileSync(join(root, name), 'utf8'))
      .filter(({ text }) => !sql.test(text))
      .flatMap(({ text, line }) => faultsIn(`${name}:${line}`, text.replaceAll('\n', ' '))),
  );
  expect(faults).toEqual([]);
});

const sql = /\b(SELECT|INSERT|DELETE FROM|CREATE|JOIN)\b/;

test.each(wordings.map(({ not, instead }) => [String(not), not, instead] as const))(
  '%s is a rule that text can break',
  (_, not, instead) => {
    expect(not.flags).toContain('i');
    expect(instead.length).toBeGreaterThan(2);
  },
);

test('each rule finds a wording that it was made for', () => {
  const wrong = [
    'an address that is none',
    'this is no digest',
    'undefined where there is none',
    'the flag goes before the variable',
    'at most so many rows',
    'say what mends it',
    'nobody whom it concerns',
    'begin anew',
    'all save for one',
    'for want of a command',
    'what is sent is what was given',
    'the user is told',
    'no titles of columns',
    'all of it from a file',
    'a folder of its own',
    'the command ends with 3',
    'takes something away',
    'lay out a table',
    'in the hands of another process',
    'it must be a text',
    'only these members',
    'the base address',
    'what stands behind it',
    'the time between two looks',
    'a fault of the way to the service',
    'events are kept until then',
    'without colour',
    'throws where the file is missing',
    'the figure beside it',
    'what stands on stderr',
    'a client that does without curl',
    'files that come of themselves',
  ];
  expect(wrong.filter((text) => plainFaults(text).length === 0)).toEqual([]);
});
