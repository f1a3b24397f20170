// `radar eval texts`: prints the texts that the rules write for the stories of a file, with the
// mechanical faults of each text. Input and output are JSON lines.
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { Fault } from '../../kernel/errors/fault.ts';
import type { Enricher } from '../../radar/enrichment/enricher.ts';
import { extractClaims } from '../../radar/publication/digest/claims/extract-claims.ts';
import type { ReportWithClaims } from '../../radar/publication/digest/digest.ts';
import { isPostSource } from '../../radar/publication/digest/writing/choose-report.ts';
import { writeDigest } from '../../radar/publication/digest/writing/write-digest.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';
import { textTable } from '../text-table.ts';
import { checkSentences, checkSupport, checkTitle, type StoryFault } from './check-story-texts.ts';

export type TextOptions = {
  readonly in: string;
  /** Absent: the lines go to standard output. */
  readonly out?: string;
};

const storySchema = z.object({
  id: z.string().min(1),
  lang: z.string().min(1),
  reports: z
    .array(
      z.object({
        id: z.string().min(1),
        time: z.iso.datetime({ offset: true }),
        source: z.string().min(1),
        owner: z.string().min(1),
        title: z.string(),
        text: z.string().nullish(),
        lang: z.string().nullish(),
      }),
    )
    .min(1),
});
type StoryLine = z.infer<typeof storySchema>;

type TextLine = {
  readonly id: string;
  readonly kind: 'item_title' | 'item_summary' | 'story_title' | 'digest';
  readonly text: string;
  readonly faults: readonly StoryFault[];
};

export async function evaluateTexts(app: App, options: TextOptions): Promise<void> {
  const stories = parseStories((await readFileAt(options.in)).toString('utf8'));
  const { enricher } = await app.openEnricher();
  const lines = stories.flatMap((story) => writeTexts(story, enricher));
  const json = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  if (options.out === undefined) app.terminal.out(json);
  else await writeFile(options.out, json);
  app.terminal.note(summarizeFaults(lines));
}

function writeTexts(story: StoryLine, enricher: Enricher): readonly TextLine[] {
  const items: TextLine[] = [];
  const reports: ReportWithClaims[] = [];
  for (const row of story.reports) {
    const language = row.lang ?? story.lang;
    const at = Date.parse(row.time);
    const { title, summary, score } = enricher.enrich({
      title: row.title,
      text: row.text ?? '',
      summary: '',
      url: `https://${encodeURIComponent(row.owner)}.example/${encodeURIComponent(row.id)}`,
      language,
      source: { name: row.source, tier: 'T1_5', participation: 'editorial' },
    });
    items.push({
      id: row.id,
      kind: 'item_title',
      text: title,
      faults: addedFaults(title, row.title, language),
    });
    if (summary !== null) {
      const faults = checkSentences([summary], language);
      items.push({ id: row.id, kind: 'item_summary', text: summary, faults });
    }
    const report = {
      id: row.id,
      owner: row.owner,
      sourceName: row.source,
      isPost: isPostSource(row.source),
      isFirstParty: false,
      tier: 'T1_5' as const,
      score,
      language,
      at,
      title,
      summary,
      text: row.text ?? '',
    };
    reports.push({ ...report, claims: extractClaims(report) });
  }
  const siteLanguage = story.lang.startsWith('zh') ? 'zh-CN' : 'en';
  const digest = writeDigest(reports, { siteLanguage, previous: null });
  if (digest === null) return items;
  const { id } = story;
  const supportFaults = checkSupport(digest, reports);
  const sentences = digest.sentences.map(({ text }) => text);
  const titleFaults = checkTitle(digest.title, digest.language);
  const sourceNames = reports.map(({ sourceName }) => sourceName);
  const digestFaults = [
    ...checkSentences(sentences, digest.language, sourceNames),
    ...supportFaults,
  ];
  return [
    ...items,
    { id, kind: 'story_title', text: digest.title, faults: titleFaults },
    {
      id,
      kind: 'digest',
      text: digest.text,
      faults: sentences.length === 0 ? ['empty'] : digestFaults,
    },
  ];
}

/** Faults of the written title that the source's original title does not have. */
function addedFaults(title: string, original: string, language: string): readonly StoryFault[] {
  const faults = checkTitle(original, language);
  return checkTitle(title, language).filter((fault) => !faults.includes(fault));
}

/** A table with the number of texts and of each fault, by kind of text. */
function summarizeFaults(lines: readonly TextLine[]): string {
  const rows = [...Map.groupBy(lines, ({ kind }) => kind)].map(([kind, group]) => {
    const faulty = group.filter(({ faults }) => faults.length > 0);
    const counts = Map.groupBy(
      faulty.flatMap(({ faults }) => faults),
      (fault) => fault,
    );
    const faultCounts = [...counts]
      .map(([fault, occurrences]) => `${fault} ${occurrences.length}`)
      .join(', ');
    return [kind, String(group.length), String(faulty.length), faultCounts];
  });
  return `${textTable([['kind', 'texts', 'with faults', 'faults'], ...rows])}\n`;
}

function parseStories(text: string): readonly StoryLine[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch {
      throw new Fault('invalid_request', `Line ${index + 1} of the stories is not JSON.`);
    }
    const parsed = storySchema.safeParse(json);
    if (parsed.success) return [parsed.data];
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new Fault('invalid_request', `Line ${index + 1} of the stories: ${faults.join('; ')}.`);
  });
}
