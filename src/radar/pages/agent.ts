// `/agent`: how programs and agents read this radar, each way with an example that can be copied.
import { type Html, html } from '../../kernel/html/html.ts';
import { type AgentWords, agentWords } from './messages/agent.ts';
import type { PageAnswer, PageContext } from './page-context.ts';
import { pageAnswer } from './page-layout.ts';

export function agentPage(context: PageContext): PageAnswer {
  const { site } = context;
  const words = agentWords(site.language);
  return pageAnswer(context, {
    title: words.title,
    description: words.lead,
    canonical: '/agent',
    section: 'agents',
    scripts: ['copy.js'],
    main: html`<div class="page-head"><h1>${words.title}</h1><p>${words.lead}</p></div>
${ways(context, words).map(([id, { title, about }, content]) => way(id, title, about, content))}
<section class="part" aria-labelledby="manners">
<h2 id="manners">${words.manners}</h2>
<ul class="points">
${words.mannersList.map((text) => html`<li>${text}</li>\n`)}</ul>
</section>`,
  });
}

type Way = readonly [
  id: string,
  words: { readonly title: string; readonly about: string },
  content: Html,
];

function ways({ site, categories, labels }: PageContext, words: AgentWords): readonly Way[] {
  const { url } = site;
  const copied = (text: string) => example(text, words);
  const client = { mcpServers: { radar: { type: 'http', url: `${url}/mcp` } } };
  const loop = [
    `curl -s '${url}/api/v1/selected/snapshot?limit=100'`,
    `curl -s '${url}/api/v1/selected/changes?cursor=CURSOR'`,
  ];
  return [
    ['mcp', words.mcp, html`${copied(`${url}/mcp`)}${copied(JSON.stringify(client, null, 2))}`],
    ['markdown', words.markdown, copied(`curl -s '${url}/api/v1/agent/latest?limit=10'`)],
    [
      'json',
      words.json,
      html`${copied(`curl -s '${url}/api/v1/items?mode=selected&limit=20'`)}
<p class="meta"><a href="/openapi-v1.json">OpenAPI</a></p>`,
    ],
    ['feeds', words.feeds, html`${copied(`${url}/feed.xml`)}${feeds(categories, labels, words)}`],
    ['mirror', words.mirror, copied(loop.join('\n'))],
  ];
}

function way(id: string, title: string, about: string, content: Html): Html {
  return html`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="explains">${about}</p>
${content}
</section>
`;
}

function example(text: string, { copy, copied }: AgentWords): Html {
  return html`<div class="example" data-copy="${copy}" data-copied="${copied}">\
<pre tabindex="0"><code>${text}</code></pre></div>
`;
}

function feeds(
  categories: readonly string[],
  labels: Readonly<Record<string, string>>,
  words: AgentWords,
): Html {
  const listed: readonly (readonly [string, string])[] = [
    [words.everything, '/feed/all'],
    ...words.reports.map(([name, title]) => [title, `/feed/${name}`] as const),
    ...categories.map((id) => [labels[id] ?? id, `/feed/category/${id}`] as const),
  ];
  return html`<dl class="facts spaced">
<dt>${words.selected}</dt><dd><a href="/feed.xml">RSS</a> · <a href="/feed.json">JSON Feed</a></dd>
${listed.map(
  ([name, path]) =>
    html`<dt>${name}</dt><dd><a href="${path}.xml">RSS</a> · \
<a href="${path}.json">JSON Feed</a></dd>
`,
)}</dl>`;
}
