/** Defines the connection to a service and what it knows about its credential's workspace, and calls operations. */
import { mapErrors } from '../caught.ts';
import type { Context } from '../context.ts';
import { DtpError, hasCode, withFacts } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Log } from '../output/log.ts';
import { buildRequest, type ServiceTarget } from '../request/build.ts';
import type { HttpRequest, Send } from '../request/http.ts';
import { readResponse, type Value } from '../request/read.ts';
import type { FoundCredential } from '../settings/credential.ts';
import type { Globals } from '../settings/global-flags.ts';
import type { SettingKey } from '../settings/keys.ts';
import type { Settings } from '../settings/resolve.ts';
import type { Credential } from '../transport/credentials.ts';
import type { MovingDeadline } from './deadline.ts';
import type { Misses } from './names-match.ts';

/** The source of the credential that errors name if it is the token of a namespace. */
export const bearerSource = 'the registry token';

export interface UncheckedConnection {
  readonly target: ServiceTarget;
  /** Settings that the service itself knows, such as the workspace of the embedded service. */
  readonly known: Readonly<Partial<Record<SettingKey, string>>>;
  /** The source of the credential of the last request, for errors. Empty if it had no credential. */
  readonly credentialSource: () => string;
  /** The user's command line. Errors about a name suggest it again with an id or another name. */
  readonly typed?: { readonly argv: readonly string[]; readonly globals: Globals };
  /** Sends without the workspace check. Only for requests that find out which workspace is meant. */
  readonly sendUnchecked: (operation: Operation) => Promise<Send>;
}

/** Finds something out about the workspace in `settings` (default: the settings of the connection). */
type WorkspaceQuery<T> = (operation: Operation, signal: AbortSignal | undefined, settings?: Settings) => Promise<T>;

export interface CheckedSender {
  /** Returns the Send of an operation, with its credential and retries. It calls `checkWorkspace` before sending. */
  readonly sendFor: (operation: Operation, settings?: Settings) => Promise<Send>;
  /**
   * Throws `usage` if the operation would act on another workspace than the one in `settings` (default: the settings of
   * the connection). Without `signal`, no request is sent. Returns false if the workspace is then not known. If the
   * service does not say whose the credential is, throws for a typed -w, and warns of any other selection.
   */
  readonly checkWorkspace: WorkspaceQuery<boolean>;
  /**
   * Returns the id of the workspace in `settings` (default: the settings of the connection). A name is looked up once.
   * A value that no workspace has as its name is returned unchanged, and without `signal`, which sends no request,
   * every value. Undefined if no workspace is selected. Throws `usage` if several workspaces have the name.
   */
  readonly workspaceId: WorkspaceQuery<string | undefined>;
  /** Returns the credential's workspace, or undefined if it is not known. Without `signal`, no request is sent. */
  readonly findOwn: (operation: Operation, signal: AbortSignal | undefined) => Promise<string | undefined>;
  /** Calls validateApiKey and returns its response. The call is retried like `before`, the operation that follows. */
  readonly whose: (signal: AbortSignal, before?: Operation) => Promise<Readonly<Record<string, unknown>>>;
  /** Values that a list did not contain. If the service rejects one too, the error suggests similar names. */
  readonly misses: Misses;
}

/** `found` returns the configured credential; `fetch` the one to send, and may run a command to get it. */
export interface CredentialProvider {
  readonly found: () => FoundCredential | undefined;
  readonly fetch: () => Promise<Credential>;
}

export interface Connection extends UncheckedConnection, CheckedSender {
  /** Returns a Send with a token that the service issued, or with none. It only sends to the origin of the base URL. */
  readonly sendBearer: (token: string | undefined) => Send;
  /** Masks a secret from now on. */
  readonly hide: Log['hide'];
  readonly close: () => Promise<void>;
}

export interface ConnectOptions {
  readonly context: Context;
  readonly settings: Settings;
  readonly globals: Globals;
  readonly operation: Operation;
  readonly log: Log;
  /** The user's command line, which errors about a name suggest again with an id or another name. */
  readonly argv?: readonly string[];
  /** Replaces the configured credential. */
  readonly credential?: FoundCredential | undefined;
}

/** The data about a failed command that its hint is made from. */
export interface Attempt extends Pick<ConnectOptions, 'context' | 'operation' | 'settings' | 'globals'> {
  /** The user's input. Undefined if the failed request does not use the user's input. */
  readonly input?: Input | undefined;
  readonly connection: Connection;
}

export interface Calls {
  readonly connection: Connection;
  /** Starts the deadline of an operation. Closing the connection ends the deadline. */
  readonly begin: (operation: Operation) => MovingDeadline;
  /** Starts the deadline that the user set for the whole command. Without one, returns the signal of the interrupt. */
  readonly beginWhole: () => AbortSignal;
}

/** Calls the operation of a command with additional input. */
export type Ask = (more: Input, signal: AbortSignal) => Promise<Value>;

/** Calls an operation that does not send a multipart form. */
export async function call(connection: Connection, operation: Operation, input: Input, signal: AbortSignal) {
  const request = buildRequest(operation, input, connection.target);
  return exchange(await connection.sendFor(operation), operation, request, signal);
}

/** Sends a request and reads its response. Errors name the operation. */
export async function exchange(send: Send, operation: Operation, request: HttpRequest, signal: AbortSignal) {
  const facts = { operation: operation.id, method: request.method, path: new URL(request.url).pathname, attempts: 1 };
  let status: number | undefined;
  const explained = (error: unknown) => {
    const more = hasCode(error, 'bad_response') && status !== undefined ? { status } : {};
    return isOfAnother(error, operation) ? error : withFacts(error, { ...facts, ...more });
  };
  try {
    const response = await send(request, { signal });
    status = response.status;
    const value = await readResponse(operation, response, request);
    return value.kind === 'bytes' ? { ...value, body: mapErrors(value.body, explained) } : value;
  } catch (error) {
    throw explained(error);
  }
}

/** Whether the error is from an earlier request, such as the one that fetches a token. */
const isOfAnother = (error: unknown, { id }: Operation): boolean =>
  error instanceof DtpError && (error.facts.operation ?? id) !== id;
