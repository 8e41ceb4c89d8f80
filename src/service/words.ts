/** Translates the URLs of requests from a deployment's words to those of the API document, which the service uses. */
import { decodeSegment, findTemplate, isParameter, type Template } from '../operations/paths.ts';
import { replaceWords, type Words } from '../operations/words.ts';
import type { Send } from '../request/http.ts';
import { splitUrl } from './http/router.ts';

/** Returns a `send` that also understands the words of these deployments. */
export function withWords(send: Send, deployments: readonly Words[]): Send {
  const named = deployments.filter(({ codehost, docsite }) => codehost !== undefined || docsite !== undefined);
  if (named.length === 0) return send;
  return (request, options) => send({ ...request, url: translated(request.method, request.url, named) }, options);
}

function translated(method: string, url: string, deployments: readonly Words[]): string {
  const { base, path, query } = splitUrl(url);
  const segments = path.split('/');
  // The router refuses a segment that cannot be decoded.
  const template = findTemplate(segments.map(decodeSegment), deployments);
  if (!template) return url;
  const literal = segments.map((segment, at) => {
    const own = template.segments[at] ?? segment;
    return isParameter(own) ? segment : own;
  });
  const named = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=', 1);
    return (nameIn(template, method, decodeSegment(name), deployments) ?? name) + pair.slice(name.length);
  });
  return base + literal.join('/') + (url.includes('?') ? `?${named.join('&')}` : '');
}

/** Returns the API document's name of a query field that a deployment has renamed. */
function nameIn({ operations }: Template, method: string, name: string, deployments: readonly Words[]) {
  const input = operations.get(method)?.input ?? {};
  return Object.keys(input).find(
    (one) => input[one]?.in === 'query' && deployments.some((words) => replaceWords(one, words) === name),
  );
}
