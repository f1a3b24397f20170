// `/pictures/…`: what stands for a story or a report in other places. Of what is public now, so a
// withdrawn story has none, and a title that was corrected is painted anew.
import { Fault } from '../../../kernel/errors/fault.ts';
import { findDocument, findStory } from '../../publication/documents/find-document.ts';
import { wordsOf } from '../messages/reader.ts';
import {
  PAGE_CACHE,
  type PageAnswer,
  type PageAsked,
  type PageContext,
  type PageMoved,
} from '../page-context.ts';
import { isReportKey, leadOf, type ReportName } from '../report/report-lead.ts';
import { dateText } from '../show-time.ts';
import { type Card, drawCard } from './draw-card.ts';
import { measureTitle, type Painter } from './paint.ts';

export const storyPicture = (id: string) => `/pictures/stories/${id}.png`;
export const reportPicture = (name: ReportName, key: string) => `/pictures/${name}/${key}.png`;

const FILE = /^(.{1,128})\.png$/su;

export async function storyCard(
  context: PageContext,
  paint: Painter,
  asked: PageAsked,
): Promise<PageAnswer | PageMoved> {
  const { world, publication, site } = context;
  const found = await findStory(world, publication, nameIn(asked));
  if (found.kind === 'moved') return { location: storyPicture(found.into) };
  if (found.kind === 'none') throw new Fault('not_found', 'There is no public story of that id.');
  const { body } = found;
  const words = wordsOf(site.language);
  return painted(paint, {
    siteName: site.name,
    kicker: words.story,
    title: body.title,
    foot: [
      words.moreSources(body.sourceCount),
      words.reportCount(body.reportCount),
      dateText(site.language, body.latestAt),
    ].join(' · '),
    counts: body.coverage.map(({ count }) => count),
  });
}

export async function reportCard(
  name: ReportName,
  context: PageContext,
  paint: Painter,
  asked: PageAsked,
): Promise<PageAnswer> {
  const { world, publication, site } = context;
  const key = nameIn(asked);
  const found = isReportKey(name, key) ? await findDocument(world, publication, name, key) : null;
  if (found === null) throw new Fault('not_found', `There is no report of ${key}.`);
  const words = wordsOf(site.language);
  const lead = leadOf(found.body);
  return painted(paint, {
    siteName: site.name,
    kicker: words[name],
    title: lead.title ?? `${words[name]} ${key}`,
    foot: key,
    counts: [],
  });
}

function nameIn({ params }: PageAsked): string {
  const name = FILE.exec(params.file ?? '')?.[1];
  if (name === undefined) throw new Fault('not_found', 'There is no such picture.');
  return name;
}

async function painted(paint: Painter, card: Card): Promise<PageAnswer> {
  const body = await paint(drawCard(card, measureTitle));
  return { contentType: 'image/png', cacheControl: PAGE_CACHE, body };
}
