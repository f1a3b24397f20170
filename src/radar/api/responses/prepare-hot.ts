// Renders and compresses the requested responses for the next read model before it replaces the
// current one. Otherwise the first requests after each change would wait for one another.
import { setImmediate } from 'node:timers/promises';
import type { ApiContext } from '../context.ts';
import { codeLike } from './compress.ts';
import type { HotResponse, RequestMoment, ResponseCache } from './response-cache.ts';

/** One response in each turn of the event loop, the most recently requested first. */
export function prepareHotResponses(
  { publication, world }: Pick<ApiContext, 'publication' | 'world'>,
  cache: ResponseCache,
): void {
  publication.beforeReplacement(async (model, isLate) => {
    for (const hot of cache.takeHot()) {
      await setImmediate();
      if (isLate()) return;
      const moment = { model, now: world.clock.now() };
      await publication.preview(model, () => prepareOne(hot, moment));
    }
  });
}

async function prepareOne(hot: HotResponse, moment: RequestMoment): Promise<void> {
  // A response that cannot be made now is made at its next request, which reports the failure.
  const response = await hot.render().catch(() => null);
  if (response === null) return;
  if (response.etag !== hot.response.etag) await codeLike(response, hot.response);
  hot.prepare(moment, response);
}
