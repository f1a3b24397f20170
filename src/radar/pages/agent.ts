// `/agent`: how programs and agents read this radar, each way with an example that can be copied.
import { type Html, html } from '../../kernel/html/html.ts';
import { type AgentMessages, agentMessages } from './messages/agent.ts';
import { readerMessages } from './messages/reader.ts';
import type { PageContext, PageResponse } from './page-context.ts';
import { pageResponse } from './page-layout.ts';

export function agentPage(context: PageContext): PageResponse {
  const { site } = context;
  const messages = agentMessages(site.language);
  return pageResponse(context, {
    title: messages.title,
    description: messages.lead,
    canonical: '/agent',
    section: 'agents',
    scripts: ['copy.js'],
    main: html`<div class="page-head"><h1>${messages.title}</h1><p>${messages.lead}</p></div>
${listAccessWays(context, messages).map(([id, { title, about }, content]) =>
  renderSection(id, title, about, content),
)}
<section class="part" aria-labelledby="manners">
<h2 id="manners">${messages.manners}</h2>
<ul class="points">
${messages.mannersList.map((text) => html`<li>${text}</li>\n`)}</ul>
</section>`,
  });
}

type AccessWay = readonly [
  id: string,
  messages: { readonly title: string; readonly about: string },
  content: Html,
];

function listAccessWays(
  { site, categories, labels }: PageContext,
  messages: AgentMessages,
): readonly AccessWay[] {
  const { url } = site;
  const renderExample = (text: string) => renderCopyExample(text, messages);
  const clientConfig = { mcpServers: { radar: { type: 'http', url: `${url}/mcp` } } };
  const mirrorExample = [
    `curl -s '${url}/api/v1/selected/snapshot?limit=100'`,
    `curl -s '${url}/api/v1/selected/changes?cursor=CURSOR'`,
  ];
  return [
    [
      'mcp',
      messages.mcp,
      html`${renderExample(`${url}/mcp`)}${renderExample(JSON.stringify(clientConfig, null, 2))}`,
    ],
    ['markdown', messages.markdown, renderExample(`curl -s '${url}/api/v1/agent/latest?limit=10'`)],
    [
      'json',
      messages.json,
      html`${renderExample(`curl -s '${url}/api/v1/items?mode=selected&limit=20'`)}
<p class="meta"><a href="/openapi-v1.json">OpenAPI</a></p>`,
    ],
    [
      'feeds',
      messages.feeds,
      html`${renderExample(`${url}/feed.xml`)}\
${renderFeeds(site.language, categories, labels, messages)}`,
    ],
    ['mirror', messages.mirror, renderExample(mirrorExample.join('\n'))],
  ];
}

function renderSection(id: string, title: string, about: string, content: Html): Html {
  return html`<section class="part" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p class="explains">${about}</p>
${content}
</section>
`;
}

function renderCopyExample(text: string, { copy, copied }: AgentMessages): Html {
  return html`<div class="example" data-copy="${copy}" data-copied="${copied}">\
<pre tabindex="0"><code>${text}</code></pre></div>
`;
}

function renderFeeds(
  language: 'en' | 'zh-CN',
  categories: readonly string[],
  labels: Readonly<Record<string, string>>,
  messages: AgentMessages,
): Html {
  const listedFeeds: readonly (readonly [string, string])[] = [
    [messages.everything, '/feed/all'],
    [readerMessages(language).hotTitle, '/feed/hot'],
    ...messages.reports.map(([name, title]) => [title, `/feed/${name}`] as const),
    ...categories.map((id) => [labels[id] ?? id, `/feed/category/${id}`] as const),
  ];
  return html`<dl class="facts spaced">
<dt>${messages.selected}</dt>\
<dd><a href="/feed.xml">RSS</a> · <a href="/feed.json">JSON Feed</a></dd>
${listedFeeds.map(
  ([name, path]) =>
    html`<dt>${name}</dt><dd><a href="${path}.xml">RSS</a> · \
<a href="${path}.json">JSON Feed</a></dd>
`,
)}</dl>`;
}
