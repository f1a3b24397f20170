// Renders the document of every page: language, title, metadata, styles and scripts. Inline scripts
// and styles never occur, so the security policy below forbids them. The browser renders only the
// complete page, because late rows would shift columns and footers.
import { type Html, html, nothing } from './html.ts';

export type HtmlDocument = {
  /** BCP 47 tag of the page's own texts. */
  readonly language: string;
  /** The title of the page, with the site's name last. */
  readonly title: string;
  readonly siteName: string;
  readonly description: string | null;
  /** Absolute URL; null: search engines must not list the page. */
  readonly canonical: string | null;
  /** Absolute address of an image of 1200 × 630; null: none. */
  readonly image: string | null;
  /** Path of an SVG. */
  readonly icon: string;
  readonly stylesheets: readonly string[];
  readonly scripts: readonly string[];
  /** Small scripts that run before the first paint. */
  readonly earlyScripts?: readonly string[];
  /** Path of a web app manifest. */
  readonly manifest?: string;
  /** Path of a PNG of 180 × 180. */
  readonly touchIcon?: string;
  /** Fonts that the visible top of the page needs. */
  readonly preloads: readonly string[];
  readonly alternates: readonly { readonly type: string; readonly title: string; href: string }[];
  readonly body: Html;
  /** The page reloads itself after this time, without a script; absent: no reload. */
  readonly refreshSeconds?: number | undefined;
};

export function renderPage(page: HtmlDocument): string {
  const { canonical, description } = page;
  return `<!doctype html>\n${html`<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">\
${
  page.refreshSeconds !== undefined &&
  html`
<meta http-equiv="refresh" content="${page.refreshSeconds}">`
}
<link rel="expect" href="#page-end" blocking="render">
<title>${page.title}</title>
${description === null ? nothing : html`<meta name="description" content="${description}">`}
${canonical === null ? html`<meta name="robots" content="noindex">` : previewTags(page, canonical)}
<meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#141413" media="(prefers-color-scheme: dark)">
<link rel="icon" type="image/svg+xml" href="${page.icon}">
${
  page.touchIcon !== undefined &&
  html`<link rel="apple-touch-icon" href="${page.touchIcon}">
`
}${
  page.manifest !== undefined &&
  html`<link rel="manifest" href="${page.manifest}">
`
}${(page.earlyScripts ?? []).map(
  (src) => html`<script src="${src}"></script>
`,
)}${page.preloads.map(
  (href) => html`<link rel="preload" as="font" type="font/woff2" href="${href}" crossorigin>
`,
)}${page.stylesheets.map(
  (href) => html`<link rel="stylesheet" href="${href}">
`,
)}${page.scripts.map(
  (src) => html`<script type="module" src="${src}"></script>
`,
)}${page.alternates.map(
  ({ type, title, href }) =>
    html`<link rel="alternate" type="${type}" title="${title}" href="${href}">
`,
)}</head>
<body>
${page.body}
<div id="page-end" hidden></div>
</body>
</html>`}\n`;
}

function previewTags(page: HtmlDocument, canonical: string): Html {
  return html`<link rel="canonical" href="${canonical}">
<meta property="og:type" content="article">
<meta property="og:site_name" content="${page.siteName}">
<meta property="og:title" content="${page.title}">
<meta property="og:url" content="${canonical}">
${
  page.description === null
    ? nothing
    : html`<meta property="og:description" content="${page.description}">`
}
${
  page.image === null
    ? nothing
    : html`<meta property="og:image" content="${page.image}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${page.title}">
<meta name="twitter:card" content="summary_large_image">`
}`;
}

/** Permits only files of this site, and no inline scripts or styles. */
export const pageSecurity = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; " +
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; " +
    "base-uri 'none'; " +
    "frame-ancestors 'none'",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;
