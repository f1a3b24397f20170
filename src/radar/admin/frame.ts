// The frame of the operators' desk: its sections, who is signed in, and the way out.
import type { Assets } from '../../kernel/html/assets.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import { renderPage } from '../../kernel/html/page.ts';
import type { AdminContext, DeskContext, Section } from './admin-context.ts';
import { button, postForm } from './forms.ts';
import { adminWords } from './words.ts';

const sections: readonly Section[] = [
  'sources',
  'items',
  'stories',
  'ranking',
  'reports',
  'runs',
  'settings',
  'audit',
];

export type Framed = {
  readonly title: string;
  readonly section: Section | null;
  readonly main: Html;
};

export function framedDesk(context: DeskContext, { title, section, main }: Framed): string {
  const { site, session } = context;
  const words = adminWords(site.language);
  return bare(context, {
    title,
    body: html`<a class="skip" href="#main">${words.skip}</a>
<header class="masthead desk">
<a class="name" href="/admin">${site.name}<span class="label">${words.desk}</span></a>
<nav aria-label="${words.navigation}"><ul>
${sections.map(
  (name) =>
    html`<li><a href="/admin/${name}"${name === section && html` aria-current="page"`}>\
${words.sections[name]}</a></li>
`,
)}</ul></nav>
</header>
<main id="main" tabindex="-1" class="desk">
${main}
</main>
<footer class="foot desk">
<div class="signed"><span>${words.signedInAs(session.name)}</span>
${postForm(context, { action: '/admin/sign-out' }, button(words.signOut, 'link'))}
<a href="/">${words.toRadar}</a></div>
<p>${words.times}</p>
</footer>`,
  });
}

/** A page outside of the desk: the way in, and failures. */
export function bare(
  { site, assets }: Pick<AdminContext, 'site'> & { readonly assets: Assets },
  { title, body }: { readonly title: string; readonly body: Html },
): string {
  return renderPage({
    language: site.language,
    title: `${title} · ${site.name}`,
    siteName: site.name,
    description: null,
    canonical: null,
    picture: null,
    icon: assets.path('icon.svg'),
    stylesheets: [assets.path('page.css'), assets.path('admin.css')],
    scripts: [assets.path('admin.js')],
    preloads: [assets.path('serif.woff2')],
    alternates: [],
    body,
  });
}

export function pageHead(title: string, about: string | null, beside: Html | null = null): Html {
  return html`<div class="page-head desk-head"><div><h1>${title}</h1>
${about !== null && html`<p>${about}</p>`}</div>${beside}</div>`;
}
