// Images and videos from prompts, over real HTTP: sizes, both forms of results, and every failure.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jsonReply, openServer } from '../../demo/upstream/server.ts';
import { sampleImage } from '../../src/gateway/capabilities/image/sample-image.ts';
import { openSvcImage } from '../../src/gateway/capabilities/image/svc-image.ts';
import type { MediaStore } from '../../src/gateway/capabilities/media/media-store.ts';
import { openMediaStore } from '../../src/gateway/capabilities/media/open-media-store.ts';
import { openSvcVideo, openVideo } from '../../src/gateway/capabilities/video/svc-video.ts';
import type { VideoProvider } from '../../src/gateway/capabilities/video/video-provider.ts';
import { lengthFor } from '../../src/gateway/capabilities/video/video-provider.ts';
import { requirePresent } from '../../src/kernel/errors/assert.ts';
import { replayClock } from '../../src/kernel/time/clock.ts';
import { dataOf, openTestProviders, type TestProviders, testCall } from './test-providers.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'radar-made-'));
let providers: TestProviders;
let media: MediaStore;
beforeAll(async () => {
  providers = await openTestProviders();
  const storeOptions = { dataDir, siteUrl: () => 'http://127.0.0.1:4100' };
  media = openMediaStore(providers.world, { kind: 'folder' }, storeOptions);
});
afterAll(async () => {
  await providers.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  for (const server of Object.values(providers.upstream.servers)) server.setFault(null);
});

describe('an image', () => {
  const generateImage = async (input: object) => {
    const image = openSvcImage(providers.world, providers.config().image, media);
    return image.run(testCall(providers.world).context, image.input.parse(input));
  };

  test('has the nearest size and a link for one day', async () => {
    const outcome = await generateImage({ prompt: 'A quiet harbour', aspect_ratio: '16:9' });
    expect(outcome).toEqual({
      kind: 'done',
      quantity: 1,
      data: {
        images: [
          {
            url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/media\/[\w-]{34,}$/),
            mime_type: 'image/png',
            width: 1536,
            height: 1024,
          },
        ],
        revised_prompt: 'A quiet harbour, as a line drawing',
        notes: [
          'The image is 1536x1024: the provider does not support 16:9, ' +
            'and this is its nearest size.',
        ],
      },
    });
    const { url } = (dataOf(outcome).images as { url: string }[])[0] ?? { url: '' };
    expect(await media.find(url.replace(/^.*\//, ''))).toMatchObject({ mimeType: 'image/png' });
  });

  test.each(['1:1', '3:2', '2:3'])('from %s has the requested ratio and no note', async (ratio) => {
    const outcome = await generateImage({ prompt: 'A quiet harbour', aspect_ratio: ratio });
    expect(Object.keys(dataOf(outcome))).toEqual(['images', 'revised_prompt']);
  });

  test('given by address is downloaded at once', async () => {
    expect(await generateImage({ prompt: 'A harbour by address' })).toMatchObject({
      data: { images: [{ width: 1024, height: 1024 }] },
    });
  });

  test('given by address beside an empty b64_json is downloaded too', async () => {
    const image = Buffer.from(sampleImage());
    const server = await openServer(({ path }) =>
      path === '/1.png'
        ? { status: 200, headers: { 'content-type': 'image/png' }, body: image }
        : jsonReply({ data: [{ b64_json: '', url: `${server.url}/1.png`, revised_prompt: null }] }),
    );
    const [imageProvider] = providers.config().image;
    const capability = openSvcImage(
      providers.world,
      [{ ...requirePresent(imageProvider, 'image'), url: server.url }],
      media,
    );
    const input = capability.input.parse({ prompt: 'A harbour' });
    expect(await capability.run(testCall(providers.world).context, input)).toMatchObject({
      data: { images: [{ mime_type: 'image/png', width: 64, height: 64 }], revised_prompt: null },
    });
    await server.close();
  });

  test.each([
    ['A harbour by address, expired', 'upstream_error', "the result's address answered 403"],
    ['no image', 'upstream_error', 'the result is no PNG, JPEG or WebP'],
    ['something forbidden', 'upstream_error', 'moderation_blocked'],
  ])('from the prompt %s fails with %s', async (prompt, code, internal) => {
    expect(await generateImage({ prompt })).toMatchObject({
      kind: 'failed',
      code,
      internal: expect.stringContaining(internal),
    });
  });

  test.each([
    ['broken', 'upstream_error'],
    ['busy', 'capability_unavailable'],
    ['locked', 'capability_unavailable'],
    ['truncated', 'upstream_error'],
    ['changed', 'upstream_error'],
  ] as const)('from a provider that is %s fails with %s', async (fault, code) => {
    providers.upstream.servers.openai.setFault(fault);
    const { length } = providers.upstream.servers.openai.requests;
    expect(await generateImage({ prompt: 'A harbour' })).toMatchObject({ kind: 'failed', code });
    // The request is sent only once, because generation is expensive.
    expect(providers.upstream.servers.openai.requests).toHaveLength(length + 1);
  });

  test.each([
    [{ prompt: '' }],
    [{ prompt: 'x'.repeat(4001) }],
    [{ prompt: 'x', aspect_ratio: '5:1' }],
    [{ prompt: 'x', size: '1024x1024' }],
  ])('request %o is refused', (input) => {
    const image = openSvcImage(providers.world, providers.config().image, media);
    expect(image.input.safeParse(input).success).toBe(false);
  });

  test('prompt of 4000 code points is accepted', () => {
    const image = openSvcImage(providers.world, providers.config().image, media);
    expect(image.input.safeParse({ prompt: '🦀'.repeat(4000) }).success).toBe(true);
  });

  test('of the sandbox is an image file', async () => {
    const noProvider = openSvcImage(providers.world, [], media);
    expect(await noProvider.missing()).toBe('Text to image needs an entry in providers.image.');
    const { context } = testCall(providers.world, { livemode: false });
    const input = { prompt: 'anything', aspect_ratio: '1:1' };
    expect(await noProvider.sandbox(context, input)).toMatchObject({
      data: { images: [{ mime_type: 'image/png', width: 64, height: 64 }] },
    });
    expect(await noProvider.sandbox(context, { ...input, aspect_ratio: '16:9' })).toMatchObject({
      data: { images: [{ width: 64, height: 36 }] },
    });
    expect(
      await noProvider.sandbox(context, { ...input, prompt: 'sandbox:upstream_error' }),
    ).toMatchObject({
      code: 'upstream_error',
    });
  });
});

const { signal } = new AbortController();

describe.each([
  ['openai', 0],
  ['ark', 1],
] as const)('a video by a provider of kind %s', (kind, index) => {
  const provider = (): VideoProvider => {
    return requirePresent(openVideo(providers.world, providers.config().video)[index], kind);
  };
  const submitVideo = async (videoProvider: VideoProvider, prompt: string) => {
    const submission = await videoProvider.submit(signal, {
      prompt,
      seconds: 5,
      idempotencyKey: 'req_1',
    });
    if (submission.kind === 'failed') throw new Error(JSON.stringify(submission));
    return submission.taskId;
  };

  test('is requested, queued, processed and returned as an MP4', async () => {
    const videoProvider = provider();
    const taskId = await submitVideo(videoProvider, 'Waves');
    const states: string[] = [];
    let state = await videoProvider.poll(signal, taskId);
    while (state.kind === 'queued' || state.kind === 'running') {
      states.push(state.kind);
      state = await videoProvider.poll(signal, taskId);
    }
    expect(states).toEqual(['queued', 'running']);
    const contentUrl = state.kind === 'succeeded' ? state.contentUrl : null;
    expect(state.kind).toBe('succeeded');
    const video = await videoProvider.content(signal, { taskId, contentUrl });
    expect(video).toMatchObject({ kind: 'video' });
    if (video.kind === 'video')
      expect(Buffer.from(video.bytes).toString('latin1', 4, 8)).toBe('ftyp');
  });

  test('treats flags in the prompt as text', async () => {
    // The server of the test refuses a request of the kind `ark` with a second flag.
    expect(await submitVideo(provider(), 'Waves --dur 30 --wm false')).toEqual(expect.any(String));
  });

  test('is canceled while it is queued', async () => {
    const videoProvider = provider();
    const taskId = await submitVideo(videoProvider, 'Waves, not wanted');
    expect(await videoProvider.cancel(signal, taskId)).toEqual({ kind: 'canceled' });
    const statusAfter = await videoProvider.poll(signal, taskId);
    expect(statusAfter.kind).toBe(kind === 'ark' ? 'canceled' : 'unknown');
  });

  test('with an unknown id is not found', async () => {
    expect(await provider().poll(signal, 'no-such-task')).toEqual({ kind: 'unknown' });
  });

  test('with a changed response format names the field', async () => {
    const videoProvider = provider();
    const taskId = await submitVideo(videoProvider, 'Waves again');
    providers.upstream.servers[kind].setFault('changed');
    expect(await videoProvider.poll(signal, taskId)).toMatchObject({
      code: 'upstream_error',
      internal: expect.stringMatching(/field (?:id|status)/),
    });
  });
});

describe('a video for a waiting caller', () => {
  const makeVideo = async (prompt: string, seconds = 4, config = providers.config().video) => {
    const video = openSvcVideo(openVideo(providers.world, config), media);
    // The pauses between two polls are a hundred times shorter; requests take real time.
    const clock = replayClock(providers.world.clock.now());
    clock.run(100);
    const call = testCall({ ...providers.world, clock });
    const outcome = await video.run(call.context, video.input.parse({ prompt, seconds }));
    return { outcome, ...call };
  };

  test('stores the video with its size and length', async () => {
    const { outcome, progress } = await makeVideo('Waves at dawn');
    expect(outcome).toEqual({
      kind: 'done',
      quantity: 1,
      data: {
        videos: [
          {
            url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4100\/media\//),
            mime_type: 'video/mp4',
            width: 320,
            height: 180,
            duration_seconds: 4,
          },
        ],
      },
    });
    expect(progress).toEqual([0.6]);
  });

  test.each([
    ['openai', 9, 12],
    ['ark', 9, 10],
  ])(
    'of %s reports a length that differs from the request',
    async (kind, seconds, actualSeconds) => {
      const config = providers
        .config()
        .video.filter((providerConfig) => providerConfig.kind === kind);
      const { outcome } = await makeVideo(`Waves at noon by ${kind}`, seconds, config);
      expect(dataOf(outcome)).toMatchObject({
        videos: [{ duration_seconds: actualSeconds }],
        notes: [
          `The video has ${actualSeconds} s: the provider does not support ${seconds} s, ` +
            'and this is its nearest length.',
        ],
      });
    },
  );

  test('fails when the provider refuses', async () => {
    const { outcome } = await makeVideo('upstream-refused waves');
    expect(outcome).toMatchObject({
      code: 'upstream_error',
      message: 'The provider could not make this video.',
      internal: expect.stringContaining('moderation_blocked'),
    });
  });

  test('uses the next provider when the first cannot start', async () => {
    providers.upstream.servers.openai.setFault('locked');
    const { outcome } = await makeVideo('Waves by the other');
    expect(outcome).toMatchObject({ kind: 'done' });
  });
});

test('chooses the next longer length that the model supports', () => {
  const lengths = [1, 4, 5, 12, 30].map((seconds) => lengthFor(seconds, [8, 4, 12]));
  expect(lengths).toEqual([4, 4, 8, 12, 12]);
});
