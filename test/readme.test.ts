/** The documents of the project: their paragraphs are short, and their links, commands and figures are correct. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Stop } from '../src/cli/commander.ts';
import { openProgram } from '../src/cli/program.ts';
import { isTopic } from '../src/describe/help/topics.ts';
import { rootCommand, runnableBelow } from '../src/tree/tree.ts';

const root = resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
const names = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/RESULTS.md'],
  ...pages.map((name) => `docs/${name}`),
];

const fence = /^```(\w*)\n(.*?)^```$/gms;
const withoutBlocks = (text: string) => text.replace(fence, '');

/** Each paragraph and each list item, as its lines. Code, tables and headings are left out. */
function paragraphsOf(text: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  let open: string[] | undefined;
  for (const line of withoutBlocks(text).split('\n')) {
    if (line === '' || /^(#|\||<!--)/.test(line)) open = undefined;
    else if (open && !/^(-|\d+\.) /.test(line)) open.push(line);
    else {
      open = [line];
      found.push(open);
    }
  }
  return found;
}

test.each(names)('each paragraph of %s has at most five lines of 120 columns', (name) => {
  const paragraphs = paragraphsOf(read(name));
  expect(paragraphs.length).toBeGreaterThan(4);
  expect(paragraphs.filter((lines) => lines.length > 5).map(([first]) => first)).toEqual([]);
  expect(paragraphs.flat().filter((line) => [...line].length > 120)).toEqual([]);
});

/** The anchor that GitHub gives to a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test.each(names)('every relative link of %s leads to an existing file and heading', (name) => {
  const links = [...withoutBlocks(read(name)).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const file = path === '' ? join(root, name) : resolve(root, name, '..', path);
    if (!existsSync(file)) return true;
    if (anchor === undefined) return false;
    const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text));
    return !headings.includes(anchor);
  });
  if (name === 'README.md') expect(links.length).toBeGreaterThan(8);
  expect(broken).toEqual([]);
});

/** The words of a command line, without quotes, up to a pipe, a redirection or a comment. */
function argvOf(line: string): readonly string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  const end = words.findIndex((word) => /^(\d?[<>]|[|&;#\\])/.test(word));
  return words.slice(1, end === -1 ? undefined : end).map((word) => word.replace(/^(['"])(.*)\1$/, '$2'));
}

interface Shown {
  readonly line: string;
  /** A sentence may name a command without its arguments. In a code block, commands are complete. */
  readonly isNamed: boolean;
}

/** The lines that start with dtp, except those that are followed by an error. */
function commandsIn(text: string): readonly Shown[] {
  const blocks = [...text.matchAll(fence)].map(([, language = '', body = '']) =>
    language === 'console' ? body.replace(/^\$ (.*)\n(?=error:|\{"error")/gm, '').replace(/^[^$].*$/gm, '') : body,
  );
  const lines = blocks.flatMap((body) => body.split('\n'));
  const inBlocks = lines.flatMap((line) => line.match(/(?<=^\s*|\$ |run: |- )dtp .*/) ?? []);
  const inText = [...withoutBlocks(text).matchAll(/`(dtp [^`…]+)`/g)].map(([, line = '']) => line);
  return [...inBlocks.map((line) => ({ line, isNamed: false })), ...inText.map((line) => ({ line, isNamed: true }))];
}

const known = new Set(runnableBelow(rootCommand).map((command) => command.words.join(' ')));

/** Why the tool refuses a command line; undefined if it accepts it. */
async function faultOf({ line, isNamed }: Shown): Promise<string | undefined> {
  const argv = argvOf(line);
  let isRun = false;
  const run = async () => {
    isRun = true;
  };
  const program = openProgram(argv, { operation: run, local: run, answer: run }, run);
  try {
    await program.parse();
  } catch (error) {
    if (!(error instanceof Stop)) return String(error);
    const { why } = error;
    const isLeftOut = /^missing argument$/.test(why.is);
    return why.is === 'help'
      ? why.isBare && !isNamed
        ? why.is
        : undefined
      : isNamed && isLeftOut
        ? undefined
        : why.is;
  }
  const [first, ...words] = argv.filter((word) => !word.startsWith('-') && !/^[A-Z]+$/.test(word));
  if (!isRun) return 'it runs nothing';
  if (first !== 'help' && first !== 'schema') return undefined;
  const subject = words.join(' ');
  return subject === '' || isTopic(subject) || known.has(subject) ? undefined : `no topic or command "${subject}"`;
}

test.each([...names, 'llms.txt', 'bench/agents.md'])('the tool accepts every dtp command in %s', async (name) => {
  const lines = commandsIn(read(name));
  if (name === 'README.md') expect(lines.length).toBeGreaterThan(30);
  const faults = await Promise.all(
    lines.map(async (shown) => {
      const fault = await faultOf(shown);
      return fault === undefined ? [] : [`${shown.line}: ${fault}`];
    }),
  );
  expect(faults.flat()).toEqual([]);
});

test('the documents show the figures of bench/results.json', async () => {
  const { fleetWith, pageWith, readmeWith } = await import(join(root, 'bench/support/results.mjs'));
  const results = JSON.parse(read('bench/results.json'));
  expect(readmeWith(read('README.md'), results)).toBe(read('README.md'));
  expect(pageWith(read('bench/RESULTS.md'), results)).toBe(read('bench/RESULTS.md'));
  expect(fleetWith(read('docs/many-machines.md'), results)).toBe(read('docs/many-machines.md'));
});
