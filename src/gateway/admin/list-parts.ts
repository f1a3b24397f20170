// Renders parts of lists: filters by one value, links to older entries, facts by name.
import { type Html, html } from '../../kernel/html/html.ts';

/** Links that set the query parameter `name`. `chosen`: its current value; null: no filter. */
type Filter = { readonly path: string; readonly name: string; readonly chosen: string | null };
type Option = { readonly value: string | null; readonly label: string };

/** An option whose `value` is null removes the filter. */
export function renderFilters({ path, name, chosen }: Filter, options: readonly Option[]): Html {
  return html`<div class="filters"><ul>${options.map(
    ({ value, label }) => html`<li><a href="${path}${value === null ? '' : `?${name}=${value}`}"${
      value === chosen && html` aria-current="page"`
    }>${label}</a></li>
`,
  )}</ul></div>`;
}

export function renderOlderLink(
  label: string,
  path: string,
  query: Readonly<Record<string, string | number>>,
): Html {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, `${value}`]);
  return html`<p class="more"><a class="link" rel="next" \
href="${path}?${String(new URLSearchParams(pairs))}">${label} →</a></p>`;
}

export type Fact = readonly [name: string, value: Html | string | number];

export function renderFacts(facts: readonly Fact[], className = 'facts stacked'): Html {
  return html`<dl class="${className}">${facts.map(
    ([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>
`,
  )}</dl>`;
}
