import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseTemplate, sourceTemplates } from './parse-template.ts';
import { readTemplateAddresses, templatesJsonSchema } from './template-addresses.ts';

const addresses = await readTemplateAddresses('editorial');

/** The result of a line, abbreviated. */
function abbreviateResult(line: string): unknown {
  const parsed = parseTemplate(line, addresses);
  if (parsed.kind === 'lookup') return ['lookup', parsed.url];
  if (parsed.kind !== 'draft') return parsed.kind;
  const { kind, settings, tier, participation } = parsed.draft;
  return [kind, settings.url, tier, participation];
}

it('parses each template form into a draft or a lookup', () => {
  const lines = {
    'youtube:@handle': ['lookup', 'https://www.youtube.com/@handle'],
    'youtube:UC1234567890123456789012': [
      'feed',
      'https://www.youtube.com/feeds/videos.xml?channel_id=UC1234567890123456789012',
      'T2',
      'editorial',
    ],
    'github:owner/repo': ['feed', 'https://github.com/owner/repo/releases.atom', 'T1', 'editorial'],
    'github:owner/repo/tags': [
      'feed',
      'https://github.com/owner/repo/tags.atom',
      'T1',
      'editorial',
    ],
    'github:owner/repo/commits/feat/x': [
      'feed',
      'https://github.com/owner/repo/commits/feat/x.atom',
      'T1',
      'editorial',
    ],
    'github:owner': ['feed', 'https://github.com/owner.atom', 'T1', 'editorial'],
    'arxiv:cs.CL': ['feed', 'https://rss.arxiv.org/rss/cs.CL', 'T1_5', 'editorial'],
    'arxiv:"test-time training"': [
      'feed',
      'https://export.arxiv.org/api/query?search_query=all:%22test-time%20training%22' +
        '&sortBy=submittedDate&sortOrder=descending&max_results=50',
      'T1_5',
      'editorial',
    ],
    'hn:frontpage': [
      'json-list',
      'https://hn.algolia.com/api/v1/search?tags=front_page&hitsPerPage=100',
      'T2',
      'signal',
    ],
    'hn:rust async>50': [
      'json-list',
      'https://hn.algolia.com/api/v1/search_by_date?tags=story&query=rust%20async' +
        '&numericFilters=points>50&hitsPerPage=100',
      'T2',
      'signal',
    ],
    'reddit:r/rust/top': ['feed', 'https://www.reddit.com/r/rust/top/.rss?t=day', 'T2', 'signal'],
    lobsters: ['feed', 'https://lobste.rs/rss', 'T2', 'signal'],
    'lobsters:ai': ['feed', 'https://lobste.rs/t/ai.rss', 'T2', 'signal'],
    'bluesky:name.example': [
      'feed',
      'https://bsky.app/profile/name.example/rss',
      'T2',
      'editorial',
    ],
    'mastodon:@a@host.example': ['feed', 'https://host.example/@a.rss', 'T2', 'editorial'],
    'mastodon:#tag@host.example': ['feed', 'https://host.example/tags/tag.rss', 'T2', 'editorial'],
    'telegram:channel': ['web-list', 'https://t.me/s/channel', 'T2', 'editorial'],
    'podcast:1234567890': [
      'lookup',
      'https://itunes.apple.com/lookup?id=1234567890&entity=podcast',
    ],
    'substack:name': ['feed', 'https://name.substack.com/feed', 'T2', 'editorial'],
    'medium:@name': ['feed', 'https://medium.com/feed/@name', 'T2', 'editorial'],
    'wordpress:blog.example': ['feed', 'https://blog.example/feed/', 'T2', 'editorial'],
    'pypi:torch': ['feed', 'https://pypi.org/rss/project/torch/releases.xml', 'T1', 'editorial'],
    'crates:tokio': ['feed', 'https://static.crates.io/rss/crates/tokio.xml', 'T1', 'editorial'],
    'steam:570': ['feed', 'https://store.steampowered.com/feeds/news/app/570/', 'T1', 'editorial'],
  };
  expect(
    Object.fromEntries(Object.keys(lines).map((line) => [line, abbreviateResult(line)])),
  ).toEqual(lines);
});

it('limits the request rate for Reddit and arXiv, as these services require', () => {
  const reddit = parseTemplate('reddit:r/rust', addresses);
  const arxiv = parseTemplate('arxiv:"x y"', addresses);
  expect(reddit).toMatchObject({ draft: { intervalMinutes: 60 } });
  expect(arxiv).toMatchObject({ draft: { settings: { gapSeconds: 3 } } });
});

it('rejects an argument in an unknown form and lists the known forms', () => {
  const lines = [
    'youtube:none',
    'github:a b',
    'arxiv:""',
    'hn:',
    'reddit:rust',
    'mastodon:@a@../etc',
    'telegram:a/b',
    'podcast:show',
    'substack:a/b',
    'pypi:a/b',
    'crates:1',
    'steam:x',
    'bluesky:name',
    'wordpress:-',
    'medium:a b',
    'lobsters:a b',
  ];
  for (const line of lines) {
    const parsed = parseTemplate(line, addresses);
    const name = line.split(':')[0] as keyof typeof sourceTemplates;
    expect([line, parsed]).toEqual([
      line,
      {
        kind: 'invalid',
        problem: {
          en: `must be one of: ${sourceTemplates[name].forms}`,
          'zh-CN': `须为以下形式之一：${sourceTemplates[name].forms}`,
        },
      },
    ]);
  }
});

it('returns `none` for an address and for an unknown template name', () => {
  for (const line of ['https://site.example/', 'site.example', 'x:from:handle', 'github']) {
    expect([line, parseTemplate(line, addresses)]).toEqual([line, { kind: 'none' }]);
  }
});

it('matches the generated schema of editorial/templates.json', () => {
  const stored = readFileSync('editorial/schemas/templates.schema.json', 'utf8');
  expect(JSON.parse(stored)).toEqual(templatesJsonSchema());
});
