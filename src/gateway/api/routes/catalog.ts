// GET /capabilities/catalog, also under /api/v1: for everybody, without a key.
import { catalogOf, type Integration, standingOf } from '../../calls/catalog.ts';
import { type Answer, type Asked, publicAnswer } from '../answer.ts';
import type { GatewayContext } from '../context.ts';
import { noParameters, readQuery } from '../read-query.ts';

/** Specification: SKILL is available; SDK and MCP are announced. Until each exists here: soon. */
const integrations: readonly Integration[] = [
  { id: 'sdk', availability: 'coming_soon', url: null },
  { id: 'mcp', availability: 'coming_soon', url: null },
  { id: 'skill', availability: 'coming_soon', url: null },
];

export async function answerCatalog(context: GatewayContext, asked: Asked): Promise<Answer> {
  readQuery(asked.query, noParameters);
  const standing = await standingOf(context.capabilities);
  return publicAnswer(JSON.stringify(catalogOf(standing, integrations)));
}
