// Handles GET /capabilities/catalog, which also exists under /api/v1. It is public and needs no
// key.
import { catalogOf, type Integration, readStatuses } from '../../calls/catalog.ts';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { MCP_PATH } from '../mcp/mcp-path.ts';
import { noParameters, readQuery } from '../read-query.ts';

/** Specification: SKILL is available; SDK and MCP are announced. This program offers all three. */
const integrationsOf = (siteUrl: string): readonly Integration[] => [
  { id: 'sdk', availability: 'available', url: `${siteUrl}/sdk` },
  { id: 'mcp', availability: 'available', url: `${siteUrl}${MCP_PATH}` },
  { id: 'skill', availability: 'available', url: `${siteUrl}/SKILL.md` },
];

export async function handleCatalog(
  context: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const { calls, capabilities, chat, site } = context;
  const statuses = await readStatuses(capabilities, calls.switches, chat);
  const list = await calls.prices.current();
  return publicResponse(JSON.stringify(catalogOf(list, statuses, integrationsOf(site.url))));
}
