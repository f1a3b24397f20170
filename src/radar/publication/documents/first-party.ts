// Defines which reports of a story are first-party, for stories, ranking and digest. A report from
// a T1 source is first-party if the report names the source's owner. A mention of the owner in the
// title of another owner's report also counts.
import { isWordStart } from '../search/characters.ts';
import { foldText } from '../search/fold.ts';

export type PartyReport = {
  readonly id: string;
  readonly title: string;
  readonly summary: string | null;
  readonly owner: string;
  readonly sourceName: string;
  readonly tier: 'T1' | 'T1_5' | 'T2';
};

/** Ids of the reports by a first party. */
export function findFirstParties(reports: readonly PartyReport[]): ReadonlySet<string> {
  const firstTierReports = reports.filter((report) => report.tier === 'T1');
  if (firstTierReports.length === 0) return new Set();
  const titles = reports.map(({ title, owner }) => ({ owner, text: foldText(title) }));
  const mentionedReports = firstTierReports.filter((report) => {
    const text = foldText(`${report.title}\n${report.summary ?? ''}`);
    const otherTitles = titles
      .filter(({ owner }) => owner !== report.owner)
      .map(({ text }) => text);
    return namesOf(report).some((name) =>
      [text, ...otherTitles].some((text) => containsName(text, name)),
    );
  });
  return new Set(mentionedReports.map((report) => report.id));
}

/** Last words of names that texts often leave out. */
const trailingWords =
  /(?: (?:ai|labs?|research|foundation|inc\.?|technologies|news|blog|team)|团队)$/u;

function namesOf({ owner, sourceName }: PartyReport): readonly string[] {
  const names = [owner, sourceName].map((name) => foldText(name).trim());
  const shortNames = names.map((name) => name.replace(trailingWords, ''));
  return [...new Set([...names, ...shortNames])].filter((name) => name.length > 1);
}

function containsName(text: string, name: string): boolean {
  for (let index = text.indexOf(name); index !== -1; index = text.indexOf(name, index + 1)) {
    if (isWordStart(text, index) && isWordEnd(text, index + name.length)) return true;
  }
  return false;
}

/** A following Latin letter or digit makes a longer word: "metal" does not name "Meta". */
const isWordEnd = (text: string, at: number) =>
  !/^[\p{Script=Latin}\p{N}]/u.test(text.slice(at, at + 2));
