// Removes the publisher's name from a title: a suffix after a bar or a dash, a byline in brackets,
// a label in front. A removal that would leave too little is skipped.

const byline = /\s*[(（][^()（）]{1,60}\/[^()（）]{1,60}[)）]\s*$/u;
const bar = /^(?<head>.{12,}?)\s*[|｜丨]\s*(?<tail>[^|｜丨]{2,60})$/u;
const dash = /^(?<head>.{12,})\s+[-–—]\s+(?<tail>[^-–—]{2,40})$/u;
const underscore = /^(?<head>.{8,})_(?<tail>[^_\s]{2,12})$/u;
const label =
  /^\s*(?:\[[^\]]{2,24}\]|【[^】]{2,12}】|(?:breaking|exclusive|just in|watch)\s*[:|])\s*/iu;

/** The title without these parts; never empty unless it was before. */
export function stripTitle(title: string): string {
  let remaining = title.trim().slice(0, 1000);
  remaining = keep(remaining, remaining.replace(label, ''));
  remaining = keep(remaining, remaining.replace(byline, ''));
  for (let round = 0; round < 2; round += 1) remaining = withoutTail(remaining);
  return remaining;
}

function withoutTail(title: string): string {
  const separated = bar.exec(title)?.groups ?? underscore.exec(title)?.groups;
  if (separated !== undefined) {
    const { head = '', tail = '' } = separated;
    if (units(tail) <= 6 && units(head) >= units(tail)) return head.trim();
  }
  const dashed = dash.exec(title)?.groups;
  if (dashed === undefined) return title;
  const { head = '', tail = '' } = dashed;
  return units(tail) <= 4 && units(head) >= 4 && isName(tail) ? head.trim() : title;
}

/** Words in the form of a name: each with a capital, and no figure. */
function isName(text: string): boolean {
  if (/\p{N}/u.test(text.replace(/\b\d{1,3}$/u, ''))) return false;
  const words = text.trim().split(/\s+/u);
  return words.every((word) => /^(?:\p{Lu}|\p{Lo}|of|the|and|for|&|[a-z]+\.[a-z]+)/u.test(word));
}

/** Words; two ideographs count as one. */
function units(text: string): number {
  const ideographs = text.match(/\p{sc=Han}/gu)?.length ?? 0;
  const words = text.replace(/\p{sc=Han}+/gu, ' ').match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return words + ideographs / 2;
}

function keep(before: string, after: string): string {
  return units(after) >= 3 ? after : before;
}
