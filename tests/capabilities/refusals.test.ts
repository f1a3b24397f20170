// The error messages for invalid input of each capability.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Capability } from '../../src/gateway/capabilities/capability.ts';
import { openSvcImage } from '../../src/gateway/capabilities/image/svc-image.ts';
import { openOcr } from '../../src/gateway/capabilities/ocr/ocr.ts';
import { openSearch } from '../../src/gateway/capabilities/search/search.ts';
import { openSocial } from '../../src/gateway/capabilities/social/social.ts';
import { openTranscribe } from '../../src/gateway/capabilities/transcribe/transcribe.ts';
import { problemsOf } from '../../src/kernel/errors/describe-issue.ts';
import { openTestProviders, type TestProviders } from './test-providers.ts';

let providers: TestProviders;
let inputs: Readonly<Record<string, Capability['input']>>;

beforeAll(async () => {
  providers = await openTestProviders();
  const { world } = providers;
  const config = providers.config();
  const media = { store: async () => ({ url: '', mimeType: '' }) } as never;
  inputs = {
    social: openSocial(world, config).input,
    transcribe: openTranscribe(world, config).input,
    ocr: openOcr(world, config.ocr).input,
    'svc-image': openSvcImage(world, config.image, media).input,
    search: openSearch(world, config.search, () => null).input,
  };
});
afterAll(() => providers.close());

const search = { platform: 'youtube', action: 'search' };
const noAction = 'action must be one of content, search';

test.each<[string, object, readonly string[]]>([
  ['social', {}, [noAction, 'platform is required', 'params is required']],
  ['social', { ...search }, ['params is required']],
  ['social', { ...search, params: {} }, ['params.keyword is required']],
  [
    'social',
    { ...search, action: 'content', params: { url: '' } },
    ['params.url must not be empty'],
  ],
  [
    'social',
    { ...search, params: { keyword: 'x', limit: 51 } },
    ['params.limit must be at most 50'],
  ],
  [
    'social',
    { ...search, params: { keyword: 'x', limit: '5' } },
    ['params.limit must be a number'],
  ],
  ['transcribe', { url: 'x', format: 'txt' }, ['format must be one of srt, vtt']],
  ['ocr', { image_urls: ['x'] }, ['image_urls[0] must be an absolute http or https address']],
  ['ocr', { image_urls: [] }, ['image_urls must have at least 1 entry']],
  [
    'svc-image',
    { prompt: 1, aspect_ratio: 1 },
    ['prompt must be text', 'aspect_ratio must be text'],
  ],
  ['search', { q: 'x', limit: 'x' }, ['limit must be a whole number from 1 to 20']],
  [
    'search',
    { limit: '21', no: 1 },
    ['no is not known here', 'q is required', 'limit must be a whole number from 1 to 20'],
  ],
])('%s names the problems of %j', (id, value, expected) => {
  const schema = inputs[id];
  if (schema === undefined) throw new Error(id);
  const fieldProblems = problemsOf(schema, value).map(
    ({ field, message }) => `${field} ${message}`,
  );
  expect(fieldProblems.toSorted()).toEqual(expected.toSorted());
});
