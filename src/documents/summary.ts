/** Builds the summary of an OpenAPI document (OASSummary in records.ts): its info and its operations. */
import { fieldsOf, type JsonObject } from '../json-object.ts';
import { operationsOf } from './operations.ts';

/** Returns the summary of a document. Fields that the document lacks are empty, because the record requires them. */
export function summaryOf(document: JsonObject): JsonObject {
  const { title, summary, description, version, license } = fieldsOf(document.info);
  const { identifier } = fieldsOf(license);
  return {
    info: {
      title: textOf(title),
      summary: textOf(summary),
      description: textOf(description),
      // In many documents, the version is a number, such as 1.0 without quotes.
      version: typeof version === 'number' ? String(version) : textOf(version),
      license: typeof identifier === 'string' ? { identifier } : {},
    },
    operations: operationsOf(document).map(({ method, path, operation }) => ({
      method,
      path,
      operation_id: textOf(operation.operationId),
      description: textOf(operation.description),
      tags: Array.isArray(operation.tags) ? operation.tags.filter((tag) => typeof tag === 'string') : [],
      ...textIn('method_name_override', operation['x-method-name']),
      ...textIn('group_override', operation['x-group']),
    })),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns an object with an optional field, or an empty object if the field has no value. */
const textIn = (name: string, value: unknown): JsonObject =>
  typeof value === 'string' && value !== '' ? { [name]: value } : {};
