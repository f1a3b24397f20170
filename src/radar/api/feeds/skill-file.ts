// GET /SKILL.md: a guide for agents to both services, with this installation's addresses.
import { readFileSync } from 'node:fs';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type CachedResponse, makeResponse } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { readStrictQuery } from '../strict-query.ts';

const skill = readFileSync(new URL('../../../../SKILL.md', import.meta.url), 'utf8');

export function handleSkill({ site }: ApiContext, request: PublicRequest): CachedResponse {
  readStrictQuery(request.rawQuery, noParameters);
  const placeholderValues: Readonly<Record<string, string | undefined>> = {
    radar: site.url,
    gateway: site.gatewayUrl,
    relay: site.relayUrl,
  };
  const body = skill.replaceAll(
    /\{(\w+)_url\}/g,
    (placeholder, name: string) => placeholderValues[name] ?? placeholder,
  );
  const contentType = 'text/markdown; charset=utf-8';
  return makeResponse({ contentType, cacheControl: cacheControl.live, body });
}
