// GET /openapi-v1.json: the OpenAPI document, generated once from the validation schemas.

import type { ApiContext, PublicRequest } from '../context.ts';
import { describeApi } from '../openapi/describe-api.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, jsonResponse } from '../responses/cached-response.ts';
import { readStrictQuery } from '../strict-query.ts';
import { noParameters } from './parameters.ts';

const cachedResponses = new WeakMap<ApiContext, CachedResponse>();

export function handleOpenApi(context: ApiContext, request: PublicRequest): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const response =
    cachedResponses.get(context) ?? jsonResponse(cacheControl.reports, describeApi(context));
  cachedResponses.set(context, response);
  return response;
}
