// Renders the document of every page with forms and the failure page, and opens their assets.
import { type Asset, type Assets, openAssets } from '../html/assets.ts';
import { type Html, html } from '../html/html.ts';
import { renderKeySheet } from '../html/key-sheet.ts';
import { renderPage } from '../html/page.ts';
import type { PageFailure } from './form-handler.ts';
import type { Language } from './language.ts';
import { formMessages } from './messages.ts';

export type FormAssets = {
  readonly path: Assets['path'];
  readonly all: readonly Asset[];
  /** Paths in loading order. */
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
};

const kernelAssets = new URL('../html/assets/', import.meta.url);

/** Assets that all form pages load, and the assets of one area, by their plain names. */
export function openFormAssets(extraAssets: Readonly<Record<string, URL>> = {}): FormAssets {
  const assets = openAssets({
    'serif.woff2': new URL('serif.woff2', kernelAssets),
    'icon.svg': new URL('icon.svg', kernelAssets),
    'page.css': new URL('page.css', kernelAssets),
    'forms.css': new URL('forms.css', kernelAssets),
    'forms.js': new URL('forms.js', kernelAssets),
    'keys.js': new URL('keys.js', kernelAssets),
    ...extraAssets,
  });
  const assetPaths = (extension: string) =>
    Object.keys(extraAssets).filter((name) => name.endsWith(`.${extension}`));
  return {
    path: assets.path,
    all: assets.all,
    stylesheets: ['page.css', 'forms.css', ...assetPaths('css')].map(assets.path),
    scripts: ['forms.js', 'keys.js', ...assetPaths('js')].map(assets.path),
  };
}

export type FormSite = { readonly name: string; readonly language: Language };

export type PageLayout = { readonly site: FormSite; readonly assets: FormAssets };

/** Renders a whole document; `body` contains its landmarks. */
export function renderFormPage(
  { site, assets }: PageLayout,
  {
    title,
    body,
    refreshSeconds,
  }: { readonly title: string; readonly body: Html; readonly refreshSeconds?: number | undefined },
): string {
  return renderPage({
    refreshSeconds,
    language: site.language,
    title: `${title} · ${site.name}`,
    siteName: site.name,
    description: null,
    canonical: null,
    image: null,
    icon: assets.path('icon.svg'),
    stylesheets: assets.stylesheets,
    scripts: assets.scripts,
    preloads: [assets.path('serif.woff2')],
    alternates: [],
    body: html`${body}${renderFormKeys(site.language)}`,
  });
}

/** The button is hidden until a script shows it. */
export const renderKeysButton = (language: Language): Html =>
  html`<button class="link" type="button" data-open="keys" hidden>\
${formMessages(language).keys.title}</button>`;

function renderFormKeys(language: Language): Html {
  const { keys } = formMessages(language);
  const rows = [
    ['j', keys.next],
    ['k', keys.previous],
    ['o', keys.open],
    ['/', keys.search],
    ['Ctrl K', keys.palette],
    ['?', keys.title],
  ] as const;
  return renderKeySheet({ ...keys, rows, addresses: {} });
}

/** `returnLink`: the link to a page where the visitor can continue. */
export function renderFailurePage(
  layout: PageLayout,
  { status, message, inChinese, requestId }: PageFailure,
  returnLink: { readonly href: string; readonly label: string },
): string {
  const messages = formMessages(layout.site.language);
  const title = status === 404 ? messages.notFound : messages.failureTitle;
  const faultMessage = layout.site.language === 'en' ? message : inChinese;
  const explanation = status >= 500 ? messages.serviceUnavailable : messages.requestFailed;
  const mainText = status === 404 && faultMessage ? faultMessage : explanation;
  return renderFormPage(layout, {
    title,
    body: html`<main id="main" tabindex="-1" class="compact"><p class="label">${status}</p>
<h1>${title}</h1><p class="explains">${mainText}</p>
${status !== 404 && faultMessage && html`<p class="detail">${faultMessage}</p>`}
<p class="more"><a class="button" href="${returnLink.href}">${returnLink.label}</a></p>
<p class="meta spaced"><span>${requestId}</span></p></main>`,
  });
}

export function renderPageHead(
  title: string | Html,
  details: string | null,
  action: Html | null = null,
): Html {
  return html`<div class="page-head head-row"><div><h1>${title}</h1>
${details !== null && html`<p>${details}</p>`}</div>${action}</div>`;
}
