// GET /media/{token}: a picture or film that a call made, for a day, for whoever has its address.
import { Fault } from '../../../kernel/errors/fault.ts';
import { mediaAnswer } from '../../capabilities/media/media-response.ts';
import type { GatewayContext } from '../context.ts';
import { type Answer, type Asked, oneHeader } from '../http-response.ts';
import { noParameters, readQuery } from '../read-query.ts';

export async function answerMedia({ media }: GatewayContext, asked: Asked): Promise<Answer> {
  readQuery(asked.query, noParameters);
  const range = oneHeader(asked, 'range');
  const { status, headers, body } = await mediaAnswer(media, asked.params.token ?? '', range);
  if (status === 404) throw new Fault('not_found', 'There is nothing here, or not any more.');
  return { status, headers, body: body ?? '' };
}
