// GET /api/v1/stories/{publicId}: one event. Until stories are made, none is known.
import { Fault } from '../../../kernel/fault.ts';
import type { ApiContext, Asked } from '../context.ts';
import { invalid, strictQuery } from '../strict-query.ts';
import { noParameters } from './parameters.ts';

const ID_MAX = 128;

export function answerStory(_context: ApiContext, asked: Asked): never {
  strictQuery(asked.rawQuery, noParameters);
  const { publicId = '' } = asked.params;
  if (Array.from(publicId).length > ID_MAX) {
    throw invalid(`The path parameter "publicId" must have at most ${ID_MAX} characters.`);
  }
  throw new Fault('not_found', 'There is no public story of that id.');
}
