// Mutated feeds of the corpus. For any bytes, the parser throws nothing, returns the documented
// shape, and takes time in proportion to the number of bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Random, seededRandom } from '../../src/kernel/crypto/random.ts';
import { readFeed } from '../../src/radar/sources/parse/feed/read-feed.ts';
import { proofSeed, proofSize } from '../support/proof-size.ts';

const corpus = new URL('../corpus/feeds/', import.meta.url);
const originalFeeds: readonly Uint8Array[] = readdirSync(corpus)
  .filter((name) => name !== 'expected.json')
  .map((name) => readFileSync(new URL(name, corpus)));

// biome-ignore lint/suspicious/noControlCharactersInRegex: no text may contain them
const forbiddenCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\p{Surrogate}/u;
const text = z
  .string()
  .min(1)
  .refine((value) => !forbiddenCharacters.test(value) && value === value.normalize('NFC'));
const line = text.refine((value) => value === value.trim() && !/[\r\n\t]/.test(value));
const time = z.iso.datetime({ precision: 3 });
const entry = z.strictObject({
  id: z.string().min(1).nullable(),
  url: z
    .string()
    .refine((value) => /^https?:\/\//i.test(value) && URL.canParse(value))
    .nullable(),
  title: line.nullable(),
  summary: text.nullable(),
  content: text.nullable(),
  author: line.nullable(),
  publishedAt: time.nullable(),
  updatedAt: time.nullable(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/)
    .nullable(),
});
const warningShape = z.strictObject({ code: z.string(), values: z.array(z.string()) });
const resultShape = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('read'),
    encoding: z.string(),
    feed: z.strictObject({
      format: z.enum(['rss', 'rdf', 'atom', 'json']),
      title: line.nullable(),
      entries: z.array(entry),
      warnings: z.array(warningShape),
    }),
  }),
  z.strictObject({
    kind: z.literal('not_a_feed'),
    warning: warningShape,
    feeds: z.array(z.string()),
  }),
]);

type Mutation = (bytes: Uint8Array, random: Random) => Uint8Array;

const randomBelow = (random: Random, end: number) => Math.floor(random.next() * end);
const pickOne = <T>(random: Random, from: readonly T[]): T => {
  const picked = from[randomBelow(random, from.length)];
  if (picked === undefined) throw new Error('nothing to pick from');
  return picked;
};
const concat = (...parts: readonly Uint8Array[]) => Buffer.concat(parts);
const contentTypes = [
  null,
  null,
  'text/xml',
  'application/rss+xml; charset=utf-16',
  'x; charset=gbk',
];

/**
 * Fragments that break parsers: unfinished markup, references, byte order marks, escapes of other
 * encodings.
 */
const fragments = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '<!DOCTYPE [',
  ']>',

  '&#x0;',
  '&#55296;',
  '&amp;amp;',
  '&#1114112;',
  '\u0000',
  '\ufeff',
  '\ud800',
  '=',
  '{',
  ']',
  '\\',

  '<item>',
  '</item>',
  '<entry>',
  '</channel>',
  '<title>',
  '<link/>',
  ' xml:base="//"',
  ' xmlns=""',

  ' xml:lang="x"',
  ' type="html"',
  ' type="image/png"',
  ' mode="base64"',
  '\u001b$B',
  '~{',
  '2004-',
  '9'.repeat(40),
  '<a '.repeat(30),
  '<b>'.repeat(300),
  '&lt;script>',
  'encoding="utf-7"',
].map((fragment) => Buffer.from(fragment, 'utf8'));

const tagAt = (bytes: Uint8Array, random: Random): readonly [number, number] => {
  const start = bytes.indexOf(0x3c, randomBelow(random, bytes.length + 1));
  const end = start < 0 ? -1 : bytes.indexOf(0x3e, start);
  return end < 0 ? [0, 0] : [start, end + 1];
};

const mutations: readonly Mutation[] = [
  function flipBytes(bytes, random) {
    const copy = Uint8Array.from(bytes);
    for (let count = 1 + randomBelow(random, 12); count > 0; count -= 1) {
      copy[randomBelow(random, copy.length)] = randomBelow(random, 256);
    }
    return copy;
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, randomBelow(random, bytes.length + 1));
  },
  function dropBeginning(bytes, random) {
    return bytes.subarray(randomBelow(random, bytes.length));
  },
  function splice(bytes, random) {
    const other = pickOne(random, originalFeeds);
    return concat(
      bytes.subarray(0, randomBelow(random, bytes.length)),
      other.subarray(randomBelow(random, other.length)),
    );
  },
  function duplicate(bytes, random) {
    const from = randomBelow(random, bytes.length);
    const run = bytes.subarray(from, from + randomBelow(random, 200));
    const copies = Array.from({ length: 1 + randomBelow(random, 20) }, () => run);
    return concat(bytes.subarray(0, from), ...copies, bytes.subarray(from));
  },
  function insertFragment(bytes, random) {
    const at = randomBelow(random, bytes.length + 1);
    return concat(bytes.subarray(0, at), pickOne(random, fragments), bytes.subarray(at));
  },
  function removeRun(bytes, random) {
    const from = randomBelow(random, bytes.length);
    return concat(bytes.subarray(0, from), bytes.subarray(from + randomBelow(random, 60)));
  },
  function swapTags(bytes, random) {
    const [one, other] = [tagAt(bytes, random), tagAt(bytes, random)];
    const [first, second] = one[0] <= other[0] ? [one, other] : [other, one];
    if (second[0] < first[1]) return bytes;
    return concat(
      bytes.subarray(0, first[0]),
      bytes.subarray(...second),
      bytes.subarray(first[1], second[0]),
      bytes.subarray(...first),
      bytes.subarray(second[1]),
    );
  },
];

test('a mutated feed is parsed or refused without an exception', { timeout: 6 * 3_600_000 }, () => {
  const size = proofSize(20_000, 1_000_000);
  const seed = proofSeed();
  process.stdout.write(`mutated feeds: ${size} inputs, seed ${seed}\n`);
  const random = seededRandom(seed);
  let readCount = 0;
  for (let round = 0; round < size; round += 1) {
    let bytes = pickOne(random, originalFeeds);
    for (let count = 1 + randomBelow(random, 4); count > 0; count -= 1) {
      if (bytes.length > 0) bytes = pickOne(random, mutations)(bytes, random);
    }
    const url = random.next() < 0.5 ? null : 'https://fuzz.example/feed';
    const result = readFeed(bytes, { url, contentType: pickOne(random, contentTypes) });
    const checked = resultShape.safeParse(result);
    if (!checked.success) {
      const input = Buffer.from(bytes).toString('base64');
      expect.fail(`seed ${seed}, round ${round}: ${checked.error.message}\n${input}`);
    }
    if (result.kind === 'read') readCount += 1;
  }
  // Most mutated feeds are still feeds; a parser that refuses all feeds must fail this test.
  expect(readCount / size).toBeGreaterThan(0.5);
});
