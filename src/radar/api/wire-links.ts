// Absolute URLs of this radar's pages in responses, under `html`. An operator can repeat them under
// the name that older clients read (feed contract, "Item").
import type { Site } from './wire-item.ts';

export type PageLinks = { readonly html: string; readonly aihot?: string };

export function pageLinks(site: Site, path: string): PageLinks {
  const html = `${site.url}/${path}`;
  return { html, ...(site.hasAihotLinks && { aihot: html }) };
}

/** The name to credit, and the page to link to. */
export const attributionOf = (site: Site, { html }: PageLinks) => ({ name: site.name, url: html });

export const storyPath = (id: string) => `stories/${encodeURIComponent(id)}`;
