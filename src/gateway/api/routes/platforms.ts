// GET /api/v1/capabilities/social/platforms: what `platform` may say, for everybody.
import { describePlatforms } from '../../capabilities/social/platforms.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, publicAnswer } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

export async function answerPlatforms(_context: GatewayContext, asked: Asked): Promise<Answer> {
  readQuery(asked.query, noParameters);
  return publicAnswer(JSON.stringify(describePlatforms()));
}
