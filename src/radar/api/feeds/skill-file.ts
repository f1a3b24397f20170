// GET /SKILL.md: how an agent uses both services, with this radar's own address in its place.
import { readFileSync } from 'node:fs';
import type { ApiContext, Asked } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import { type Answer, makeAnswer } from '../responses/cached-response.ts';
import { noParameters } from '../routes/parameters.ts';
import { strictQuery } from '../strict-query.ts';

const skill = readFileSync(new URL('../../../../SKILL.md', import.meta.url), 'utf8');

export function answerSkill({ site }: ApiContext, asked: Asked): Answer {
  strictQuery(asked.rawQuery, noParameters);
  const body = skill.replaceAll('{radar_url}', site.url);
  const contentType = 'text/markdown; charset=utf-8';
  return makeAnswer({ contentType, cacheControl: cacheControl.live, body });
}
