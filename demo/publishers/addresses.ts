// Addresses of entries on their publisher's server. The number at the end of the path or in the
// query identifies the entry, so an edited title breaks no link.
import type { Profile } from './profiles.ts';
import type { VisibleEntry } from './visible-entries.ts';

export function pathOf(profile: Profile, visibleEntry: VisibleEntry): string {
  const { number, entry } = visibleEntry;
  switch (profile.links) {
    case 'dated': {
      const day = new Date(entry.at).toISOString().slice(0, 10).replaceAll('-', '/');
      return `/${day}/${slugOf(entry.title)}-${number}/`;
    }
    case 'flat':
      return `/posts/${slugOf(entry.title)}-${number}`;
    case 'number':
      return `/a/${number}.html`;
    case 'query':
      return `/read?id=${number}`;
  }
}

/** The number in a path of this server; null when the path is not an article. */
export function parseNumber(path: string): string | null {
  const match = /(?:^\/a\/|^\/read\?id=|^\/go\/|-)(r?\d{4,6})(?:\.html|\/)?(?:&.*)?$/.exec(path);
  return match?.[1] ?? null;
}

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.slice(0, 7).join('-') || 'entry';
}
