/** The flags that every command has. */
import type { Command } from 'commander';
import { Option } from 'commander';
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

const globalOptions = (): readonly Option[] => [
  new Option('--base-url <url>', "the service's address; local: is the embedded service"),
  new Option('--profile <name>', 'the profile to use; local is built in'),
  new Option('-w, --workspace <id>', 'the workspace'),
  new Option('--organization-slug <slug>', 'the organization, for manifests and blobs'),
  new Option('--workspace-slug <slug>', 'the workspace, for manifests and blobs'),
  new Option('-o, --output <format>', 'table on a terminal, else json').choices([...formats]),
  new Option('--json', 'short for -o json'),
  new Option('--fields <names>', 'only these members, such as id,name,owner.name'),
  new Option('--query <expression>', 'a JMESPath expression over the result'),
  new Option('-r, --raw-output', 'a text, or a list of them, without quotes'),
  new Option('--no-headers', 'no titles of columns'),
  new Option('-O, --output-file <file>', 'write the result to a file, whole or not at all'),
  new Option('--force', 'let -O replace a file that is there'),
  new Option('--no-input', 'never ask; fail with what is missing'),
  new Option('-y, --yes', 'answer yes to what would be asked'),
  new Option('--no-progress', 'show no movement while something takes long'),
  new Option('--timeout <time>', 'the longest the command may take, such as 90s or 5m'),
  new Option('--connect-timeout <time>', 'the longest a connection may take'),
  new Option('--proxy <url>', 'the proxy for all but loopback'),
  new Option('--ca-cert <file>', 'trust these certificates too (PEM)'),
  new Option('--insecure', 'accept any certificate, with a warning'),
  new Option('--allow-http', 'send the credential over plain http'),
  new Option('--retry <number>', 'send a command that only reads again, at most so often'),
  new Option('--allow-failure', 'end with 0, and a warning, where the service or the way to it failed'),
  new Option('--dry-run', 'print the request and send nothing'),
  new Option('--curl', 'print the request as a curl command and send nothing'),
  new Option('--error-format <format>', 'how errors are written').choices(['auto', 'text', 'json']),
  new Option('--color <when>', 'when there is color').choices(['auto', 'always', 'never']),
  new Option('-v, --verbose', 'tell of requests and retries on stderr'),
  new Option('--debug', 'tell of headers too, and where errors come from'),
];

/** Names that later flags of every command will take, so that no field's flag takes them first. */
const reserved = ['help', 'version', 'field', 'raw-field', 'skeleton'];

/** Long names without dashes; a field's flag of such a name would be swallowed. */
export const globalNames: ReadonlySet<string> = new Set([
  ...globalOptions().map((option) => (option.long ?? '').replace(/^--/, '')),
  ...reserved,
]);

export function addGlobals(program: Command): void {
  program.optionsGroup('Options of every command:');
  for (const option of globalOptions()) program.addOption(option);
}
