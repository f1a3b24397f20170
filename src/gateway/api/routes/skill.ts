// Handles GET /SKILL.md, a guide for agents to the radar and the gateway, with this installation's
// addresses.
import { readFileSync } from 'node:fs';
import type { GatewayContext } from '../context.ts';
import { type ApiRequest, type GatewayResponse, publicResponse } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

const skill = readFileSync(new URL('../../../../SKILL.md', import.meta.url), 'utf8');

export async function handleSkill(
  { site }: GatewayContext,
  request: ApiRequest,
): Promise<GatewayResponse> {
  readQuery(request.query, noParameters);
  const placeholderValues: Readonly<Record<string, string | undefined>> = {
    gateway: site.url,
    radar: site.radarUrl,
    relay: site.relayUrl,
  };
  const text = skill.replaceAll(
    /\{(\w+)_url\}/g,
    (all, name: string) => placeholderValues[name] ?? all,
  );
  return publicResponse(text, 'text/markdown; charset=utf-8');
}
