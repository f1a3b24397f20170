// The web app manifest and the icons that an installed radar uses.
import { Fault } from '../../kernel/errors/fault.ts';
import { html } from '../../kernel/html/html.ts';
import { PAGE_CACHE, type PageContext, type PageRequest, type PageRoute } from './page-context.ts';
import type { Painter } from './pictures/paint.ts';

const iconSizes = [180, 192, 512] as const;

export function iconRoutes({ site }: PageContext, paint: Painter): readonly PageRoute[] {
  return [
    { path: '/manifest.webmanifest', handle: () => buildManifest(site.name, site.language) },
    {
      path: '/icons/:file',
      handle: async ({ params }: PageRequest) => {
        const size = iconSizes.find((candidate) => params.file === `${candidate}.png`);
        if (size === undefined) throw new Fault('not_found', 'There is no such icon.');
        const body = await paint(drawIcon(size));
        return { contentType: 'image/png', cacheControl: PAGE_CACHE, body };
      },
    },
  ];
}

function buildManifest(name: string, language: string) {
  return {
    contentType: 'application/manifest+json; charset=utf-8',
    cacheControl: PAGE_CACHE,
    body: JSON.stringify({
      name,
      short_name: name,
      lang: language,
      start_url: '/',
      scope: '/',
      display: 'standalone',
      background_color: '#fbfaf7',
      theme_color: '#fbfaf7',
      icons: iconSizes.map((size) => ({
        src: `/icons/${size}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose: size === 180 ? 'any' : 'any maskable',
      })),
    }),
  };
}

/** The logo on a plain background. The margin keeps the whole logo visible under a round mask. */
function drawIcon(size: number): string {
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" \
viewBox="-16 -16 64 64"><rect x="-16" y="-16" width="64" height="64" fill="#fbfaf7"/>\
<circle cx="11" cy="21" r="4" fill="#b4371f"/>\
<path d="M11 11a10 10 0 0 1 10 10M11 6a15 15 0 0 1 15 15" fill="none" stroke="#b4371f" \
stroke-width="3"/></svg>`.text;
}
