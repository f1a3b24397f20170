// Handles the calls of capabilities, such as POST /api/v1/capabilities/social. Each capability has
// one address, and all have the same handler.

import type { CallRequest } from '../../calls/call.ts';
import { hasPreference } from '../../calls/idempotency.ts';
import { makeCall } from '../../calls/make-call.ts';
import type { Capability } from '../../capabilities/capability.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, NO_STORE, oneHeader } from '../http-response.ts';
import { noParameters, queryValues, readQuery } from '../read-query.ts';

export function createCapabilityHandler(capability: Capability) {
  return async ({ calls }: GatewayContext, request: ApiRequest): Promise<GatewayResponse> => {
    const { status, contentType, body, isReplay, location } = await makeCall(
      calls,
      requestOf(capability, request),
    );
    const headers = {
      'content-type': contentType,
      'cache-control': NO_STORE,
      ...(location !== undefined && { location }),
      // RFC 7240, 3: the applied preference, which created a job.
      ...(isJobByPreference(capability, request, status) && {
        'preference-applied': 'respond-async',
      }),
      ...(isReplay && { 'idempotent-replayed': 'true' }),
    };
    return { status, headers, body };
  };
}

const isJobByPreference = (capability: Capability, request: ApiRequest, status: number) =>
  status === 202 &&
  !capability.isAsync &&
  hasPreference(oneHeader(request, 'prefer'), 'respond-async');

function requestOf(capability: Capability, request: ApiRequest): CallRequest {
  const { requestId, client, knownLimits, path, query } = request;
  return {
    requestId,
    client,
    knownLimits,
    path,
    query,
    capability,
    authorization: oneHeader(request, 'authorization'),
    idempotencyKey: oneHeader(request, 'idempotency-key'),
    prefer: oneHeader(request, 'prefer'),
    readInput: async () => {
      if (capability.method === 'GET') return queryValues(query);
      readQuery(query, noParameters);
      return request.readJson();
    },
  };
}
