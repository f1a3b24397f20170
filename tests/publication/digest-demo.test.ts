// The digest over the demonstration world. It states planted contradictions, states planted
// revisions as changes, and invents nothing. The world itself defines the clusters, so the story
// engine has no part in the result.
import { describe, expect, it } from 'vitest';
import { buildWorld } from '../../demo/world/build-world.ts';
import { type PlantedFigure, truthOf } from '../../demo/world/expected-stories.ts';
import { publisherOf } from '../../demo/world/publishers.ts';
import type { WorldEntry, WorldEvent } from '../../demo/world/world-model.ts';
import { extractClaims } from '../../src/radar/publication/digest/claims/extract-claims.ts';
import { measureLabel } from '../../src/radar/publication/digest/claims/measures.ts';
import type { DigestReport } from '../../src/radar/publication/digest/digest.ts';
import { writeDigest } from '../../src/radar/publication/digest/writing/write-digest.ts';

function digestOf(event: WorldEvent, entries: readonly WorldEntry[]) {
  const reports = entries.map((entry) => {
    const publisher = publisherOf(entry.publisherId);
    const report: DigestReport = {
      id: entry.key,
      owner: publisher.owner,
      sourceName: publisher.name,
      isPost: false,
      isFirstParty: publisher.company === event.company.id,
      tier: publisher.tier,
      score: 50,
      language: entry.lang,
      at: entry.at,
      title: entry.title,
      summary: null,
      text: entry.paragraphs.join('\n\n'),
    };
    return { ...report, claims: extractClaims(report) };
  });
  return writeDigest(reports, { siteLanguage: 'en', previous: null });
}

/**
 * Matches the sentence of the rules about a change, or a sentence of the chosen report about a
 * correction.
 */
const revisionPattern = / is now .*, first |现为.*最初为|correct|revis|更正|修正|调整为/iu;

const ofOneParty: ReadonlySet<string> = new Set(
  ['staff', 'staff-share', 'years-served', 'sales-share'].flatMap((measure) => [
    ...[measureLabel(measure, 'en') ?? '', measureLabel(measure, 'zh') ?? ''],
  ]),
);

/** The fault in the digest of one story; null when it is correct. */
function faultOf(event: WorldEvent, entries: readonly WorldEntry[], plant?: PlantedFigure) {
  const digest = digestOf(event, entries);
  const contradictions = digest?.contradictions ?? [];
  if (plant?.kind === 'contradiction') {
    const sides = new Set(plant.statements.map((statement) => statement.entryKey));
    const isStated = contradictions.some(
      (contradiction) =>
        contradiction.statements.filter(({ reportId }) => sides.has(reportId)).length > 1,
    );
    if (!isStated) return `${event.id}: the planted ${plant.attribute} is not stated`;
    if (contradictions.length > 1) return `${event.id}: a second contradiction was invented`;
    return null;
  }
  if (contradictions.length > 0) return `${event.id}: ${digest?.text}`;
  // A figure of one person or company is listed, because a sentence would not name its owner.
  const isListed = digest?.revisions.some(({ subject }) => ofOneParty.has(subject));
  const isStated = isListed || digest?.sentences.some(({ text }) => revisionPattern.test(text));
  return plant === undefined || isStated ? null : `${event.id}: the revision is not stated`;
}

describe('the digest over the demonstration world', () => {
  it.each([1, 2, 3])('seed %i: states all planted differences and invents none', (seed) => {
    const world = buildWorld({ seed, now: Date.parse('2026-11-21T06:00:00Z') });
    const figuresById = new Map(truthOf(world).planted.map((figure) => [figure.id, figure]));
    const byEvent = Map.groupBy(world.entries, (entry) => entry.eventId);
    const faults = world.events.flatMap((event) => {
      const entries = byEvent.get(event.id) ?? [];
      return entries.length === 0
        ? []
        : (faultOf(event, entries, figuresById.get(`p-${event.id}`)) ?? []);
    });
    expect(faults).toEqual([]);
    expect(figuresById.size).toBeGreaterThan(75);
  });
});
