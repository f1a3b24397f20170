// Handles GET /api/v1/capabilities/social/platforms, the public list of values for `platform`.
import { describePlatforms } from '../../capabilities/social/platforms.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

export async function handlePlatforms(
  _context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  return publicResponse(JSON.stringify(describePlatforms()));
}
