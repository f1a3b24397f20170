// Contradictions without figures as the digest states them: opposites by what each report says of
// them, and parts by the name that each report gives.
import type { DigestReport, OwnedClaim } from '../digest.ts';
import type { Dispute } from '../disputes.ts';
import { absentNames, type WithRoles } from './absent-names.ts';
import { deniedTitles } from './denied-titles.ts';
import { otherCauses, readCauses } from './find-causes.ts';
import { opposedPoles, readDenials, readPoles, statedDenials } from './find-opposites.ts';
import { readRoles, type Swap, swappedRoles } from './find-roles.ts';
import type { Mention } from './mention.ts';

/** Further apart, the later report tells what has happened since. */
const longestApartMs = 36 * 3_600_000;
const longestQuote = 100;

type Side = { readonly attribute: string; readonly side: string; readonly claim: OwnedClaim };

export function wordDisputes(reports: readonly DigestReport[]): readonly Dispute[] {
  const isOfTwo = new Set(reports.map(({ owner }) => owner)).size === 2;
  const read = reports.map((report) => {
    return {
      ...{ report, poles: readPoles(report), roles: readRoles(report) },
      denials: readDenials(report),
      causes: readCauses(report),
    };
  });
  const sides = read.flatMap((one, at) =>
    read.slice(at + 1).flatMap((other): readonly Side[] => {
      const isOneVoice = one.report.owner === other.report.owner;
      const isLater = Math.abs(one.report.at - other.report.at) > longestApartMs;
      if (isOneVoice || isLater) return [];
      const opposed = opposedPoles(one.poles, other.poles);
      // Whoever says the opposite often denies it too: that is one difference.
      const denied =
        opposed.length > 0
          ? []
          : [
              ...statedDenials(one.denials, other.report),
              ...statedDenials(other.denials, one.report),
            ].slice(0, 1);
      return [
        ...denied.flatMap(({ a, b }) =>
          [a, b].map(({ isPlus, mention }) =>
            sideOf('is-denied', String(isPlus), mention, quoted(mention.written)),
          ),
        ),
        ...opposed.flatMap(({ a, b }) =>
          [a, b].map(({ axis, isPlus, mention }) =>
            sideOf(`is-${axis}`, String(isPlus), mention, quoted(mention.written)),
          ),
        ),
        ...(!isOfTwo || opposed.length + denied.length > 0
          ? []
          : [...deniedTitles(one.report, other.report), ...deniedTitles(other.report, one.report)]
        )
          .slice(0, 1)
          .flatMap(([told, untold]) => [
            sideOf('is-denied', 'true', told, quoted(told.written)),
            sideOf('is-denied', 'false', untold, quoted(untold.written)),
          ]),
        ...otherCauses(one.causes, other.causes).flatMap((pair) =>
          pair.map(({ name, mention }) =>
            sideOf('is-cause', name, mention, quoted(mention.written)),
          ),
        ),
        ...swapsBetween(one, other, isOfTwo).flatMap(({ a, b }) =>
          [a, b].map(({ role, name, mention }) =>
            sideOf(`who-${role}`, name, mention, mention.cased.slice(mention.start, mention.end)),
          ),
        ),
      ];
    }),
  );
  return [...Map.groupBy(sides, ({ attribute }) => attribute)].map(([attribute, own]) => {
    const bySide = [...Map.groupBy(own, ({ side }) => side).values()];
    return { attribute, sides: bySide.map((list) => onePerReport(list.map(({ claim }) => claim))) };
  });
}

function swapsBetween(one: WithRoles, other: WithRoles, isOfTwo: boolean): readonly Swap[] {
  const swapped = swappedRoles(one.roles, other.roles);
  if (swapped.length > 0) return swapped;
  const absent = absentNames(one, other, isOfTwo);
  return absent.length > 0 ? absent : absentNames(other, one, isOfTwo);
}

function sideOf(attribute: string, side: string, mention: Mention, said: string): Side {
  const { report, written } = mention;
  const place = { anchor: '', attribute, at: report.at, reportId: report.id, sentence: written };
  return { attribute, side, claim: { ...place, report, value: side, unit: null, said } };
}

/** The sentence in quotes, cut between words. */
function quoted(sentence: string): string {
  const whole = sentence.replace(/[.。!！]+$/u, '');
  if (whole.length <= longestQuote) return `“${whole}”`;
  const cut = whole.slice(0, longestQuote);
  const space = cut.lastIndexOf(' ');
  return `“${space > longestQuote / 2 ? cut.slice(0, space) : cut}…”`;
}

function onePerReport(claims: readonly OwnedClaim[]): readonly OwnedClaim[] {
  const seen = new Set<string>();
  return claims.filter(({ reportId }) => {
    const isNew = !seen.has(reportId);
    seen.add(reportId);
    return isNew;
  });
}
