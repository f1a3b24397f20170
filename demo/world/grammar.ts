// Expands templates of the content: `[a|b]` chooses, `{slot}` fills, and both can be nested. The
// least used templates come first, so that all are used equally often.

import type { Random } from '../../src/kernel/crypto/random.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';

export type Slots = Readonly<Record<string, string>>;

const slotPattern = /\{([A-Za-z0-9.]+)\}/g;

const slotsByTemplate = new Map<string, readonly string[]>();

export function slotsOf(template: string): readonly string[] {
  const cachedSlots = slotsByTemplate.get(template);
  if (cachedSlots !== undefined) return cachedSlots;
  const matches = [...template.matchAll(slotPattern)];
  const slots = matches.map((match) => requirePresent(match[1], 'slot name'));
  slotsByTemplate.set(template, slots);
  return slots;
}

/** One of the texts that a template can produce. Each slot in that text must have a value. */
export function expand(template: string, slots: Slots, random: Random): string {
  return expandTracked(template, slots, random).text;
}

/** Like `expand`, with the slots that the chosen alternative contains. */
export function expandTracked(
  template: string,
  slots: Slots,
  random: Random,
): { readonly text: string; readonly slots: readonly string[] } {
  const names: string[] = [];
  const text = chooseAlternatives(template, random).replace(slotPattern, (_, name: string) => {
    names.push(name);
    return requirePresent(slots[name], `slot ${name} in "${template}"`);
  });
  return { text, slots: names };
}

/** Replaces innermost alternatives first, until none is left. */
function chooseAlternatives(template: string, random: Random): string {
  let text = template;
  for (;;) {
    const next = text.replace(/\[([^[\]]*)\]/g, (_, options: string) => {
      return pick(options.split('|'), random);
    });
    if (next === text) return text;
    text = next;
  }
}

export function pick<T>(list: readonly T[], random: Random): T {
  return requirePresent(list[Math.floor(random.next() * list.length)], 'a choice');
}

export function randomBetween(low: number, high: number, random: Random): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

/** A random choice by weight. `weights` is parallel to `list`; at least one weight is positive. */
export function pickWeighted<T>(list: readonly T[], weights: readonly number[], random: Random): T {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let remainder = random.next() * total;
  for (const [index, item] of list.entries()) {
    remainder -= weights[index] ?? 0;
    if (remainder < 0) return item;
  }
  return requirePresent(list[list.length - 1], 'a weighted choice');
}

export type Deck = {
  /** One of the least used of `list` that passes the test; null when none does. */
  draw(list: readonly string[], passes: (template: string) => boolean): string | null;
};

export function openDeck(random: Random): Deck {
  const uses = new Map<string, number>();
  return {
    draw: (list, passes) => {
      let best: string | null = null;
      let bestRank = Number.POSITIVE_INFINITY;
      for (const template of list) {
        if (!passes(template)) continue;
        const rank = (uses.get(template) ?? 0) + random.next() * 1.6;
        if (rank < bestRank) {
          best = template;
          bestRank = rank;
        }
      }
      if (best !== null) uses.set(best, (uses.get(best) ?? 0) + 1);
      return best;
    },
  };
}
