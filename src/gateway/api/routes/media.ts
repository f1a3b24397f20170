// Handles GET /media/{token}, an image or video that a call created. Every client with the address
// can read the file until it expires.
import { Fault } from '../../../kernel/errors/fault.ts';
import { mediaResponse } from '../../capabilities/media/media-response.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, oneHeader } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

export async function handleMedia(
  { media }: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const range = oneHeader(request, 'range');
  const { status, headers, body } = await mediaResponse(media, request.params.token ?? '', range);
  if (status === 404) throw new Fault('not_found', 'There is no such file, or it has expired.');
  return { status, headers, body: body ?? '' };
}
