// The progress page after the setup: the state and results of each source. It reloads without
// script until the first ranking exists.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPageHead } from '../../../kernel/web/form-page.ts';
import { renderButton, renderPostForm } from '../../../kernel/web/forms.ts';
import { countFilledState } from '../../publication/filled-state.ts';
import { type ListedSource, listSources } from '../../sources/list-sources.ts';
import type { RadarAdminResponse, RadarPageContext } from '../admin-context.ts';
import { setupMessages } from '../messages/setup.ts';
import { renderWarnings } from '../sources/warning-list.ts';

const REFRESH_SECONDS = 2;

export async function progressPage(context: RadarPageContext): Promise<RadarAdminResponse> {
  const { db, publication, site, world } = context;
  const messages = setupMessages(site.language);
  const sources = (await listSources(db)).filter(({ kind }) => kind !== 'push');
  const fetchedSources = sources.filter(({ lastOutcome }) => lastOutcome !== null);
  const items = sources.reduce((sum, source) => sum + source.items, 0);
  const importing = sources.reduce((sum, source) => sum + source.importing, 0);
  const filledState = countFilledState(publication.readModel(), world.clock.now());
  const isFetched = fetchedSources.length === sources.length;
  const findNextStep = () => {
    if (!isFetched) return 'fetch';
    if (importing > 0) return 'enrich';
    return filledState.isRanked ? null : 'rank';
  };
  const nextStep = findNextStep();
  const title = nextStep === null ? messages.filled : messages.progress;
  const counts: readonly (readonly [string, number])[] = [
    [messages.counts.items, items],
    [messages.counts.public, filledState.items],
    [messages.counts.stories, filledState.inStories],
    [messages.counts.selected, filledState.selected],
  ];
  return {
    kind: 'page',
    title,
    section: 'sources',
    ...(nextStep !== null && { refreshSeconds: REFRESH_SECONDS }),
    main: html`${renderPageHead(title, messages.fetched(fetchedSources.length, sources.length))}
<progress max="${sources.length}" value="${fetchedSources.length}"></progress>
<dl class="facts">${counts.map(
      ([name, count]) => html`<dt>${name}</dt><dd>${count}</dd>
`,
    )}\
${nextStep !== null && html`<dt>${messages.nextLabel}</dt><dd>${messages.next[nextStep]}</dd>`}</dl>
${
  nextStep === null
    ? renderFinishedLinks(messages.links)
    : html`<p class="meta">${messages.refreshes}</p>`
}
<table class="list"><tbody>\
${sources.map((source) => renderSource(context, source))}</tbody></table>`,
  };
}

const renderFinishedLinks = (links: Readonly<Record<string, string>>): Html =>
  html`<ul class="side-list">${Object.entries(links).map(
    ([href, label]) => html`<li><a class="link" href="${href}">${label} →</a></li>
`,
  )}</ul>`;

/** Marks the forms of this page, so that their actions redirect back to it. */
const returnField = html`<input type="hidden" name="from" value="progress">`;

function renderSource(context: RadarPageContext, source: ListedSource): Html {
  const messages = setupMessages(context.site.language);
  const { id, name, lastOutcome, failures, items, version } = source;
  const href = `/admin/sources/${id}`;
  if (failures === 0) {
    const state = lastOutcome === null ? messages.waiting : messages.entries(items);
    return html`<tr><th scope="row"><a href="${href}">${name}</a></th>\
<td>${state}</td><td></td></tr>
`;
  }
  const notes = renderWarnings(context.site.language, {
    notes: source.lastNotes,
    message: source.lastMessage,
  });
  const retryButton = html`${returnField}${renderButton(messages.again, 'link')}`;
  const removeButton = html`${returnField}${renderButton(messages.skipSource, 'link')}`;
  return html`<tr><th scope="row"><a href="${href}">${name}</a></th>\
<td class="negative">${notes}</td><td><div class="acts">\
${renderPostForm(context, { action: `${href}/read` }, retryButton)}\
${renderPostForm(context, { action: `${href}/remove`, version }, removeButton)}</div></td></tr>
`;
}
