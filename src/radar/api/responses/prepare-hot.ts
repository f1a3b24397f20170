// Renders and compresses recently requested responses in advance, for the next read model and for
// the next minute. Otherwise the first requests after each change would wait for one another.
import { setImmediate } from 'node:timers/promises';
import { MINUTE_MS } from '../../../kernel/time/durations.ts';
import type { PublicMoment } from '../../publication/open-publication.ts';
import type { ApiContext } from '../context.ts';
import { compressLike } from './compress.ts';
import type { HotResponse, ResponseCache } from './response-cache.ts';

/** Time limit in one turn of the event loop. Each turn prepares at least one response. */
const TURN_BUDGET_MS = 1;
/** The responses for a minute are prepared this long before the minute begins. */
const MINUTE_LEAD_MS = 3_000;
const MINUTE_CHECK_MS = 100;

type PreparationContext = Pick<ApiContext, 'publication' | 'world'>;

/** Prepares responses until the signal aborts, the most recently requested response first. */
export function prepareHotResponses(
  context: PreparationContext,
  cache: ResponseCache,
  stop: AbortSignal,
): void {
  context.publication.beforeReplacement((model, isLate) => {
    const moment = { model, now: context.world.clock.now() };
    return prepareAll(context, cache.takeHotResponses(), moment, isLate);
  });
  prepareMinutes(context, cache, stop).catch(() => {});
}

/**
 * Prepares responses for each next minute, including responses that are first requested shortly
 * before this minute. When the read model changes, all responses are prepared again.
 */
async function prepareMinutes(
  context: PreparationContext,
  cache: ResponseCache,
  stop: AbortSignal,
) {
  const { publication, world } = context;
  while (!stop.aborted) {
    const now = world.clock.now();
    const nextMinute = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
    const waitMs = nextMinute - MINUTE_LEAD_MS - now;
    if (waitMs <= 0) {
      const model = publication.readModel();
      const moment = { model, now: nextMinute };
      const isOver = () => stop.aborted || publication.readModel() !== model;
      await prepareAll(context, cache.hotResponses(), moment, isOver);
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
  let turnEnd = 0;
  for (const hotResponse of responses) {
    if (hotResponse.isPrepared(moment)) continue;
    if (world.clock.now() >= turnEnd) {
      await setImmediate();
      turnEnd = world.clock.now() + TURN_BUDGET_MS;
    }
    if (isOver()) return;
    await publication.preview(moment, () => prepareOne(hotResponse, moment));
  }
}

async function prepareOne(hotResponse: HotResponse, moment: PublicMoment): Promise<void> {
  // After a failure the next request renders the response and reports the failure.
  const response = await hotResponse.render().catch(() => null);
  if (response === null) return;
  if (response.etag !== hotResponse.response.etag)
    await compressLike(response, hotResponse.response);
  hotResponse.prepare(moment, response);
}
