/** GitHub's OpenAPI description, with the operations that are hard to write as code. */
import { type Described, type ExpectedRequest, expectedRequest } from './expected-request.ts';
import { readFixture } from './fixtures.ts';
import { hardOperations, securitySchemes } from './hard-operations.ts';

export const readGithubDocument = (): Buffer => readFixture('api.github.com.json');

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

export interface Operation extends Described {
  readonly id: string;
  readonly expected: ExpectedRequest;
}

/** The operations, in the order of the code samples. The number of each is the end of the URL of its server. */
export function githubOperations(address: string) {
  const document = JSON.parse(readGithubDocument().toString());
  document.components.securitySchemes = securitySchemes;
  const hard = new Map(hardOperations.map((one) => [`${one.method} ${one.path}`, one.expected]));
  for (const { method, path, operation } of hardOperations)
    document.paths[path] = { ...document.paths[path], [method]: operation };
  const all: Operation[] = [];
  for (const path of Object.keys(document.paths))
    for (const method of METHODS) {
      const operation = document.paths[path][method];
      if (!operation) continue;
      operation.servers = [{ url: `${address}/s${all.length}` }];
      const described = { document, path, method };
      const expected = hard.get(`${method} ${path}`) ?? expectedRequest(described);
      all.push({ ...described, id: operation.operationId ?? '', expected });
    }
  return { document, all, fromGithub: all.length - hard.size };
}
