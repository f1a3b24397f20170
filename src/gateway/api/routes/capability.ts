// POST /api/v1/capabilities/…: one address per capability, and one path behind them all.

import type { CallRequest } from '../../calls/call.ts';
import { prefers } from '../../calls/idempotency.ts';
import { makeCall } from '../../calls/make-call.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, NO_STORE, oneHeader } from '../http-response.ts';
import { noParameters, queryValues, readQuery } from '../read-query.ts';

export function answerCapability(capability: Capability) {
  return async ({ calls }: GatewayContext, asked: Asked): Promise<Answer> => {
    const { status, contentType, body, isReplay, location } = await makeCall(
      calls,
      requestOf(capability, asked),
    );
    const headers = {
      'content-type': contentType,
      'cache-control': NO_STORE,
      ...(location !== undefined && { location }),
      // RFC 7240, 3: the preference that made a job of the call.
      ...(isPreferred(capability, asked, status) && { 'preference-applied': 'respond-async' }),
      ...(isReplay && { 'idempotent-replayed': 'true' }),
    };
    return { status, headers, body };
  };
}

const isPreferred = (capability: Capability, asked: Asked, status: number) =>
  status === 202 && !capability.isAsync && prefers(oneHeader(asked, 'prefer'), 'respond-async');

function requestOf(capability: Capability, asked: Asked): CallRequest {
  const { requestId, client, notes, path, query } = asked;
  return {
    ...{ requestId, client, notes, path, query, capability },
    authorization: oneHeader(asked, 'authorization'),
    idempotencyKey: oneHeader(asked, 'idempotency-key'),
    prefer: oneHeader(asked, 'prefer'),
    readInput: async () => {
      if (capability.method === 'GET') return queryValues(query);
      readQuery(query, noParameters);
      return asked.readJson();
    },
  };
}
