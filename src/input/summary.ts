/** Builds the summary in a request body from the API document that is the argument. */
import { attempt, orThrow } from '../caught.ts';
import type { Context } from '../context.ts';
import { brokenPathIn, isApiDocument, operationsOf } from '../documents/operations.ts';
import { readTree } from '../documents/read-tree.ts';
import { treeValue } from '../documents/tree.ts';
import { DtpError } from '../errors.ts';
import { fieldsOf, isRecord, type JsonObject, stringOf } from '../json-object.ts';
import type { Input, Operation } from '../operations/operation.ts';
import { explainFault } from './faults.ts';
import type { InputFiles } from './files.ts';
import { type ParsedArguments, readInput } from './read.ts';

/**
 * Returns the Input of an operation whose body has an `oas_summary`, built from the document at `path`. By default, the
 * body asks for method names. Throws `usage` like readInput, and for a document that is not OpenAPI.
 */
export async function readSummaryInput(
  operation: Operation,
  given: ParsedArguments & { readonly path: string },
  context: Pick<Context, 'uuid' | 'date'>,
  files: InputFiles,
): Promise<Input> {
  if (given.flags['oas-summary'] !== undefined)
    throw new DtpError('usage', 'pass either FILE or --oas-summary, not both');
  const path = given.path.replace(/^@/, '');
  const document = documentIn(await files.text(path, 'FILE', true), path);
  const input = await readInput(operation, given, context, files);
  const body = { suggestion_type: 'method-names', diagnostics: [], ...fieldsOf(input.body) };
  return { ...input, body: { ...body, oas_summary: summaryOf(document) } };
}

/** Parses the document and checks it. Only some strings of it are sent, so other values may be anything. */
function documentIn(text: string, path: string): JsonObject {
  const name = `FILE: ${path === '-' ? 'standard input' : path}`;
  const document = orThrow(() => parsed(text), explainFault(name));
  if (!isRecord(document) || !isApiDocument(document))
    throw new DtpError('usage', `${name} is not an OpenAPI 3.x or Swagger 2.0 document`);
  const [broken, reference] = brokenPathIn(document) ?? [];
  if (broken !== undefined)
    throw new DtpError('usage', `${name}: the path ${broken} refers to ${reference}, which is not in the document`);
  return document;
}

function parsed(text: string): unknown {
  // The parser of Node.js is much faster than reading a tree. Aliases need no limit, because they share their values.
  const json = /^\s*\{\s*"/.test(text) ? attempt((): unknown => JSON.parse(text), undefined) : undefined;
  return json ?? treeValue(readTree(text, 'any').tree);
}

/** Returns the summary of a document. Fields that the document lacks are empty, because the record requires them. */
function summaryOf(document: JsonObject): JsonObject {
  const { title, summary, description, version, license } = fieldsOf(document.info);
  const { identifier } = fieldsOf(license);
  return {
    info: {
      title: stringOf(title),
      summary: stringOf(summary),
      description: stringOf(description),
      // In many documents, the version is a number, such as 1.0 without quotes.
      version: typeof version === 'number' ? String(version) : stringOf(version),
      license: typeof identifier === 'string' ? { identifier } : {},
    },
    operations: operationsOf(document).map(({ method, path, operation }) => ({
      method,
      path,
      operation_id: stringOf(operation.operationId),
      description: stringOf(operation.description),
      tags: Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string') : [],
      ...textIn('method_name_override', operation['x-method-name']),
      ...textIn('group_override', operation['x-group']),
    })),
  };
}

/** Returns an object with an optional field, or an empty object if the field has no value. */
const textIn = (name: string, value: unknown): JsonObject =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {};
