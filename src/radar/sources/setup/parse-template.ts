// Parses a template line (`youtube:@handle`, `github:owner/repo`) to the draft of a source. It
// makes no request: for a template that needs a lookup, it returns the address to look up.
import type { SettingProblem } from '../settings-messages.ts';
import type { SourceDefinition } from '../source-settings.ts';
import {
  fillAddress,
  type TemplateAddresses,
  type TemplateAddressName,
} from './template-addresses.ts';

/** A definition without its id. A null `name` means the title of the feed. */
export type SourceDraft = {
  readonly kind: 'feed' | 'web-list' | 'json-list';
  readonly name: string | null;
  readonly owner: string | null;
  readonly tier: SourceDefinition['tier'];
  readonly participation: SourceDefinition['participation'];
  readonly intervalMinutes: number;
  readonly settings: { readonly url: string } & Readonly<Record<string, unknown>>;
};

export type ParsedTemplate =
  | { readonly kind: 'draft'; readonly draft: SourceDraft }
  /** `url` is a page whose canonical address has the channel, or JSON with the podcast's feed. */
  | { readonly kind: 'lookup'; readonly service: 'youtube' | 'podcast'; readonly url: string }
  | { readonly kind: 'invalid'; readonly problem: SettingProblem }
  /** The line does not begin with the name of a template. */
  | { readonly kind: 'none' };

type FillAddress = (name: TemplateAddressName, values?: Readonly<Record<string, string>>) => string;
/** Null when the argument has none of the template's forms. */
type TemplateParser = (argument: string, fill: FillAddress) => ParsedTemplate | null;

/** Reddit returns 429 for frequent requests. */
const REDDIT_MINUTES = 60;
/** arXiv requires three seconds between two requests of its API. */
const ARXIV_GAP_SECONDS = 3;

function feedDraft(url: string, overrides: Partial<SourceDraft> = {}): ParsedTemplate {
  const { settings = { url } } = overrides;
  return {
    kind: 'draft',
    draft: {
      kind: overrides.kind ?? 'feed',
      name: overrides.name ?? null,
      owner: overrides.owner ?? null,
      tier: overrides.tier ?? 'T2',
      participation: overrides.participation ?? 'editorial',
      intervalMinutes: overrides.intervalMinutes ?? 30,
      settings,
    },
  };
}

const youtube: TemplateParser = (argument, fill) => {
  if (/^@[\w.·-]{3,60}$/u.test(argument)) {
    const url = fill('youtube.handle', { handle: argument.slice(1) });
    return { kind: 'lookup', service: 'youtube', url };
  }
  if (/^UC[\w-]{22}$/.test(argument)) return feedDraft(fill('youtube.channel', { id: argument }));
  if (/^PL[\w-]{10,60}$/.test(argument))
    return feedDraft(fill('youtube.playlist', { id: argument }));
  return null;
};

const github: TemplateParser = (argument, fill) => {
  const [, owner = '', repo, part, branch] =
    /^([\w-]{1,39})(?:\/([\w.-]{1,100})(?:\/(tags|commits)(?:\/(.{1,200}))?)?)?$/.exec(argument) ??
    [];
  if (owner === '') return null;
  const firstParty = { owner, tier: 'T1' } as const;
  if (repo === undefined)
    return feedDraft(fill('github.owner', { owner }), { name: owner, ...firstParty });
  if (part === 'tags' && branch !== undefined) return null;
  const chooseAddress = (): TemplateAddressName => {
    if (part === undefined) return 'github.releases';
    if (part === 'tags') return 'github.tags';
    return branch === undefined ? 'github.commits' : 'github.branch';
  };
  const address = fill(chooseAddress(), { owner, repo, branch: branch ?? '' });
  const name = [`${owner}/${repo}`, part, branch].filter((word) => word !== undefined).join(' ');
  return feedDraft(address, { name, ...firstParty });
};

const arxiv: TemplateParser = (argument, fill) => {
  const commonFields = { owner: 'arXiv', tier: 'T1_5', intervalMinutes: 240 } as const;
  if (/^[a-z-]+(?:\.[A-Za-z-]{2,20})?$/.test(argument)) {
    return feedDraft(fill('arxiv.category', { category: argument }), {
      ...commonFields,
      name: `arXiv ${argument}`,
    });
  }
  const query = argument.replaceAll(/\s+/g, ' ');
  if (query.replaceAll('"', '').trim() === '') return null;
  const url = fill('arxiv.query', { query });
  return feedDraft(url, {
    ...commonFields,
    name: `arXiv ${query.replaceAll('"', '')}`,
    settings: { url, gapSeconds: ARXIV_GAP_SECONDS },
  });
};

const hn: TemplateParser = (argument, fill) => {
  const [, words = '', points = '0'] = /^(.*?)\s*(?:>\s*(\d{1,5}))?$/s.exec(argument) ?? [];
  const query = words.trim();
  if (query === '') return null;
  const fillUrl = () => {
    if (query === 'frontpage') return fill('hn.frontpage');
    if (query === 'new' && points === '0') return fill('hn.new');
    return fill('hn.query', { query: query === 'new' ? '' : query, points });
  };
  const url = fillUrl();
  return feedDraft(url, {
    kind: 'json-list',
    name: `Hacker News ${argument.trim()}`,
    owner: 'Hacker News',
    participation: 'signal',
    settings: {
      url,
      items: 'hits',
      id: 'objectID',
      title: 'title',
      link: 'url',
      author: 'author',
      date: 'created_at_i',
      dateFormat: 'epoch-s',
    },
  });
};

const reddit: TemplateParser = (argument, fill) => {
  const [, subreddit = '', top] = /^\/?r\/(\w{2,21})(\/top)?\/?$/.exec(argument) ?? [];
  if (subreddit === '') return null;
  return feedDraft(fill(top === undefined ? 'reddit.subreddit' : 'reddit.top', { subreddit }), {
    name: `r/${subreddit}`,
    owner: 'Reddit',
    participation: 'signal',
    intervalMinutes: REDDIT_MINUTES,
  });
};

const lobsters: TemplateParser = (argument, fill) => {
  const commonFields = { owner: 'Lobsters', participation: 'signal' } as const;
  if (argument === '')
    return feedDraft(fill('lobsters.all'), { name: 'Lobsters', ...commonFields });
  if (!/^[\w-]{1,40}$/.test(argument)) return null;
  return feedDraft(fill('lobsters.tag', { tag: argument }), {
    name: `Lobsters ${argument}`,
    ...commonFields,
  });
};

const bluesky: TemplateParser = (argument, fill) => {
  const handle = argument.replace(/^@/, '');
  if (!/^[\w-]+(?:\.[\w-]+)+$/.test(handle)) return null;
  return feedDraft(fill('bluesky.profile', { handle }));
};

const host = /^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/i;

const mastodon: TemplateParser = (argument, fill) => {
  const [, sign, name = '', server = ''] =
    /^([@#])([\p{L}\p{N}_.]{1,80})@(.+)$/u.exec(argument) ?? [];
  if (!host.test(server)) return null;
  return sign === '@'
    ? feedDraft(fill('mastodon.account', { user: name, host: server }))
    : feedDraft(fill('mastodon.tag', { tag: name, host: server }), { name: `#${name}@${server}` });
};

const telegram: TemplateParser = (argument, fill) => {
  const channel = argument.replace(/^@/, '');
  if (!/^\w{4,40}$/.test(channel)) return null;
  const url = fill('telegram.channel', { channel });
  return feedDraft(url, {
    kind: 'web-list',
    name: `@${channel}`,
    owner: channel,
    settings: {
      url,
      item: '.tgme_widget_message',
      link: 'a.tgme_widget_message_date',
      title: '.tgme_widget_message_text',
      date: 'time[datetime]',
    },
  });
};

const podcast: TemplateParser = (argument, fill) => {
  if (/^\d{5,15}$/.test(argument)) {
    const url = fill('podcast.lookup', { id: argument });
    return { kind: 'lookup', service: 'podcast', url };
  }
  return /^https?:\/\//.test(argument) ? feedDraft(argument) : null;
};

const substack: TemplateParser = (argument, fill) => {
  if (/^[\w-]{1,60}$/.test(argument)) return feedDraft(fill('substack.name', { name: argument }));
  return host.test(argument) ? feedDraft(fill('substack.host', { host: argument })) : null;
};

const medium: TemplateParser = (argument, fill) =>
  /^@?[\w.-]{1,80}(?:\/[\w-]{1,80})?$/.test(argument)
    ? feedDraft(fill('medium.path', { path: argument }))
    : null;

const wordpress: TemplateParser = (argument, fill) => {
  const [, name = '', folder = ''] =
    /^(?:https?:\/\/)?([^/]+)((?:\/[\w.~-]+)*)\/?$/.exec(argument) ?? [];
  return host.test(name) ? feedDraft(fill('wordpress.host', { host: name + folder })) : null;
};

const pypi: TemplateParser = (argument, fill) =>
  /^[A-Za-z0-9][\w.-]{0,100}$/.test(argument)
    ? feedDraft(fill('pypi.project', { project: argument }), {
        name: `PyPI ${argument}`,
        tier: 'T1',
      })
    : null;

const crates: TemplateParser = (argument, fill) =>
  /^[A-Za-z][\w-]{0,63}$/.test(argument)
    ? feedDraft(fill('crates.crate', { crate: argument }), {
        name: `crates.io ${argument}`,
        tier: 'T1',
      })
    : null;

const steam: TemplateParser = (argument, fill) =>
  /^\d{1,10}$/.test(argument)
    ? feedDraft(fill('steam.app', { id: argument }), { tier: 'T1' })
    : null;

type Template = { readonly parse: TemplateParser; readonly forms: string };

/** Every template with the forms of its argument, for help texts and refusals. */
export const sourceTemplates = {
  youtube: { parse: youtube, forms: 'youtube:@handle, youtube:UC…, youtube:PL…' },
  github: {
    parse: github,
    forms: 'github:owner/repo, github:owner/repo/tags, github:owner/repo/commits, github:owner',
  },
  arxiv: { parse: arxiv, forms: 'arxiv:cs.CL, arxiv:"test-time training"' },
  hn: { parse: hn, forms: 'hn:frontpage, hn:new, hn:words, hn:words>50' },
  reddit: { parse: reddit, forms: 'reddit:r/name, reddit:r/name/top' },
  lobsters: { parse: lobsters, forms: 'lobsters, lobsters:tag' },
  bluesky: { parse: bluesky, forms: 'bluesky:handle.example' },
  mastodon: { parse: mastodon, forms: 'mastodon:@name@host, mastodon:#tag@host' },
  telegram: { parse: telegram, forms: 'telegram:channel' },
  podcast: { parse: podcast, forms: 'podcast:1234567890 (Apple’s id), podcast:https://…' },
  substack: { parse: substack, forms: 'substack:name, substack:host' },
  medium: { parse: medium, forms: 'medium:@name, medium:publication' },
  wordpress: { parse: wordpress, forms: 'wordpress:host' },
  pypi: { parse: pypi, forms: 'pypi:project' },
  crates: { parse: crates, forms: 'crates:name' },
  steam: { parse: steam, forms: 'steam:app id' },
} as const satisfies Readonly<Record<string, Template>>;

type TemplateName = keyof typeof sourceTemplates;

const isTemplate = (name: string): name is TemplateName => Object.hasOwn(sourceTemplates, name);

/** A template line has a colon. The only exception is `lobsters`. */
export function parseTemplate(line: string, addresses: TemplateAddresses): ParsedTemplate {
  const [, name = '', colon, argument = ''] = /^([a-z]+)(?:(:)(.*))?$/s.exec(line.trim()) ?? [];
  if (!isTemplate(name) || (colon === undefined && name !== 'lobsters')) return { kind: 'none' };
  const { parse, forms } = sourceTemplates[name];
  const fill: FillAddress = (address, values = {}) => fillAddress(addresses[address], values);
  const parsed = (parse as TemplateParser)(argument.trim(), fill);
  if (parsed !== null) return parsed;
  return {
    kind: 'invalid',
    problem: { en: `must be one of: ${forms}`, 'zh-CN': `须为以下形式之一：${forms}` },
  };
}
