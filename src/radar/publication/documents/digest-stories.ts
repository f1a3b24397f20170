// Keeps each story's digest: claims are read out of a report once, a digest is written anew only
// when what it rests on has changed, and from the one before only while all of that still stands.
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { present } from '../../../kernel/assert.ts';
import type { Db } from '../../../kernel/db.ts';
import { plainText } from '../../../kernel/text.ts';
import type { World } from '../../../kernel/world.ts';
import { type ItemClaims, itemClaims, saveItemClaims } from '../../../store/item-claims.ts';
import { type StoredDigest, saveStoryDigests, storyDigests } from '../../../store/story-digests.ts';
import { type ReportText, reportTexts, type StoryReportRow } from '../../../store/story-reports.ts';
import { claimsOf } from '../digest/claims-of.ts';
import { type Claim, type Digest, digestRules, type ReportWithClaims } from '../digest/digest.ts';
import { writeDigest } from '../digest/write-digest.ts';

export type StoryReportRead = StoryReportRow & { readonly firstParty: boolean };

export type KeptDigest = {
  readonly digest: Digest;
  readonly by: 'rules' | 'model';
  /** Epoch milliseconds of the last time that its text changed. */
  readonly updatedAt: number;
};

/** A digest of more than this says nothing new; the newest and the first are what it rests on. */
const NEWEST_MAX = 150;
const EARLIEST_MAX = 30;

/** Part of the caller's transaction. `stories`: public reports by story, the newest first. */
export async function digestStories(
  world: World,
  tx: Db,
  stories: ReadonlyMap<string, readonly StoryReportRead[]>,
): Promise<ReadonlyMap<string, KeptDigest>> {
  const standing = new Map(
    (await storyDigests(tx, [...stories.keys()])).map((row) => [row.story_id, row]),
  );
  const asked = [...stories].map(([storyId, all]) => {
    const reports = chosen(all);
    const inputs = reports.map(inputOf);
    return { storyId, reports, inputs, inputsHash: hashOf(inputs.join('\n')) };
  });
  const stale = asked.filter(({ storyId, inputsHash }) => {
    const row = standing.get(storyId);
    return row === undefined || row.inputs_hash !== inputsHash || row.rules !== digestRules;
  });
  const read = await withClaims(
    tx,
    stale.flatMap(({ reports }) => reports),
  );
  const written = stale.map(({ storyId, reports, inputs, inputsHash }) => {
    const before = standing.get(storyId) ?? null;
    const digest = write(
      reports.flatMap((report) => read.get(report.id) ?? []),
      before,
      inputs,
    );
    const isSame = before !== null && isDeepStrictEqual(before.digest, digest);
    return {
      story_id: storyId,
      version: (before?.version ?? 0) + 1,
      rules: digestRules,
      inputs_hash: inputsHash,
      inputs: [...inputs],
      digest,
      digest_by: 'rules' as const,
      updated_at: isSame ? before.updated_at : world.clock.now(),
    };
  });
  await saveStoryDigests(tx, written);
  for (const row of written) standing.set(row.story_id, row);
  return new Map([...standing].map(([storyId, row]) => [storyId, kept(row)]));
}

const kept = ({ digest, digest_by: by, updated_at: updatedAt }: StoredDigest): KeptDigest => ({
  // Only `write` makes what is stored, so its shape is known.
  digest: digest as Digest,
  by,
  updatedAt,
});

function chosen(all: readonly StoryReportRead[]): readonly StoryReportRead[] {
  if (all.length <= NEWEST_MAX + EARLIEST_MAX) return all;
  return [...all.slice(0, NEWEST_MAX), ...all.slice(-EARLIEST_MAX)];
}

/** Everything about a report that a digest could say otherwise if it were otherwise. */
function inputOf(report: StoryReportRead): string {
  const { id, revision, title, summary, owner, sourceName, tier, firstParty, at, language } =
    report;
  const said = [revision, title, summary, owner, sourceName, tier, firstParty, at, language];
  return `${id} ${hashOf(JSON.stringify(said))}`;
}

const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);

function write(
  reports: readonly ReportWithClaims[],
  before: StoredDigest | null,
  inputs: readonly string[],
): Digest {
  // A report that was withdrawn, moved or edited leaves nothing behind: then from the beginning.
  const still = new Set(inputs);
  const goesOn =
    before !== null &&
    before.rules === digestRules &&
    before.inputs.every((input) => still.has(input));
  const earliest = reports.at(-1);
  const digest = writeDigest(reports, {
    // Decides ties only: then the story stays in the language that it began in.
    siteLanguage: earliest?.language.startsWith('zh') ? 'zh-CN' : 'en',
    previous: goesOn ? (before.digest as Digest) : null,
  });
  return JSON.parse(JSON.stringify(present(digest, 'a digest of reports')));
}

async function withClaims(
  tx: Db,
  reports: readonly StoryReportRead[],
): Promise<ReadonlyMap<string, ReportWithClaims>> {
  const ids = reports.map((report) => report.id);
  const texts = new Map((await reportTexts(tx, ids)).map((text) => [text.id, text]));
  const known = new Map((await itemClaims(tx, ids)).map((row) => [row.item_id, row]));
  const fresh: ItemClaims[] = [];
  const read = reports.map((row): readonly [string, ReportWithClaims] => {
    const report = digestReport(row, texts.get(row.id));
    const rules = `${digestRules} ${hashOf(JSON.stringify(report))}`;
    const held = known.get(row.id);
    if (held !== undefined && held.rules === rules) {
      return [row.id, { ...report, claims: held.claims as readonly Claim[] }];
    }
    const claims = claimsOf(report);
    fresh.push({ item_id: row.id, revision: row.revision, rules, claims });
    return [row.id, { ...report, claims }];
  });
  await saveItemClaims(tx, fresh);
  return new Map(read);
}

function digestReport(row: StoryReportRead, text: ReportText | undefined) {
  const { id, owner, sourceName, tier, language, at, title, summary, firstParty } = row;
  const body = text?.article || plainText(text?.content || text?.summary || '');
  return {
    ...{ id, owner, sourceName, isFirstParty: firstParty, tier, language, at, title, summary },
    text: body,
  };
}
