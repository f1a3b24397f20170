// Adds the name in the other script at its first mention, like newspapers: 万瑞尔（Vantrell） in a
// Chinese text, Songyan (松烟) in an English text.
import type { Random } from '../../src/kernel/crypto/random.ts';
import type { Lang, WorldEvent } from './world-model.ts';

type Name = { readonly text: string; readonly other: string; readonly chance: number };

const slotsWithNames = [
  'person',
  'target',
  'other',
  'plaintiff',
  'finder',
  'investor',
  'regulator',
  'org',
];

/** Returns the paragraphs with at most one annotation for each foreign name. */
export function annotateNames(
  event: WorldEvent,
  lang: Lang,
  paragraphs: readonly string[],
  random: Random,
): readonly string[] {
  const names = lang === 'zh' ? foreignNames(event) : chineseNames(event);
  let result = paragraphs;
  for (const name of names) {
    if (random.next() < name.chance) result = annotate(result, name, lang);
  }
  return result;
}

function foreignNames({ company, facts }: WorldEvent): readonly Name[] {
  const annotated = slotsWithNames.flatMap((slot) => {
    const value = facts[slot];
    if (value?.kind !== 'text' || value.zh === value.en) return [];
    // Chinese people and places need no Latin spelling.
    if (slot === 'person' && !value.zh.includes('·')) return [];
    const chance = slot === 'regulator' || slot === 'org' ? 0.9 : 0.6;
    return [{ text: value.zh, other: value.en.replace(/^the /, ''), chance }];
  });
  if (company.region === 'east') return annotated;
  return [{ text: company.zh, other: company.name, chance: 0.9 }, ...annotated];
}

function chineseNames({ company, product }: WorldEvent): readonly Name[] {
  if (company.region === 'west') return [];
  const names = [{ text: company.name, other: company.zh, chance: 0.85 }];
  if (product?.zh === undefined) return names;
  return [...names, { text: product.name, other: product.zh, chance: 0.85 }];
}

function annotate(paragraphs: readonly string[], name: Name, lang: Lang): readonly string[] {
  const index = paragraphs.findIndex((paragraph) => positionOf(paragraph, name.text, lang) >= 0);
  const paragraph = paragraphs[index];
  if (paragraph === undefined) return paragraphs;
  const end = positionOf(paragraph, name.text, lang) + name.text.length;
  const note = lang === 'zh' ? `（${name.other}）` : ` (${name.other})`;
  const following = lang === 'zh' ? paragraph.slice(end).trimStart() : paragraph.slice(end);
  return paragraphs.with(index, `${paragraph.slice(0, end)}${note}${following}`);
}

/** Position of the whole name. In English, a match inside a longer name does not count. */
function positionOf(text: string, name: string, lang: Lang): number {
  if (lang === 'zh') return text.indexOf(name);
  const restOfLongerName =
    /^ (?:Lite|Cloud|Technology|Intelligence|Compute|Voice|Semiconductor|Robotics)/;
  for (
    let position = text.indexOf(name);
    position >= 0;
    position = text.indexOf(name, position + 1)
  ) {
    const next = text.slice(position + name.length);
    if (!/^[A-Za-z]/.test(next) && !restOfLongerName.test(next)) return position;
  }
  return -1;
}
