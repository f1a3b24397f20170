// What the room that keeps stories asks of the engine, as values in order, and what it hears back:
// so that the engine may think on a thread of its own.
import type { Engine } from '../engine.ts';
import type { Assignment, Pin, StoryItem } from '../item.ts';
import type { NearStory } from '../near-stories.ts';

/** Stories by the engine's own names. */
export type Step =
  /** It is there, by someone's decision: restored or moved, and nothing is said of it. */
  | { readonly kind: 'place'; readonly item: StoryItem; readonly storyId: string }
  | { readonly kind: 'pin'; readonly pin: Pin }
  | { readonly kind: 'unpin'; readonly pin: Pin }
  /** A pin was taken off an item that stood alone: others may join it again. */
  | { readonly kind: 'reopen'; readonly item: StoryItem; readonly storyId: string }
  | { readonly kind: 'add'; readonly item: StoryItem }
  /** What was placed so far is no reason for a repair. */
  | { readonly kind: 'settle' }
  | { readonly kind: 'revisit'; readonly itemIds: readonly string[] }
  | { readonly kind: 'split'; readonly storyIds: readonly string[] }
  /** Lets old stories go; answers which of `names` went. */
  | { readonly kind: 'forget'; readonly olderThanMs: number; readonly names: readonly string[] };

export type Heard = {
  /** What the engine decided, in order. */
  readonly log: readonly Assignment[];
  /** Stories that pins moved items to: where each stands alone now. */
  readonly alone: readonly (readonly [itemId: string, storyId: string])[];
  readonly gone: readonly string[];
  /** Of the stories that the log names last, those that live: what lies near each. */
  readonly near: readonly (readonly [storyId: string, near: readonly NearStory[]])[];
};

export function takeSteps(engine: Engine, steps: readonly Step[]): Heard {
  const alone: [string, string][] = [];
  const gone: string[] = [];
  const log: Assignment[] = [];
  for (const step of steps) {
    const decided = takeStep(engine, step, gone);
    log.push(...engine.takeLog().filter(() => decided));
    if (step.kind !== 'pin' || step.pin.kind !== 'stand-alone') continue;
    const storyId = engine.storyOf(step.pin.item);
    if (storyId !== undefined) alone.push([step.pin.item, storyId]);
  }
  const named = new Set(log.map(({ storyId }) => storyId));
  const live = [...named].filter((storyId) => engine.itemsOf(storyId).length > 0);
  return { log, alone, gone, near: live.map((id) => [id, engine.near(id)]) };
}

/** Whether what the log says of it is a decision of the engine's. */
function takeStep(engine: Engine, step: Step, gone: string[]): boolean {
  switch (step.kind) {
    case 'place':
      place(engine, step.item, step.storyId);
      return false;
    case 'pin':
      engine.pin(step.pin);
      return false;
    case 'unpin':
      engine.unpin(step.pin);
      return false;
    case 'reopen':
      if (engine.removeItem(step.item.id)) engine.restore(step.item, step.storyId);
      return false;
    case 'add':
      engine.add(step.item);
      return true;
    case 'settle':
      engine.settle();
      return false;
    case 'revisit':
      engine.revisit(step.itemIds);
      return true;
    case 'split':
      engine.split(step.storyIds);
      return true;
    case 'forget':
      engine.forget(step.olderThanMs);
      gone.push(...step.names.filter((name) => engine.itemsOf(name).length === 0));
      return false;
  }
}

function place(engine: Engine, item: StoryItem, storyId: string): void {
  const stands = engine.storyOf(item.id);
  if (stands === undefined) engine.restore(item, storyId);
  else if (stands !== storyId) engine.move([item.id], storyId);
}
