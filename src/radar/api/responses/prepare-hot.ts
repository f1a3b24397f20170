// Renders and compresses the requested responses for the next read model, and for the next minute,
// before it begins. Otherwise the first requests after each change would wait for one another.
import { setImmediate } from 'node:timers/promises';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicMoment } from '../../publication/open-publication.ts';
import type { ApiContext } from '../context.ts';
import { codeLike } from './compress.ts';
import type { HotResponse, ResponseCache } from './response-cache.ts';

/** The time for responses in a turn of the event loop. A turn ends after at least one response. */
const SLICE_MS = 1;
/** Responses for the next minute are made from this time before it. */
const MINUTE_LEAD_MS = 3_000;
const MINUTE_CHECK_MS = 100;

type PreparationContext = Pick<ApiContext, 'publication' | 'world'>;

/** Prepares responses until the signal aborts, those that were requested most recently first. */
export function prepareHotResponses(
  context: PreparationContext,
  cache: ResponseCache,
  stop: AbortSignal,
): void {
  context.publication.beforeReplacement((model, isLate) => {
    const moment = { model, now: context.world.clock.now() };
    return prepareAll(context, cache.takeHot(), moment, isLate);
  });
  prepareMinutes(context, cache, stop).catch(() => {});
}

/** A read model that is replaced shortly before the minute ends is prepared again. */
async function prepareMinutes(
  context: PreparationContext,
  cache: ResponseCache,
  stop: AbortSignal,
) {
  const { publication, world } = context;
  let last: Partial<PublicMoment> = {};
  while (!stop.aborted) {
    const now = world.clock.now();
    const next = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    const model = publication.readModel();
    const waitMs = next - MINUTE_LEAD_MS - now;
    if (waitMs <= 0 && (last.model !== model || last.now !== next)) {
      const moment = { model, now: next };
      const isOver = () => stop.aborted || publication.readModel() !== model;
      await prepareAll(context, cache.hot(), moment, isOver);
      last = moment;
    }
    await world.clock.sleep(Math.max(waitMs, MINUTE_CHECK_MS), stop);
  }
}

async function prepareAll(
  { publication, world }: PreparationContext,
  responses: readonly HotResponse[],
  moment: PublicMoment,
  isOver: () => boolean,
): Promise<void> {
  let sliceEnd = 0;
  for (const hot of responses) {
    if (world.clock.now() >= sliceEnd) {
      await setImmediate();
      sliceEnd = world.clock.now() + SLICE_MS;
    }
    if (isOver()) return;
    await publication.preview(moment, () => prepareOne(hot, moment));
  }
}

async function prepareOne(hot: HotResponse, moment: PublicMoment): Promise<void> {
  // A response that cannot be made now is made at its next request, which reports the failure.
  const response = await hot.render().catch(() => null);
  if (response === null) return;
  if (response.etag !== hot.response.etag) await codeLike(response, hot.response);
  hot.prepare(moment, response);
}
