// Maintains the digest of each story. Claims are extracted from a report once. A digest is
// rewritten only when its input changed. A rewritten digest reuses the previous digest only while
// all reports of the previous digest are unchanged.
import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { requirePresent } from '../../../kernel/errors/assert.ts';
import { messageOf } from '../../../kernel/errors/fault.ts';
import type { Db } from '../../../kernel/ports/db.ts';
import type { World } from '../../../kernel/world.ts';
import {
  listStoryDigests,
  type NewDigest,
  saveStoryDigests,
} from '../../../store/radar/stories/story-digests.ts';
import type { StoryReportRow } from '../../../store/radar/stories/story-reports.ts';
import { type Digest, digestRules, type ReportWithClaims } from '../digest/digest.ts';
import { writeDigest } from '../digest/writing/write-digest.ts';
import { readClaims } from './read-claims.ts';

export type PublicStoryReport = StoryReportRow & { readonly firstParty: boolean };

export type ValidDigest = {
  readonly digest: Digest;
  readonly by: 'rules' | 'model';
  /** Epoch milliseconds of the last change of the digest. */
  readonly updatedAt: number;
};

/**
 * Limits of reports per digest, because publishers wait while it is written. Further reports rarely
 * add a statement.
 */
const NEWEST_MAX = 40;
const EARLIEST_MAX = 10;
const FIRST_PARTY_MAX = 5;
const DEVELOPMENTS_MAX = 20;

/** Digests by story, written before the publication was locked. An outdated digest is not used. */
export type PreparedDigests = ReadonlyMap<string, NewDigest>;

/**
 * Reads and writes in the caller's transaction `tx`. `stories`: public reports by story, the newest
 * first.
 */
export async function digestStories(
  world: World,
  tx: Db,
  stories: ReadonlyMap<string, readonly PublicStoryReport[]>,
  prepared: PreparedDigests,
): Promise<ReadonlyMap<string, ValidDigest>> {
  const storedDigests = await readDigests(tx, [...stories.keys()]);
  const digests = await writeNewDigests(world, tx, stories, { storedDigests, prepared });
  await saveStoryDigests(tx, digests);
  for (const row of digests) storedDigests.set(row.story_id, row);
  return new Map([...storedDigests].map(([storyId, row]) => [storyId, toValidDigest(row)]));
}

/**
 * Writes the digests that `digestStories` would write now and stores nothing. It takes milliseconds
 * per report, so it runs while no publisher waits.
 */
export async function prepareDigests(
  world: World,
  tx: Db,
  stories: ReadonlyMap<string, readonly PublicStoryReport[]>,
): Promise<PreparedDigests> {
  const storedDigests = await readDigests(tx, [...stories.keys()]);
  const digests = await writeNewDigests(world, tx, stories, { storedDigests, prepared: null });
  return new Map(digests.map((row) => [row.story_id, row]));
}

async function readDigests(tx: Db, storyIds: readonly string[]): Promise<Map<string, NewDigest>> {
  return new Map((await listStoryDigests(tx, storyIds)).map((row) => [row.story_id, row]));
}

/** `prepared`: null when the caller only prepares digests, so nothing may be stored. */
async function writeNewDigests(
  world: World,
  tx: Db,
  stories: ReadonlyMap<string, readonly PublicStoryReport[]>,
  existingDigests: {
    readonly storedDigests: ReadonlyMap<string, NewDigest>;
    readonly prepared: PreparedDigests | null;
  },
): Promise<readonly NewDigest[]> {
  const { storedDigests, prepared } = existingDigests;
  const inputs = [...stories].map(([storyId, all]) => ({ storyId, ...storyInputs(all) }));
  const outdatedStories = inputs.filter(({ storyId, inputsHash }) => {
    const row = storedDigests.get(storyId);
    return row === undefined || row.inputs_hash !== inputsHash || row.rules !== digestRules;
  });
  const preparedOf = ({ storyId, inputsHash }: { storyId: string; inputsHash: string }) => {
    const row = prepared?.get(storyId);
    const version = (storedDigests.get(storyId)?.version ?? 0) + 1;
    return row?.inputs_hash === inputsHash && row.version === version ? row : null;
  };
  const reportsWithClaims = await readClaims(
    world,
    tx,
    outdatedStories.flatMap((story) => (preparedOf(story) === null ? story.reports : [])),
    { canStore: prepared !== null },
  );
  return outdatedStories.map((story): NewDigest => {
    const { storyId, reports, inputs, inputsHash } = story;
    const preparedDigest = preparedOf(story);
    if (preparedDigest !== null) return preparedDigest;
    const before = storedDigests.get(storyId) ?? null;
    const claims = reports.flatMap((report) => reportsWithClaims.get(report.id) ?? []);
    const continuedDigest = before !== null && canContinueDigest(before, inputs) ? before : null;
    const builtIn = writeBuiltIn(world, claims, (continuedDigest?.digest ?? null) as Digest | null);
    // A model's text stays until the model has read the new reports, as long as all its sources are
    // still valid.
    const validText = validModelText(continuedDigest, builtIn);
    const digest = validText ?? builtIn;
    const isSame = before !== null && isDeepStrictEqual(before.digest, digest);
    return {
      story_id: storyId,
      version: (before?.version ?? 0) + 1,
      rules: digestRules,
      inputs_hash: inputsHash,
      inputs: [...inputs],
      digest,
      digest_by: validText === null ? ('rules' as const) : ('model' as const),
      updated_at: isSame ? before.updated_at : world.clock.now(),
      written_with: validText === null ? null : (before?.written_with ?? null),
    };
  });
}

const toValidDigest = ({
  digest,
  digest_by: by,
  updated_at: updatedAt,
}: NewDigest): ValidDigest => ({
  // Only this folder writes stored digests, so their shape is known.
  digest: digest as Digest,
  by,
  updatedAt,
});

export type StoryInputs = {
  readonly reports: readonly PublicStoryReport[];
  readonly inputs: readonly string[];
  readonly inputsHash: string;
};

/** The reports that a digest is based on, and hashes of their properties. */
export function storyInputs(all: readonly PublicStoryReport[]): StoryInputs {
  const reports = chooseReports(all);
  const inputs = reports.map(inputOf);
  return { reports, inputs, inputsHash: hashOf(inputs.join('\n')) };
}

/** The newest, the earliest, the earliest first-party, and each development's newest report. */
function chooseReports(all: readonly PublicStoryReport[]): readonly PublicStoryReport[] {
  const firstPartyReports = all.filter((report) => report.firstParty).slice(-FIRST_PARTY_MAX);
  const retained = new Set([
    ...all.slice(0, NEWEST_MAX),
    ...all.slice(-EARLIEST_MAX),
    ...firstPartyReports,
  ]);
  const developments = Map.groupBy(all, ({ development }) => development);
  const newestReports = [...developments.values()].flatMap(([newest]) => newest ?? []);
  for (const report of newestReports.slice(0, DEVELOPMENTS_MAX)) retained.add(report);
  return all.filter((report) => retained.has(report));
}

/** All properties of a report that can change the digest. */
function inputOf(report: PublicStoryReport): string {
  const { id, revision, title, summary, owner, sourceName, tier, score, firstParty } = report;
  const { at, language } = report;
  const source = [owner, sourceName, tier, score, firstParty];
  return `${id} ${hashOf(JSON.stringify([revision, title, summary, ...source, at, language]))}`;
}

/** 22 characters hold 132 bits. */
const hashOf = (text: string) => hash('sha256', text, 'base64url').slice(0, 22);

/**
 * False when a report of the stored digest was withdrawn, moved or edited. The new digest then must
 * not reuse the stored digest.
 */
function canContinueDigest(
  before: Pick<NewDigest, 'rules' | 'inputs'>,
  inputs: readonly string[],
): boolean {
  const currentInputs = new Set(inputs);
  return before.rules === digestRules && before.inputs.every((input) => currentInputs.has(input));
}

/** Null: no valid model text exists, or it states other contradictions than the current ones. */
function validModelText(before: NewDigest | null, builtIn: Digest): Digest | null {
  if (before === null || before.digest_by !== 'model') return null;
  const { text, language, sentences, contradictions } = before.digest as Digest;
  const citedReports = (all: Digest['contradictions']) =>
    all.map(({ statements }) => statements.map(({ reportId }) => reportId));
  if (!isDeepStrictEqual(citedReports(contradictions), citedReports(builtIn.contradictions)))
    return null;
  return { ...builtIn, text, language, sentences, contradictions };
}

/** The rule-based digest. `previous`: an earlier digest whose reports are all unchanged. */
export function writeBuiltIn(
  world: World,
  reports: readonly ReportWithClaims[],
  previous: Digest | null = null,
): Digest {
  const earliest = requirePresent(reports.at(-1), 'a report of a public story');
  try {
    const digest = writeDigest(reports, {
      siteLanguage: earliest.language.startsWith('zh') ? 'zh-CN' : 'en',
      // The previous digest's language decides ties, so that the story keeps its language.
      previous,
    });
    return JSON.parse(JSON.stringify(digest ?? plainDigest(reports, earliest)));
  } catch (error) {
    // A failure does not stop the publication: a story can be shown without a digest, and a
    // withdrawal must not wait.
    const fields = { reports: reports.map((report) => report.id), error: messageOf(error) };
    world.log.error(fields, 'a digest cannot be written, so the story is shown without one');
    return plainDigest(reports, earliest);
  }
}

function plainDigest(reports: readonly ReportWithClaims[], earliest: ReportWithClaims): Digest {
  const { id, title, language } = earliest;
  const latest = reports[0]?.title ?? title;
  return {
    title,
    titleReportId: id,
    latest,
    text: '',
    language,
    sentences: [],
    contradictions: [],
    revisions: [],
    copies: [],
  };
}
