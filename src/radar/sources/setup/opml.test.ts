import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { parseSourceDefinition, type SourceDefinition } from '../source-settings.ts';
import { readOpml } from './read-opml.ts';
import { writeOpml } from './write-opml.ts';

const encodeText = (text: string) => new TextEncoder().encode(text);
const opmlOf = (body: string) => `<?xml version="1.0"?>\n<opml version="2.0">\n${body}\n</opml>`;
const feedOutline = (name: string, url: string) =>
  `<outline text="${name}" type="rss" xmlUrl="${url}"/>`;

describe('an OPML file', () => {
  it('yields its feeds with their folders, names and lines', () => {
    const parsed = readOpml(
      encodeText(
        opmlOf(`<head><title>x</title></head><body>
<outline text="News"><outline title="Inner">
${feedOutline('A &amp; B', 'https://a.example/feed')}
</outline></outline>
<!-- <outline xmlUrl="https://comment.example/"/> -->
<outline title="B" type="RSS" xmlUrl=" https://b.example/rss " language="zh-CN"/>
<outline xmlUrl="https://c.example/rss"/>
</body>`),
      ),
    );
    expect(parsed).toEqual({
      kind: 'read',
      outlines: [
        {
          line: 5,
          folder: 'News / Inner',
          name: 'A & B',
          url: 'https://a.example/feed',
          language: null,
        },
        { line: 8, folder: '', name: 'B', url: 'https://b.example/rss', language: 'zh-CN' },
        { line: 9, folder: '', name: 'c.example', url: 'https://c.example/rss', language: null },
      ],
      problems: [],
    });
  });

  it('may have a byte order mark or another encoding', () => {
    const text = opmlOf(`<body>${feedOutline('机器之心', 'https://a.example/feed')}</body>`);
    const gbk = iconv.encode(text.replace('?>', ' encoding="GBK"?>'), 'gbk');
    for (const file of [encodeText(`\ufeff${text}`), gbk]) {
      expect(readOpml(file)).toMatchObject({ outlines: [{ name: '机器之心' }] });
    }
  });

  it('reports each outline that is not read, with its line', () => {
    const parsed = readOpml(
      encodeText(
        opmlOf(`<body>
<outline type="include" url="https://a.example/other.opml"/>
${feedOutline('File', 'file:///etc/passwd')}
<outline text="Link" type="link" xmlUrl="https://a.example/"/>
<outline text="Broken" radar:definition="{"/>
<outline text="None" type="rss"/>
</body>`),
      ),
    );
    expect(parsed).toMatchObject({
      outlines: [],
      problems: [
        {
          line: 4,
          name: '',
          url: 'https://a.example/other.opml',
          problem: { en: 'an included file is not read' },
        },
        {
          line: 5,
          name: 'File',
          url: 'file:///etc/passwd',
          problem: { en: 'xmlUrl must be an absolute http or https address' },
        },
        { line: 6, problem: { en: 'the type is not rss' } },
        { line: 7, problem: { en: 'radar:definition is not JSON' } },
        { line: 8, problem: { en: 'xmlUrl must be an absolute http or https address' } },
      ],
    });
  });

  it('is rejected as a whole when it is hostile or not OPML', () => {
    const manyOutlines = Array.from({ length: 3_000 }, (_, index) =>
      feedOutline(`${index}`, `https://a.example/${index}`),
    );
    const entity = '<!DOCTYPE opml [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n';
    const files: readonly (readonly [string, string, number])[] = [
      [
        opmlOf(`<body>${manyOutlines.join('\n')}</body>`),
        'the file has more than 2000 outlines',
        2003,
      ],
      [
        opmlOf('<body/>').replace('<opml', `${entity}<opml`),
        'document types and entities are not supported',
        2,
      ],
      [opmlOf('<head/>'), 'the file has no body', 1],
      [opmlOf('<body/>'), 'the file has no complete outline with an xmlUrl', 1],
      ['<html><body/></html>', 'the file is not OPML', 1],
      ['', 'the file is not OPML', 1],
      [
        opmlOf(`<body>${'<outline text="x">'.repeat(21)}</body>`),
        'outlines are nested more than 20 deep',
        3,
      ],
      [opmlOf(`<body>${' '.repeat(1024 * 1024)}</body>`), 'the file has more than 1 MiB', 1],
    ];
    for (const [file, problem, line] of files) {
      expect(readOpml(encodeText(file))).toMatchObject({
        kind: 'invalid',
        problem: { line, problem: { en: problem } },
      });
    }
  });

  // A scan that restarts at each mark would take minutes.
  it('is read in linear time', () => {
    for (const part of ['<!--', '<![CDATA[]]>', '<outline ', '&amp;', '<!-- -->']) {
      const startedAt = performance.now();
      readOpml(
        encodeText(opmlOf(`<body>${part.repeat(Math.floor(900_000 / part.length))}</body>`)),
      );
      expect([part, performance.now() - startedAt < 20_000]).toEqual([part, true]);
    }
  });
});

const commonFields = {
  owner: 'A & "B"',
  tier: 'T1_5',
  language: 'zh-CN',
  intervalMinutes: 45,
  participation: 'signal',
} as const;

const sources: readonly SourceDefinition[] = [
  {
    ...commonFields,
    id: 'a',
    name: 'A <b>',
    kind: 'feed',
    settings: { url: 'https://a.example/?a=1&b' },
  },
  {
    ...commonFields,
    id: 'b',
    name: 'B',
    kind: 'web-list',
    categoryHint: 'tip',
    settings: { url: 'https://b.example/', item: 'a[href^="/x"]' },
  },
  { ...commonFields, id: 'c', name: 'C', kind: 'push', settings: {} },
];

describe('an exported file', () => {
  it('is imported without loss', () => {
    const { text, omittedIds } = writeOpml('Radar', sources, 0);
    const opml = readOpml(encodeText(text));
    expect(omittedIds).toEqual([]);
    expect(
      opml.kind === 'read' &&
        opml.outlines.map(({ definition }) => parseSourceDefinition(definition)),
    ).toEqual(sources.map((source) => ({ kind: 'source', source })));
  });

  it('holds feeds that every reader can import, and neither keys nor private hosts', () => {
    const secret: SourceDefinition = {
      ...commonFields,
      id: 'd',
      name: 'D',
      kind: 'feed',
      settings: { url: 'https://d.example/feed?api_key=s3cr3t' },
    };
    const publicSource: SourceDefinition = {
      ...commonFields,
      id: 'e',
      name: 'E',
      kind: 'feed',
      privateHosts: ['10.0.0.1'],
      settings: { url: 'https://e.example/feed' },
    };
    const { text, omittedIds } = writeOpml('Radar', [secret, publicSource], 0);
    expect(omittedIds).toEqual(['d']);
    expect(text).toContain('type="rss" xmlUrl="https://e.example/feed"');
    expect(text).not.toContain('s3cr3t');
    expect(text).not.toContain('10.0.0.1');
  });
});
