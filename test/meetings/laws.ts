/** What holds for every command line, whatever it combines. Each law returns what breaks it. */
import { stripVTControlCharacters } from 'node:util';
import { exactly, shapeOf } from './answers.ts';
import type { Choice } from './cover.ts';
import { pairsOf } from './expression-pairs.ts';
import { differ, expectedRows, readers, rowsIn, short } from './formats.ts';
import { unknownIn } from './hint-lines.ts';
import type { Request } from './scripted.ts';
import { masked, quiet, seen, steady } from './seen.ts';
import { key, type Subject } from './subjects.ts';

export interface Law {
  readonly says: string;
  /** Undefined if the law does not apply, or holds. */
  readonly broken: (subject: Subject) => string | undefined | Promise<string | undefined>;
}

const isOk = ({ code }: Subject) => code === 0;
const has = ({ choice }: Subject, ...flags: readonly string[]) =>
  flags.some((flag) => ` ${Object.values(choice).join(' ')} `.includes(` ${flag} `));
const formatOf = ({ choice: { format = '' } }: Subject) => format.replace('-o ', '').replace('--', '');
/** Prints what would be sent, or a template, instead of a result. */
const isShown = (subject: Subject) => has(subject, '--dry-run', '--curl', '--skeleton', '--help');
/** On a terminal, the format of the result is not that of an error. */
const isJsonAsked = (subject: Subject) =>
  has(subject, '--error-format json', '--agent') ||
  (subject.choice.target !== 'terminal' && has(subject, '--json', '-o ndjson'));

/** What stdout has, or the file of `-O`. */
const resultOf = ({ choice, file, stdout }: Subject) => (choice.target?.startsWith('-O') ? (file ?? '') : stdout);

const plain: Choice = { format: '--json', target: '', mode: '' };

/** The same line as JSON in a pipe; undefined if it fails. */
async function asJson(subject: Subject): Promise<{ readonly value: unknown } | undefined> {
  const { select = '' } = subject.choice;
  const change = ['-r', '--no-headers', '--all-fields'].includes(select) ? { ...plain, select: '' } : plain;
  const json = await subject.again(select.startsWith('-r ') ? { ...change, select: select.slice(3) } : change);
  return isOk(json) ? { value: exactly(json.stdout) } : undefined;
}

/** A result that is a list or a record, and not the status of a change. */
const isData = ({ command: { result, command } }: Subject) =>
  result === 'list' ||
  result === 'record' ||
  ['events get', 'events queue list', 'config list', 'config explain'].includes(command);

const without = (subject: Subject, dimension: string) => subject.again({ [dimension]: '' });

const usualAnswers = ['usual', 'three'];

export const laws: readonly Law[] = [
  {
    says: 'No command ends with an internal error.',
    broken: ({ code, crash, stderr }) =>
      crash || (code === 1 && !stderr.includes('no space left') ? stderr : undefined),
  },
  {
    says: 'The exit code is one that the command declares.',
    broken: ({ code, command: { exit_codes: declared } }) =>
      declared.some((one) => one.code === code) ? undefined : `exit code ${code}`,
  },
  {
    says: 'A command line that is refused sends nothing, prints nothing and writes nothing.',
    broken: ({ code, requests, stdout, file, made, choice, stderr }) =>
      // An expression may fit the syntax and not the answer.
      code === 2 &&
      !/--(jq|query)/.test(stderr) &&
      (requests.length > 0 ||
        stdout !== '' ||
        made.length > 0 ||
        (file !== undefined && file !== 'before\n' && choice.target !== ''))
        ? `${requests.length} requests, stdout ${short(stdout)}, files ${made}, -O ${file}`
        : undefined,
  },
  {
    says: 'After a failure stdout is empty, ends after a whole record, or is a documented status; -O is untouched.',
    broken: (subject) => {
      const { code, stdout, file, made, choice } = subject;
      // A job that runs (8) and a selection or period that is not whole (14) have a result; a stopped watch has shown some.
      if (isOk(subject) || [2, 8, 14].includes(code) || has(subject, '--watch')) return undefined;
      const isWhole = stdout === '' || stdout.endsWith('\n');
      const parts = made.filter((name) => name.includes('.dtp-') || !has(subject, '--out-dir'));
      const isUntouched = file === (choice.target?.includes('--force') ? 'before\n' : undefined);
      if (isWhole && isUntouched && parts.length === 0) return undefined;
      return `exit ${code}, stdout ${JSON.stringify(short(stdout))}, -O ${JSON.stringify(file)}, files ${made}`;
    },
  },
  {
    says: 'Errors are text, unless JSON was asked for.',
    broken: (subject) => {
      const isJson = subject.stderr.split('\n').some((line) => line.startsWith('{"error":'));
      const isFailed = !isOk(subject) && ![8, 130].includes(subject.code) && subject.stderr !== '';
      return isFailed && isJson !== isJsonAsked(subject) ? short(subject.stderr) : undefined;
    },
  },
  {
    says: 'The credential is nowhere.',
    broken: ({ stdout, stderr, written }) => ((stdout + stderr + written).includes(key) ? 'the key' : undefined),
  },
  {
    says: 'Exit 0 means that the whole answer was written.',
    broken: async (subject) => {
      const { answer, choice, code, requests } = subject;
      if (
        !isData(subject) ||
        isShown(subject) ||
        has(subject, '--chart', '--watch', '--out-dir', '--download', '--paginate')
      )
        return undefined;
      if (choice.select !== '' || code !== 0 || requests.length === 0) return undefined;
      const json = await asJson(subject);
      if (!json) return undefined;
      const rows = expectedRows(subject);
      if (rows) return differ('the rows', rowsIn(json.value), rows);
      return answer.value === undefined || choice.flow !== ''
        ? undefined
        : differ('the value', json.value, answer.value);
    },
  },
  {
    says: 'All formats hold the same rows.',
    broken: async (subject) => {
      const read = readers[formatOf(subject)];
      if (!read || !isOk(subject) || !isData(subject) || isShown(subject)) return undefined;
      if (has(subject, '--watch', '--chart', '--out-dir', '--download') || subject.choice.target === 'terminal')
        return undefined;
      if (has(subject, '--agent', '--color', '-r', '--allow-failure')) return undefined;
      const isDocument = ['--query @', '--jq .'].includes(subject.choice.select ?? '');
      if (isDocument && shapeOf(subject.command)?.field !== undefined) return undefined;
      const json = await asJson(subject);
      // An answer without a value has no rows in any format.
      if (!json || json.value === null || Object(json.value).ok === true) return undefined;
      try {
        return read(resultOf(subject), json.value, subject);
      } catch (error) {
        return `cannot be read back: ${String(error)}`;
      }
    },
  },
  {
    says: '-O writes what stdout would have.',
    broken: async (subject) => {
      if (!subject.choice.target?.startsWith('-O') || !isOk(subject)) return undefined;
      // A file is for programs: it has no color, and no page for agents.
      if (has(subject, '--watch', '--allow-failure', '--color', '--agent', '--install')) return undefined;
      const piped = await without(subject, 'target');
      if (subject.stdout !== '') return `stdout has ${short(subject.stdout)}`;
      return differ(
        'the file',
        seen({ ...subject, stdout: subject.file ?? '' }).split(',')[1],
        seen(piped).split(',')[1],
      );
    },
  },
  {
    says: '--jq . and --query @ change nothing.',
    broken: async (subject) => {
      if (!['--jq .', '--query @'].includes(subject.choice.select ?? '') || !isOk(subject) || has(subject, '--watch'))
        return undefined;
      if (!['json', 'ndjson', 'yaml', 'csv', 'tsv'].includes(formatOf(subject)) || !isData(subject)) return undefined;
      if (has(subject, '--allow-failure')) return undefined;
      // An expression sees the document, in which the list is a field, and an empty list instead of null.
      if (shapeOf(subject.command)?.field !== undefined && formatOf(subject) !== 'json') return undefined;
      if (subject.choice.answer === 'null') return undefined;
      const bare = await without(subject, 'select');
      return isOk(bare) && !isShown(bare)
        ? differ('the result', steady(subject, resultOf(subject)), steady(bare, resultOf(bare)))
        : undefined;
    },
  },
  {
    says: '--dry-run sends nothing, and shows what is then sent.',
    broken: async (subject) => {
      if (!has(subject, '--dry-run') || !isOk(subject) || has(subject, '--skeleton')) return undefined;
      if (subject.requests.length > 0) return `sent ${subject.requests.length} requests`;
      const text = resultOf(subject);
      if (!text.startsWith('{"method"') && !/^\{\s*"method"/.test(text)) return undefined;
      const { method, url, body } = JSON.parse(text) as { method: string; url: string; body?: unknown };
      const sent = await subject.again({ mode: '', target: '' });
      const [first] = sent.requests;
      if (!first) return undefined;
      const path = url.replace(/^http:\/\/127\.0\.0\.1:\d+\/\d+/, '');
      const isJson = first.headers['content-type']?.startsWith('application/json') === true;
      const shown = masked([method, path, isJson ? body : null]);
      return differ('the request', shown, masked([first.method, first.url, isJson ? JSON.parse(first.body) : null]));
    },
  },
  {
    says: '--curl prints a command that sends what is then sent.',
    broken: async (subject) => {
      if (!subject.curled || !isOk(subject) || has(subject, '--skeleton')) return undefined;
      if (subject.requests.length > 0) return 'it sends by itself';
      const [curled] = subject.curled;
      const [first] = (await subject.again({ mode: '' })).requests;
      const shown = ({ method, url, headers, body }: Request) => {
        const isJson = headers['content-type']?.startsWith('application/json') === true;
        return masked([method, url, headers['x-api-key'] ?? null, isJson ? JSON.parse(body) : null]);
      };
      return first && differ('the request', curled && shown(curled), shown(first));
    },
  },
  {
    says: 'A flag of a flow, a selection or a field is never without effect.',
    broken: async (subject) => {
      if (![0, 14].includes(subject.code) || !usualAnswers.includes(subject.choice.answer ?? '')) return undefined;
      if (has(subject, '--skeleton', '--watch', '--curl', '-O out') || has(subject, '--chart')) return undefined;
      for (const dimension of ['own', 'flow'] as const) {
        const [name = ''] = (subject.choice[dimension] ?? '').split(' ');
        // What would be sent does not show what happens to the answer, and its fields may be left out.
        const isHidden = isShown(subject) && (dimension === 'flow' || subject.choice.select !== '');
        if (name === '' || quiet.has(name) || isHidden) continue;
        if (seen(subject) === seen(await without(subject, dimension))) return `${name} changes nothing`;
      }
      return undefined;
    },
  },
  {
    says: 'What was selected and is not there is named, with exit 14.',
    broken: (subject) => {
      const isNamed = / nosuch$/.test(subject.choice.own ?? '') && subject.answer.rows !== undefined;
      const isSelection = /--operation-ids|--method-paths|--languages?/.test(subject.choice.own ?? '');
      if (!isNamed || !isSelection || !isOk(subject) || isShown(subject)) return undefined;
      return subject.stderr.includes('nosuch') ? undefined : 'nosuch is not named';
    },
  },
  {
    says: 'A field that no row has is named.',
    broken: (subject) => {
      const isAsked =
        subject.choice.select === '--fields nosuch,id' && isOk(subject) && !isShown(subject) && isData(subject);
      if (!isAsked || subject.choice.answer !== 'three' || has(subject, '--chart', '--agent')) return undefined;
      return subject.stderr.includes('nosuch') ? undefined : short(subject.stderr);
    },
  },
  {
    says: 'A request is sent again when the service says.',
    broken: (subject) => {
      const isAsked = has(subject, '--retry 2') && subject.choice.answer?.startsWith('again') && !isShown(subject);
      if (
        !isAsked ||
        has(subject, '--watch') ||
        subject.code === 124 ||
        subject.code === 2 ||
        subject.command.method !== 'GET'
      )
        return undefined;
      return subject.requests.length > 1 ? undefined : `exit ${subject.code} after ${subject.requests.length} requests`;
    },
  },
  {
    says: 'Both query languages compute the same.',
    broken: async (subject) => {
      const shape = shapeOf(subject.command);
      if (subject.choice.select !== '--query @' || !shape || !isOk(subject)) return undefined;
      if (!['three', 'many', 'odd'].includes(subject.choice.answer ?? '')) return undefined;
      const list = shape.field ?? '@';
      for (const [query, jq] of pairsOf(list, shape.field === undefined ? '.' : `.${list}`)) {
        const plainly = { ...plain, flow: '', own: '' };
        const [one, other] = [
          await subject.again({ ...plainly, select: `--query ${query}` }),
          await subject.again({ ...plainly, select: `--jq ${jq}` }),
        ];
        const fault = isOk(one) && isOk(other) ? differ(query, one.stdout, other.stdout) : one.stderr + other.stderr;
        if (fault) return fault;
      }
      return undefined;
    },
  },
  {
    says: 'dtp api sends what was typed.',
    broken: ({ command, argv: [name, typed = ''], choice: { own }, requests: [first] }) =>
      command.command === 'api' && name === 'api' && own === '' && first
        ? differ('the URL', first.url, typed)
        : undefined,
  },
  {
    says: 'The cause of a failure wins over its deadline.',
    broken: (subject) =>
      subject.choice.answer === 'a full disk' && subject.code === 124 && !has(subject, '--no-queue')
        ? short(subject.stderr)
        : undefined,
  },
  {
    says: 'A command that a hint prints exists, with its flags.',
    broken: ({ stderr: shown, argv }) => {
      const stderr = stripVTControlCharacters(shown);
      const lines = [
        ...stderr.matchAll(/(?:try|next|fix): (dtp .*)/g),
        ...stderr.matchAll(/"command":"(dtp (?:[^"\\]|\\.)*)"/g),
      ];
      return lines.map(([, line = '']) => unknownIn(line, argv)).find((fault) => fault !== undefined);
    },
  },
];
