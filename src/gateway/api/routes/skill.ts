// GET /SKILL.md: how an agent uses both services, with this gateway's own address in its place.
import { readFileSync } from 'node:fs';
import { type Answer, type Asked, publicAnswer } from '../answer.ts';
import type { GatewayContext } from '../context.ts';
import { noParameters, readQuery } from '../read-query.ts';

const skill = readFileSync(new URL('../../../../SKILL.md', import.meta.url), 'utf8');

export async function answerSkill({ site }: GatewayContext, asked: Asked): Promise<Answer> {
  readQuery(asked.query, noParameters);
  const text = skill.replaceAll('{gateway_url}', site.url);
  return publicAnswer(text, 'text/markdown; charset=utf-8');
}
