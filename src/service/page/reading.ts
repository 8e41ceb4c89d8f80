/** Reads the service in the name of the viewer, through its operations. */
import { attempt } from '../../caught.ts';
import { fieldsOf } from '../../json-object.ts';
import { type HttpRequest, type HttpResponse, isDeeper, readAll, type Send } from '../../request/http.ts';
import { Refusal } from '../handler.ts';
import { isRecord, type JsonObject, listOf } from '../http/fields.ts';
import type { RequestLog } from './request-log.ts';
import type { PageScope, Viewer } from './sessions.ts';

/** Functions of other folders, which may not be imported here, that show requests without their secrets. */
export interface Showing {
  readonly headers: (headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  readonly url: (url: string) => string;
  readonly body: (value: unknown) => unknown;
  /** A number of bytes for people. */
  readonly size: (bytes: number) => string;
  /** Masks the key of the service and that of the viewer in any string. */
  readonly text: (text: string, own: string) => string;
  /** The commands that would send a request again. The body is undefined if it is unknown. */
  readonly commands: (request: HttpRequest) => readonly { readonly name: string; readonly line: string }[];
}

export interface Reading {
  readonly viewer: Viewer;
  readonly scope: PageScope;
  readonly log: RequestLog;
  readonly showing: Showing;
  /** Gets a path of the service, without empty values in the query. Throws Refusal if its status is not 2XX. */
  readonly get: (path: string, query?: Readonly<Record<string, string | undefined>>) => Promise<HttpResponse>;
}

/** The largest response that is read for a view, in bytes. */
const RESPONSE_LIMIT = 32 * 1024 * 1024;

export const getterOf =
  (send: Send, { key }: Viewer, { base }: PageScope, signal: AbortSignal): Reading['get'] =>
  async (path, query = {}) => {
    const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
    const url = `${base}${path}?${new URLSearchParams(given).toString()}`;
    const response = await send({ method: 'GET', url, headers: { 'x-api-key': key, accept: '*/*' } }, { signal });
    if (response.status < 300) return response;
    const { message } = await readRecord(response);
    throw new Refusal(response.status, String(message ?? `the service responded with status ${response.status}`));
  };

/** The value of JSON. Undefined if it cannot be parsed, or is too deep for recursion. */
export const parsed = (bytes: Uint8Array): unknown =>
  attempt(() => [JSON.parse(Buffer.from(bytes).toString())].find((one) => !isDeeper(one, 600)), undefined);

/** Reads a whole response. Throws Refusal if it is too large for a view. */
export async function bytesOf({ body }: HttpResponse): Promise<Buffer> {
  const bytes = await readAll(body, RESPONSE_LIMIT);
  if (!bytes) throw new Refusal(413, 'the content is too large to show. Download it with dtp');
  return Buffer.from(bytes);
}

/** A record in a response. Empty if it is something else. */
export const readRecord = async (response: HttpResponse): Promise<JsonObject> =>
  fieldsOf(parsed(await bytesOf(response)));

/** The records of a list in a response, or of its field `items`. */
export async function readRecords(response: HttpResponse): Promise<readonly JsonObject[]> {
  const value = parsed(await bytesOf(response));
  return listOf(isRecord(value) ? value.items : value).filter(isRecord);
}

/** A field as text. Undefined if it is missing or empty. */
export const fieldText = (record: JsonObject, name: string): string | undefined => {
  const value = record[name];
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};
