// GET /api/v1/stories/{publicId}: one event. A merged story redirects to its survivor while the
// survivor is public.
import { Fault } from '../../../kernel/errors/fault.ts';
import { findStory } from '../../publication/documents/find-document.ts';
import type { ApiContext, PublicRequest } from '../context.ts';
import { cacheControl } from '../responses/cache-control.ts';
import {
  type CachedResponse,
  jsonResponse,
  type PermanentRedirect,
} from '../responses/cached-response.ts';
import { invalidQueryFault, readStrictQuery } from '../strict-query.ts';
import { storyPath } from '../wire-links.ts';
import { wireStory } from '../wire-story.ts';
import { noParameters } from './parameters.ts';

const ID_MAX = 128;

export async function handleStory(
  context: ApiContext,
  request: PublicRequest,
): Promise<CachedResponse | PermanentRedirect> {
  const { world, publication, site } = context;
  readStrictQuery(request.rawQuery, noParameters);
  const lookup = await findStory(world, publication, publicIdOf(request));
  switch (lookup.kind) {
    case 'story': {
      const story = wireStory(site, lookup.body, world.clock.now());
      return jsonResponse(cacheControl.live, { schemaVersion: 1, story });
    }
    case 'moved':
      return { location: `/api/v1/${storyPath(lookup.into)}` };
    case 'none':
      throw new Fault('not_found', 'There is no public story of that id.');
  }
}

/** An id may have any characters. The response to an unknown id is 404. */
export function publicIdOf({ params: { publicId = '' } }: PublicRequest): string {
  if (Array.from(publicId).length <= ID_MAX) return publicId;
  throw invalidQueryFault(`The path parameter "publicId" must have at most ${ID_MAX} characters.`);
}
