// The progress page after the setup: the state and results of each source. It reloads without
// script until the first ranking exists.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { filledState } from '../../publication/filled-state.ts';
import { type ListedSource, listSources } from '../../sources/list-sources.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { notesBelow } from '../sources/warning-list.ts';

const REFRESH_SECONDS = 2;

export async function progressPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { db, publication, site, world } = context;
  const messages = setupMessages(site.language);
  const sources = (await listSources(db)).filter(({ kind }) => kind !== 'push');
  const done = sources.filter(({ lastOutcome }) => lastOutcome !== null);
  const items = sources.reduce((sum, source) => sum + source.items, 0);
  const importing = sources.reduce((sum, source) => sum + source.importing, 0);
  const filled = filledState(publication.readModel(), world.clock.now());
  const isFetched = done.length === sources.length;
  const next = !isFetched ? 'fetch' : importing > 0 ? 'enrich' : filled.isRanked ? null : 'rank';
  const title = next === null ? messages.filled : messages.progress;
  const counts: readonly (readonly [string, number])[] = [
    [messages.counts.items, items],
    [messages.counts.public, filled.items],
    [messages.counts.stories, filled.inStories],
    [messages.counts.selected, filled.selected],
  ];
  return {
    kind: 'page',
    title,
    section: 'sources',
    ...(next !== null && { refreshSeconds: REFRESH_SECONDS }),
    main: html`${renderPageHead(title, messages.fetched(done.length, sources.length))}
<progress max="${sources.length}" value="${done.length}"></progress>
<dl class="facts">${counts.map(
      ([name, count]) => html`<dt>${name}</dt><dd>${count}</dd>
`,
    )}${next !== null && html`<dt>${messages.nextLabel}</dt><dd>${messages.next[next]}</dd>`}</dl>
${next === null ? finishedLinks(messages.links) : html`<p class="meta">${messages.refreshes}</p>`}
<table class="list"><tbody>${sources.map((source) => sourceRow(context, source))}</tbody></table>`,
  };
}

const finishedLinks = (links: Readonly<Record<string, string>>): Html =>
  html`<ul class="side-list">${Object.entries(links).map(
    ([href, label]) => html`<li><a class="link" href="${href}">${label} →</a></li>
`,
  )}</ul>`;

/** Actions of this page lead back to it. */
const returnField = html`<input type="hidden" name="from" value="progress">`;

function sourceRow(context: RadarPageContext, source: ListedSource): Html {
  const messages = setupMessages(context.site.language);
  const { id, name, lastOutcome, failures, items, version } = source;
  const href = `/admin/sources/${id}`;
  if (failures === 0) {
    const state = lastOutcome === null ? messages.waiting : messages.entries(items);
    return html`<tr><th scope="row"><a href="${href}">${name}</a></th>\
<td>${state}</td><td></td></tr>
`;
  }
  const notes = notesBelow(context.site.language, {
    notes: source.lastNotes,
    message: source.lastMessage,
  });
  const retry = html`${returnField}${renderButton(messages.again, 'link')}`;
  const leaveOut = html`${returnField}${renderButton(messages.leaveOut, 'link')}`;
  return html`<tr><th scope="row"><a href="${href}">${name}</a></th>\
<td class="negative">${notes}</td><td><div class="acts">\
${renderPostForm(context, { action: `${href}/read` }, retry)}\
${renderPostForm(context, { action: `${href}/remove`, version }, leaveOut)}</div></td></tr>
`;
}
