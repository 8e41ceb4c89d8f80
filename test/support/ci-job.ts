/** Runs the jobs of the documents as the runners of GitHub Actions and GitLab do, in a clone of a repository. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { folderOfPrograms } from './release-files.ts';
import { variablesIn } from './runner.ts';

const root = resolve(import.meta.dirname, '../..');

type Strings = Readonly<Record<string, string>>;

interface Step {
  readonly uses?: string;
  readonly with?: Strings;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Strings;
}

export interface RanStep {
  readonly line: string;
  readonly code: number;
  readonly log: string;
}

export interface Place {
  /** A new, empty folder for the machine that runs the job. */
  readonly machine: string;
  /** What is cloned. */
  readonly repository: string;
  /** The programs of the machine, separated by spaces. */
  readonly programs?: string;
  readonly env: Strings;
}

/** Runs a program without this process's environment. The log has both streams. */
export function runIn(cwd: string, env: Strings, argv: readonly string[]): Promise<RanStep> {
  return new Promise((done, failed) => {
    const [program = '', ...rest] = argv;
    const child = spawn(program, rest, { cwd, env: { ...env } });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
    child.on('error', failed);
    child.on('close', (code) => done({ line: argv.at(-1) ?? '', code: code ?? -1, log }));
    child.stdin.end();
  });
}

/** Replaces `${{ vars.NAME }}` and others. Throws for an expression that is not known. */
const filled = (text: string, known: Readonly<Record<string, Strings>>): string =>
  text.replace(/\$\{\{ (\w+)\.([\w-]+) \}\}/g, (whole, kind: string, name: string) => {
    const value = known[kind]?.[name];
    if (value === undefined) throw new Error(`unknown: ${whole}`);
    return value;
  });

const filledAll = (values: Strings | undefined, known: Readonly<Record<string, Strings>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([name, text]) => [name, filled(String(text), known)]));

/** The files through which a step changes the steps after it, and what they contain after the job. */
export const runnerFiles = ['GITHUB_ENV', 'GITHUB_PATH', 'GITHUB_OUTPUT', 'GITHUB_STEP_SUMMARY'] as const;

/** Opens a machine of GitHub Actions. `run` runs a step and returns the steps that it consisted of. */
export function githubMachine({ machine, repository, programs, env }: Place, known: Readonly<Record<string, Strings>>) {
  const [temporary, cwd] = [join(machine, 'temp'), join(machine, 'work')];
  for (const folder of [temporary, cwd]) mkdirSync(folder);
  const files = Object.fromEntries(runnerFiles.map((name) => [name, join(temporary, name)]));
  for (const file of Object.values(files)) writeFileSync(file, '');
  const read = (name: (typeof runnerFiles)[number]) => readFileSync(files[name] ?? '', 'utf8');
  const tools = folderOfPrograms(machine, programs);
  const own = { HOME: machine, TMPDIR: temporary, RUNNER_TEMP: temporary, RUNNER_OS: 'Linux', RUNNER_ARCH: 'X64' };
  const always = { ...own, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: cwd, ...files };

  /** The environment of the next step, by the lines that earlier ones have written. */
  const environment = (more: Strings): Strings => {
    const added = read('GITHUB_PATH').split('\n').filter(Boolean).reverse();
    return { ...always, ...env, ...variablesIn(read('GITHUB_ENV')), ...more, PATH: [...added, tools].join(':') };
  };

  async function run(step: Step, names: Readonly<Record<string, Strings>> = known): Promise<readonly RanStep[]> {
    const more = filledAll(step.env, names);
    if (step.run !== undefined) {
      const shell = step.shell === 'bash' ? ['bash', '-eo', 'pipefail'] : ['bash', '-e'];
      return [await runIn(cwd, environment(more), [...shell, '-c', filled(step.run, names)])];
    }
    const { uses = '' } = step;
    if (uses.startsWith('actions/checkout@')) return [await clone(repository, cwd, environment({}))];
    const [, path] = /^(?:OWNER\/dtp|\.)\/(\w+)(?:@\S+)?$/.exec(uses) ?? [];
    if (path === undefined) throw new Error(`not run: ${uses}`);
    const folder = join(root, path);
    const { inputs, runs } = parse(readFileSync(join(folder, 'action.yml'), 'utf8'));
    const given = filledAll(step.with, names);
    const defaults = Object.entries(inputs as Record<string, { default?: string; required?: boolean }>).map(
      ([name, input]) => [name, given[name] ?? input.default ?? ''] as const,
    );
    const inner = { ...names, inputs: Object.fromEntries(defaults) };
    const ran: RanStep[] = [];
    for (const one of runs.steps as Step[])
      ran.push(...(await run({ ...one, env: { ...one.env, GITHUB_ACTION_PATH: folder } }, inner)));
    return ran;
  }

  return { cwd, read, run };
}

const clone = (repository: string, cwd: string, env: Strings) =>
  runIn(cwd, env, ['git', 'clone', '--quiet', repository, '.']);

/** Runs the job of a GitHub workflow, up to the first step that fails. */
export async function runWorkflow(text: string, place: Place, known: Readonly<Record<string, Strings>>) {
  const { jobs } = parse(text);
  const [job] = Object.values(jobs) as { readonly env?: Strings; readonly steps: readonly Step[] }[];
  const machine = githubMachine({ ...place, env: { ...place.env, ...filledAll(job?.env, known) } }, known);
  const ran: RanStep[] = [];
  for (const step of job?.steps ?? []) {
    ran.push(...(await machine.run(step)));
    if (ran.at(-1)?.code !== 0) break;
  }
  return { ...machine, ran };
}

interface GitlabJob {
  readonly extends?: string;
  readonly variables?: Readonly<Record<string, string | { readonly value: string }>>;
  readonly before_script?: readonly string[];
  readonly script?: readonly string[];
}

/** The template with its inputs filled in. Throws if an input is missing or does not have its form. */
export function component(name: string, given: Strings): Readonly<Record<string, GitlabJob>> {
  const file = readFileSync(join(root, 'templates', `${name}.yml`), 'utf8');
  const [head, body] = parseAllDocuments(file).map((document) => document.toJS());
  const { inputs } = head.spec as { inputs: Record<string, { default?: string; regex?: string }> };
  const unknown = Object.keys(given).filter((one) => !(one in inputs));
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown}`);
  const value = (one: string) => {
    const found = given[one] ?? inputs[one]?.default;
    const form = inputs[one]?.regex;
    // Go's $ is the end of the string.
    if (found === undefined || (form !== undefined && !new RegExp(form).test(found)))
      throw new Error(`invalid input: ${one}`);
    return found;
  };
  // GitLab fills in the values of the parsed file, so that an input cannot add a key.
  const fill = (one: unknown): unknown => {
    if (typeof one === 'string') return one.replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => value(name));
    if (Array.isArray(one)) return one.map(fill);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, member]) => [key, fill(member)]));
  };
  return fill(body) as Readonly<Record<string, GitlabJob>>;
}

/** The values of a job's variables, some of which are records. */
export const valuesOf = (variables: GitlabJob['variables'] = {}): Strings =>
  Object.fromEntries(Object.entries(variables).map(([name, one]) => [name, typeof one === 'string' ? one : one.value]));

/** Runs the job of a GitLab configuration. All its lines run in one shell. */
export async function runGitlabJob(text: string, place: Place): Promise<RanStep & { readonly cwd: string }> {
  const { include = [], variables: shared, ...own } = parse(text);
  const included: Record<string, GitlabJob> = {};
  for (const { component: path, inputs } of include)
    Object.assign(included, component(/\/(\w+)@/.exec(path)?.[1] ?? '', inputs));
  const [job] = Object.values(own) as GitlabJob[];
  const parent = job?.extends === undefined ? {} : included[job.extends];
  if (!job?.script || !parent) throw new Error('the job has no script, or extends nothing');
  const lines = [...(job.before_script ?? parent.before_script ?? []), ...job.script];
  const cwd = join(place.machine, 'work');
  if (!existsSync(cwd)) mkdirSync(cwd);
  const env = {
    ...{ HOME: place.machine, CI: 'true', GITLAB_CI: 'true', CI_PROJECT_DIR: cwd },
    ...valuesOf({ ...shared, ...parent.variables, ...job.variables }),
    // Variables of the project win over those of the job.
    ...place.env,
    PATH: folderOfPrograms(place.machine, place.programs),
  };
  const cloned = existsSync(join(cwd, '.git')) ? undefined : await clone(place.repository, cwd, env);
  if (cloned && cloned.code !== 0) return { ...cloned, cwd };
  return { ...(await runIn(cwd, env, ['bash', '-eo', 'pipefail', '-c', lines.join('\n')])), cwd };
}
