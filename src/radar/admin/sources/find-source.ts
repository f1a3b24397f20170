// The one-line field above the form of a new source finds the feed of a template or a site. If a
// site has several feeds, each has a button. A source that exists already has a link.
import { type Html, html } from '../../../kernel/html/html.ts';
import { renderPostForm, renderTextField } from '../../../kernel/web/forms.ts';
import { formatAttempt } from '../../sources/fetch/fetch-warning.ts';
import { findSourceAtAddress, planDefinitions } from '../../sources/setup/import-sources.ts';
import { type ResolveLineResult, resolveLine } from '../../sources/setup/resolve-line.ts';
import type { SourceDefinition } from '../../sources/source-settings.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { sourceSetupMessages } from '../messages/source-setup.ts';
import { type SourceValues, valuesOfSource } from './source-form.ts';

export type FoundSource = {
  /** The line form with its result. */
  readonly lineForm: Html;
  /** Values of the form; null when no single source was found. */
  readonly values: SourceValues | null;
  readonly status: number;
};

const FIND_PATH = '/admin/sources/find';
const LINE_MAX = 500;

export function renderLineForm(context: RadarPageContext, line: string, error?: string): Html {
  const messages = sourceSetupMessages(context.site.language);
  const field = renderTextField({
    name: 'line',
    label: messages.line,
    value: line,
    help: messages.lineHelp,
    error,
  });
  return html`${renderPostForm(
    context,
    { action: FIND_PATH },
    html`${field}\
<div class="acts"><button class="quiet">${messages.find}</button></div>`,
  )}
<h2 class="side">${messages.orFillFields}</h2>`;
}

export async function findSource(context: RadarPageContext, line: string): Promise<FoundSource> {
  const { world, robots, site, templates } = context;
  const messages = sourceSetupMessages(site.language);
  const text = line.slice(0, LINE_MAX).trim();
  const result = await resolveLine(
    { world, robots, addresses: templates, canOpenLoopback: false },
    text,
  );
  if (result.kind !== 'source') {
    const problem = result.kind === 'invalid' ? result.problem[site.language] : undefined;
    // An existing source whose fetch fails now is linked too.
    const triedUrls = result.kind === 'failed' ? result.tried.map(({ url }) => url) : [];
    const existingNotice = renderExistsNotice(
      context,
      await findSourceAtAddress(context.db, triedUrls),
    );
    const failureStatus = existingNotice === null ? 422 : 409;
    return {
      lineForm: html`${renderLineForm(context, text, problem)}${existingNotice}\
${renderProblem(context, result)}`,
      values: null,
      status: result.kind === 'choices' ? 200 : failureStatus,
    };
  }
  const existingNotice = await findExistingNotice(context, result.definition);
  const foundText =
    result.foundOn === null ? null : html`<p class="meta">${messages.foundOn(result.foundOn)}</p>`;
  return {
    lineForm: html`${renderLineForm(context, text)}${existingNotice}${foundText}`,
    values: valuesOfSource(result.definition),
    status: existingNotice === null ? 200 : 409,
  };
}

/** A notice with a link to the source that has this address; null: the address is new. */
export async function findExistingNotice(
  context: RadarPageContext,
  definition: SourceDefinition,
): Promise<Html | null> {
  const [row] = await planDefinitions(context.db, [definition]);
  return renderExistsNotice(context, row?.kind === 'exists' ? row.by : null);
}

function renderExistsNotice({ site }: RadarPageContext, id: string | null): Html | null {
  if (id === null) return null;
  return html`<div class="notice" role="status"><p>${sourceSetupMessages(site.language).exists} \
<a href="/admin/sources/${id}">${id}</a></p></div>`;
}

function renderProblem(
  context: RadarPageContext,
  result: Exclude<ResolveLineResult, { readonly kind: 'source' }>,
): Html | null {
  const { language } = context.site;
  const messages = sourceSetupMessages(language);
  switch (result.kind) {
    case 'invalid':
      return null;
    case 'choices':
      return html`<div class="notice" role="status" tabindex="-1" data-focus>
<h2 class="side">${messages.choices(result.candidates.length)}</h2>
${result.candidates.map(({ url, title }) =>
  renderPostForm(
    context,
    { action: FIND_PATH },
    html`<input type="hidden" name="line" value="${url}">\
<button class="quiet">${title ?? url}</button> <span class="meta">${url}</span>`,
  ),
)}</div>`;
    case 'failed':
      return html`<div class="notice negative" role="alert" tabindex="-1" data-focus>
<h2 class="side">${messages.tried}</h2>
<ul>${result.tried.map(
        (attempt) => html`<li>${formatAttempt(attempt, language)}</li>
`,
      )}</ul></div>`;
  }
}
