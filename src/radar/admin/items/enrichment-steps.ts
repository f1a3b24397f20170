// How a model enriched an item: each step, its model, and why rules replaced the model. Only
// operators see these steps.
import { type Html, html } from '../../../kernel/html/html.ts';
import { markLanguage } from '../../../kernel/html/text-language.ts';
import type { EditedItem } from '../../publication/operator-items.ts';
import type { RadarPageContext } from '../admin-context.ts';
import { enrichmentMessages } from '../messages/enrichment-steps.ts';

/** Null: no model was used and no injected instruction was removed. */
export function renderEnrichmentSteps(
  { site }: RadarPageContext,
  { enrichment }: EditedItem,
): Html | null {
  if (enrichment === null || (enrichment.model === null && enrichment.removedInstructions === 0))
    return null;
  const messages = enrichmentMessages(site.language);
  // Text that a model, its server or a guardrail wrote: its language can differ from the page's.
  const renderQuoted = (text: string) => markLanguage(text, site.language);
  const { model, removedInstructions } = enrichment;
  const steps = model?.steps ?? [];
  const scores = (model?.scores ?? []).flatMap((score) => score ?? []);
  return html`<h2 class="side spaced">${messages.heading}</h2>
${
  removedInstructions > 0 &&
  html`<p class="notice">${messages.injectedInstructions(removedInstructions)}</p>`
}
<dl class="facts stacked">${steps.map(
    (step) => html`<dt>${messages.steps[step.prompt] ?? step.prompt}</dt><dd>${
      step.by === 'model'
        ? html`${step.model} <code>${step.version}</code>`
        : html`<strong>${messages.builtIn}</strong>: \
${messages.fallbackReasons[step.why] ?? step.why}${
  step.detail !== null && html`<br><span class="quiet">${renderQuoted(step.detail)}</span>`
}`
    }</dd>
`,
  )}${
    scores.length > 0 &&
    html`<dt>${messages.scores}</dt><dd>${scores.join(' · ')}${
      model?.isApart === true && html` <strong>${messages.scoresDiffer}</strong>`
    }</dd>`
  }${
    (model?.tags.length ?? 0) > 0 &&
    html`<dt>${messages.tags}</dt>
<dd>${renderQuoted(model?.tags.join(', ') ?? '')}</dd>`
  }${
    (model?.facts.length ?? 0) > 0 &&
    html`<dt>${messages.facts}</dt>
<dd>${model?.facts.map(({ text }) => html`<p>${renderQuoted(text)}</p>`)}</dd>`
  }${
    (model?.dropped.length ?? 0) > 0 &&
    html`<dt>${messages.droppedSentences}</dt>
<dd>${model?.dropped.map((sentence) => html`<p>${renderQuoted(sentence)}</p>`)}</dd>`
  }</dl>`;
}
