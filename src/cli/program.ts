/** Runs a command line: parses it, checks what the parser cannot check, and calls the code of the command. */

import type { Context } from '../context.ts';
import { attributeOf, defaultsOf } from '../declarations/flag.ts';
import { DtpError } from '../errors.ts';
import type { ParsedArguments } from '../input/read.ts';
import type { LocalCommand } from '../local/command.ts';
import type { LocalInput } from '../local/flags.ts';
import type { Operation } from '../operations/operation.ts';
import { withAgent } from '../output/agent.ts';
import { redactUrl } from '../request/redact.ts';
import { sameService } from '../settings/command-line.ts';
import type { Globals } from '../settings/global-flags.ts';
import { flowDefaults } from '../tree/flow-flags.ts';
import { readLine } from '../tree/line.ts';
import { argumentsOf, flagsOf, operandOf } from '../tree/operation-flags.ts';
import { answerEntry, versionEntry } from '../tree/tree.ts';
import { ownerFlag, repositoryFlag, repositoryIn } from '../tree/vocabulary.ts';
import { version } from '../version.ts';
import { openParser, type Parsed, type Parser, Stop } from './commander.ts';

/** The functions that run commands. They load the code of a command on demand, so that help does not load it. */
export interface Actions {
  readonly operation: (operation: Operation, given: ParsedArguments, globals: Globals) => Promise<void>;
  readonly local: (command: LocalCommand, input: LocalInput, globals: Globals) => Promise<void>;
  /** Answers the requests of completion scripts. */
  readonly answer: (argv: readonly string[]) => Promise<void>;
}

/** Opens a parser that checks a command line and runs its command. The version is written to `out`. */
export function openProgram(typed: readonly string[], actions: Actions, out: (text: string) => void): Parser {
  const line = readLine(typed);
  const { argv } = line;
  return openParser(
    line,
    async (parsed) => {
      const { entry, args, values, globals } = parsed;
      checkDryRun(parsed);
      await checkSwitchValues(argv);
      if (entry.operation) return actions.operation(entry.operation, givenOf(entry.operation, parsed, argv), globals);
      if (entry.local) {
        const flags = { ...defaultsOf(entry.local.flags ?? {}), ...values };
        return actions.local(entry.local, { args, flags }, globals);
      }
      if (entry === versionEntry) return out(`${version}\n`);
      if (entry === answerEntry) return actions.answer(answerWords(parsed));
    },
    out,
  );
}

/** Whether a command line waits for the end of what it starts or reads. */
export const isFollowed = (argv: readonly string[]): boolean => argv.some((word) => /^--(wait|watch)(=|$)/.test(word));

/** Runs a command line. Throws `usage` if it is invalid. A request for help is not an error. */
export async function runCommandLine(program: Parser, argv: readonly string[], context: Context): Promise<void> {
  try {
    await program.parse();
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const { why } = error;
    const { unknownHelpCommandError, usageErrorOf } = await import('../suggest/usage-errors.ts');
    if (why.is !== 'help') throw usageErrorOf(argv, why);
    const stray = unknownHelpCommandError(argv);
    if (stray) throw stray;
    const globals = program.globals();
    if (why.isBare) {
      const { missingCommand } = await import('../commands/help/pages.ts');
      throw await missingCommand(await withAgent(context, globals), globals, why.entry);
    }
    const { runHelp } = await import('./front.ts');
    return runHelp(await withAgent(context, globals), globals, why.entry, argv.includes('--all'));
  }
}

/** Returns the command line of a completion script's request, with the global flags that the user has typed first. */
function answerWords({ args, globals }: Parsed): readonly string[] {
  return ['__complete', ...sameService(globals).map((word) => [word].flat().join('=')), ...args];
}

/** Throws `usage` if --dry-run or --curl is given to a local command that does not support it. */
function checkDryRun({ entry: { local, title }, globals: { dryRun, curl } }: Parsed): void {
  const asked = [...(dryRun ? (['dry-run'] as const) : []), ...(curl ? (['curl'] as const) : [])];
  const unsupported = local && asked.find((one) => !local.shows?.includes(one));
  if (unsupported !== undefined) throw new DtpError('usage', `${title} does not support --${unsupported}`);
}

/** Throws `usage` for a switch with a value, such as `--public false`, if `false` would become the only argument. */
async function checkSwitchValues(argv: readonly string[]): Promise<void> {
  if (!argv.some((word, at) => at > 0 && /^(true|false|yes|no|on|off|1|0)$/i.test(word))) return;
  const { swallowedValueError } = await import('../suggest/flags.ts');
  const error = swallowedValueError(argv);
  if (error) throw error;
}

/** A value, and how the user named it. */
type Named = readonly [name: string, value: ParsedArguments['flags'][string]];

/** The values that were given, by the present names of their flags. */
type Flags = Map<string, Named>;

/** Throws `usage` if a value is given twice in different ways. */
function givenOf(operation: Operation, { args, values }: Parsed, argv: readonly string[]): ParsedArguments {
  const paths = argumentsOf(operation).length;
  const [[operand] = ['']] = operandOf(operation);
  const flags: Flags = new Map();
  for (const { name, earlier = name, field } of flagsOf(operation)) {
    if (field === operand) add(flags, name, [`"${args[paths]}"`, args[paths]]);
    for (const one of new Set([name, earlier])) add(flags, name, [`--${one}`, values[attributeOf(one)]]);
  }
  splitRepository(operation, flags, values);
  const words = splitRevision(operation, args.slice(0, paths), flags);
  const flow = { ...flowDefaults(operation), ...values };
  const given = { argv, args: words, flags: Object.fromEntries([...flags].map(([name, [, value]]) => [name, value])) };
  const file = args[paths];
  if (operation.flow !== 'summary' || file === undefined) return { ...given, flow };
  if (values.schema !== undefined) throw twice(`"${file}"`, '--schema');
  return { ...given, flow: { ...flow, schema: file } };
}

/** Adds a value. Values of a flag that may be repeated are joined. */
function add(flags: Flags, name: string, [label, value]: Named): void {
  const [other, before] = flags.get(name) ?? [];
  if (value === undefined) return;
  if (other === undefined || before === undefined) flags.set(name, [label, value]);
  else if (Array.isArray(value) && Array.isArray(before)) flags.set(name, [label, [...before, ...value]]);
  else throw twice(other, label);
}

const twice = (one: string, other: string) => new DtpError('usage', `pass either ${one} or ${other}, not both`);

/**
 * `--repo acme/petstore`, or a remote of that repository, sets both of its fields. With `--org`, or with the field `org`
 * in -F or -f, the value is only the name, even if it has a slash. Throws `usage` without an owner. A body may have
 * one.
 */
function splitRepository(operation: Operation, flags: Flags, { field, rawField }: Parsed['values']): void {
  const [label, repository] = flags.get(repositoryFlag) ?? [];
  const hasOwner = flagsOf(operation).some(({ name }) => name === ownerFlag);
  const isOwnerGiven =
    flags.has(ownerFlag) || [field ?? [], rawField ?? []].flat().some((one) => /^org=/.test(String(one)));
  if (!hasOwner || isOwnerGiven || label !== `--${repositoryFlag}`) return;
  const found = repositoryIn(String(repository));
  if (!found && flags.has('body')) return;
  if (!found)
    throw new DtpError('usage', `${label} must be OWNER/NAME, not "${redactUrl(String(repository))}"`, {
      hint: 'Pass the owner of the repository too, such as acme/petstore.',
    });
  flags.set(ownerFlag, [label, found.owner]);
  flags.set(repositoryFlag, [label, found.name]);
}

const revision = 'revision';

/** Splits `petstore:v1` into a namespace and a revision, unless another argument or a flag is the revision. */
function splitRevision(operation: Operation, args: readonly string[], flags: Flags): readonly string[] {
  const [[first] = [], [second] = []] = argumentsOf(operation);
  const [, namespace, sign, reference] = /^([^@:]+)([@:])(.+)$/.exec(args[0] ?? '') ?? [];
  if (first !== 'namespace_name' || namespace === undefined) return args;
  if (flagsOf(operation).some(({ name }) => name === revision) && !flags.has(revision)) {
    add(flags, revision, [`"${args[0]}"`, reference]);
    return [namespace, ...args.slice(1)];
  }
  if (second === undefined || args.length > 1 || (second === 'digest' && sign === ':')) return args;
  return [namespace, reference ?? ''];
}
