/** Refuses callers who know only the id of a workspace, because it is not secret and anyone may call the service. */
import type { Send } from '../../request/http.ts';
import { errorResponse } from '../handler.ts';
import { operationIdOf } from './faults.ts';

/** Returns a `send` that requires a key. `getAccessToken` requires one too. */
export const withKeysOnly =
  (send: Send): Send =>
  async (request, options) => {
    const { 'x-workspace-identifier': id, ...headers } = request.headers;
    const { 'x-api-key': key, authorization } = headers;
    const isForToken = operationIdOf(request.method, request.url) === 'getAccessToken';
    if (key === undefined && authorization === undefined && (isForToken || id !== undefined))
      return errorResponse(401, REASON, { 'www-authenticate': 'Bearer' });
    if (!isForToken) return send({ ...request, headers }, options);
    // An access token is not valid as an x-api-key, so it cannot be used to renew itself forever.
    const { authorization: bearer = '', ...others } = headers;
    return send({ ...request, headers: { ...others, 'x-api-key': key ?? bearer.replace(/^bearer +/i, '') } }, options);
  };

const REASON =
  'the id of a workspace is not enough here: send the key of a workspace token (dtp serve --open-access-tokens would accept the id)';
