/** The flags that every command has. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { formats } from '../render/formats.ts';

/** As commander hands them over; texts are read by those who use them. */
export interface Globals {
  readonly baseUrl?: string;
  readonly profile?: string;
  readonly workspace?: string;
  readonly organizationSlug?: string;
  readonly workspaceSlug?: string;
  readonly output?: string;
  readonly json?: boolean;
  readonly fields?: string;
  readonly query?: string;
  readonly rawOutput?: boolean;
  /** False for `--no-headers`. */
  readonly headers?: boolean;
  readonly outputFile?: string;
  readonly force?: boolean;
  /** False for `--no-input`. */
  readonly input?: boolean;
  readonly yes?: boolean;
  /** False for `--no-progress`. */
  readonly progress?: boolean;
  readonly timeout?: string;
  readonly connectTimeout?: string;
  readonly proxy?: string;
  readonly caCert?: string;
  readonly insecure?: boolean;
  readonly allowHttp?: boolean;
  readonly retry?: string;
  readonly allowFailure?: boolean;
  readonly dryRun?: boolean;
  readonly curl?: boolean;
  readonly errorFormat?: string;
  readonly color?: string;
  readonly verbose?: boolean;
  readonly debug?: boolean;
}

/** Whether the request is only shown. */
export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

const globalOptions: readonly (readonly [flags: string, help: string, choices?: readonly string[]])[] = [
  ['--base-url <url>', "the service's address; local: is the embedded service"],
  ['--profile <name>', 'the profile to use; local is built in'],
  ['-w, --workspace <id>', "the workspace; '' for the credential's own"],
  ['--organization-slug <slug>', 'the organization, for manifests and blobs'],
  ['--workspace-slug <slug>', 'the workspace, for manifests and blobs'],
  ['-o, --output <format>', 'table on a terminal, else json', formats],
  ['--json', 'short for -o json'],
  ['--fields <names>', 'only these members, such as id,name,owner.name'],
  ['--query <expression>', 'a JMESPath expression over the result'],
  ['-r, --raw-output', 'print strings and lists of strings without quotes'],
  ['--no-headers', 'no titles of columns'],
  ['-O, --output-file <file>', 'write the result to a file, whole or not at all'],
  ['--force', 'let -O replace a file that is there'],
  ['--no-input', 'never ask; fail with what is missing'],
  ['-y, --yes', 'answer yes to what would be asked'],
  ['--no-progress', 'show no movement while something takes long'],
  ['--timeout <time>', 'the longest the command may take, such as 90s or 5m'],
  ['--connect-timeout <time>', 'the longest a connection may take'],
  ['--proxy <url>', "the proxy for all but loopback; '' for none"],
  ['--ca-cert <file>', 'trust these certificates too (PEM)'],
  ['--insecure', 'accept any certificate, with a warning'],
  ['--allow-http', 'send the credential over plain http'],
  ['--retry <number>', 'send a command that only reads again, at most so often'],
  ['--allow-failure', 'end with 0, and a warning, where the service or the way to it failed'],
  ['--dry-run', 'print the request and send nothing'],
  ['--curl', 'print the request as a curl command and send nothing'],
  ['--error-format <format>', 'how errors are written', ['auto', 'text', 'json']],
  ['--color <when>', 'when there is color', ['auto', 'always', 'never']],
  ['-v, --verbose', 'tell of requests and retries on stderr'],
  ['--debug', 'tell of headers too, and where errors come from'],
];

/** Names that later flags of every command will take, so that no field's flag takes them first. */
const reserved = ['help', 'version', 'field', 'raw-field', 'skeleton'];

/** Long names without dashes; a field's flag of such a name would be swallowed. */
export const globalNames: ReadonlySet<string> = new Set([
  ...globalOptions.map(([flags]) => /--([\w-]+)/.exec(flags)?.[1] ?? ''),
  ...reserved,
]);

export function addGlobals(program: Command): void {
  program.optionsGroup('Options of every command:');
  for (const [flags, help, choices] of globalOptions) {
    const option = new Option(flags, help);
    program.addOption(choices ? option.choices([...choices]) : option.argParser(noFlag));
  }
}

/** commander would take the next flag for the value. No value of these flags begins so. */
function noFlag(value: string): string {
  if (/^--[a-z]/.test(value)) throw new InvalidArgumentError(`It needs a value; ${value} is a flag.`);
  return value;
}
