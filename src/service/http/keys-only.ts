/** Refuses callers who know only the id of a workspace, because it is not secret and anyone may call the service. */
import { readAll, type Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { operationIdOf } from './faults.ts';
import { splitUrl } from './router.ts';

/** Returns a `send` that requires a key. `getAccessToken` requires one too, which opens the requested workspace. */
export const withKeysOnly =
  (send: Send): Send =>
  async (request, options) => {
    const { 'x-workspace-identifier': id, ...headers } = request.headers;
    const { 'x-api-key': key, authorization } = headers;
    const isForToken = operationIdOf(request.method, request.url) === 'getAccessToken';
    if (key === undefined && authorization === undefined && (isForToken || id !== undefined))
      return errorResponse(401, REASON, { 'www-authenticate': 'Bearer' });
    if (isForToken) {
      const { base, query } = splitUrl(request.url);
      const workspace = encodeURIComponent(new URLSearchParams(query).get('workspace_id') ?? '');
      // An access token is not valid as an x-api-key, so it cannot be used to renew itself forever.
      const asked = { 'x-api-key': key ?? authorization?.replace(/^bearer +/i, '') ?? '' };
      const check = await send({ method: 'GET', url: `${base}/v1/workspace/${workspace}`, headers: asked }, options);
      if (workspace !== '' && check.status !== 200) return check;
      // A worker thread is not free until its response is read.
      await readAll(check.body, Number.POSITIVE_INFINITY);
    }
    return send({ ...request, headers }, options);
  };

const REASON =
  'the id of a workspace is not enough here: send the key of a workspace token (dtp serve --open-access-tokens would accept the id)';
