// Handles GET /openapi.json. The OpenAPI document is generated once from the validation schemas.

import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { describeGateway } from '../openapi/describe-gateway.ts';
import { noParameters, readQuery } from '../read-query.ts';

const cachedResponses = new WeakMap<GatewayContext, GatewayResponse>();

export async function handleOpenApi(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const response =
    cachedResponses.get(context) ?? publicResponse(JSON.stringify(describeGateway(context)));
  cachedResponses.set(context, response);
  return response;
}
