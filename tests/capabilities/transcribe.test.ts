// The path from a link to a transcript, with the real ffmpeg and ffprobe. A program in place of
// yt-dlp fetches through the guarded proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTranscribe } from '../../src/gateway/capabilities/transcribe/transcribe.ts';
import {
  removeAbandonedFolders,
  withWorkFolder,
} from '../../src/gateway/capabilities/transcribe/work-folder.ts';
import { requireTool } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { openTestProviders, type TestProviders, testCall } from './test-providers.ts';

const ffmpeg = requireTool('ffmpeg');

let providers: TestProviders;
beforeAll(async () => {
  providers = await openTestProviders();
});
afterAll(() => providers.close());
beforeEach(() => {
  for (const server of Object.values(providers.upstream.servers)) server.setFault(null);
});

const douyin = (id: string) => `https://www.douyin.com/video/${id}`;
const shortVideo = '7412345678901234567';
const longVideo = '7412345678901234612';

const openTranscription = (changes: object = {}) =>
  openTranscribe(providers.world, providers.config(changes));
const workFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('radar-media-'));

async function transcribe(
  sentInput: object,
  capability = openTranscription(),
  call = testCall(providers.world),
) {
  const input = capability.input.parse(sentInput);
  capability.check?.(input);
  return { outcome: await capability.run(call.context, input), ...call };
}

const download = (changes: object) => ({
  download: { ...providers.upstream.config.download, ...changes },
});

describe.skipIf(ffmpeg.kind === 'missing')('a video', () => {
  test('of 61.2 seconds is measured, billed as 62 seconds, and transcribed', async () => {
    const { outcome, adjustedQuantities, progress } = await transcribe({ url: douyin(longVideo) });
    expect(outcome).toEqual({
      kind: 'done',
      quantity: 62,
      data: {
        text: expect.stringMatching(/^Welcome to the harbour\. Today .* at what did not\.$/),
        language: 'en',
        duration_seconds: expect.closeTo(61.2, 1),
        segments: [
          { start: 0, end: 1.1, text: 'Welcome to the harbour.' },
          { start: 1.1, end: 2.2, text: 'Today we look at what changed this week,' },
          { start: 2.2, end: expect.closeTo(3.3), text: 'and at what did not.' },
        ],
        title: `Demonstration ${longVideo}`,
      },
    });
    expect(adjustedQuantities).toEqual([62]);
    expect(progress).toEqual([0.3, 0.5]);
  });

  test('has subtitles on request', async () => {
    const { outcome } = await transcribe({ url: douyin(shortVideo), format: 'vtt' });
    expect(outcome).toMatchObject({
      data: { vtt: expect.stringMatching(/^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.100\nWelcome/) },
    });
  });

  test('is not sent to a speech provider when its measured price is not covered', async () => {
    const call = testCall(providers.world, { adjustHold: async () => 'insufficient' });
    const requestsBefore = providers.upstream.servers.openai.requests.length;
    const { outcome } = await transcribe({ url: douyin(longVideo) }, openTranscription(), call);
    expect(outcome).toEqual({ kind: 'insufficient' });
    expect(providers.upstream.servers.openai.requests).toHaveLength(requestsBefore);
  });

  test.each([
    ['that was deleted', '7412345678901230404', 'The post has no public media.'],
    ['that is live', '7412345678901230777', 'The video is live: it has no end yet.'],
  ])('%s is unavailable', async (_what, id, message) => {
    const { outcome } = await transcribe({ url: douyin(id) });
    expect(outcome).toMatchObject({ kind: 'failed', code: 'media_unavailable', message });
  });

  test('with a refused download is not reported as deleted, even with 404 in its id', async () => {
    const { outcome } = await transcribe({ url: douyin('7404404404404400403') });
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'upstream_error',
      internal: expect.stringContaining('not a bot'),
    });
  });

  test('of unknown length is measured', async () => {
    const { outcome } = await transcribe({ url: douyin('7412345678901230000') });
    expect(outcome).toMatchObject({ kind: 'done', quantity: 4 });
  });

  test('of exactly three seconds is billed as three seconds', async () => {
    const { outcome } = await transcribe({ url: douyin('7412345678901233000') });
    expect(outcome).toMatchObject({ kind: 'done', quantity: 3, data: { duration_seconds: 3 } });
  });

  test('that is too long or too large is unavailable', async () => {
    const tooLong = await transcribe(
      { url: douyin(longVideo) },
      openTranscription(download({ maxSeconds: 60 })),
    );
    expect(tooLong.outcome).toMatchObject({ code: 'media_unavailable' });
    const undeclaredLength = await transcribe(
      { url: douyin('7412345678901230000') },
      openTranscription(download({ maxSeconds: 2 })),
    );
    expect(undeclaredLength.outcome).toMatchObject({ code: 'media_unavailable' });
    const tooLarge = await transcribe(
      { url: douyin(shortVideo) },
      openTranscription(download({ maxBytes: 9_000 })),
    );
    expect(tooLarge.outcome).toMatchObject({
      code: 'media_unavailable',
      message: 'The media are larger than 0.009 MiB, or have no end.',
    });
  });

  test('in a private network is not downloaded, and the log has the cause', async () => {
    const { outcome } = await transcribe(
      { url: douyin(shortVideo) },
      openTranscription(download({ privateHosts: [] })),
    );
    expect(outcome).toMatchObject({
      code: 'upstream_error',
      internal: expect.stringContaining('is not a web port'),
    });
  });

  test('can be transcribed by a local program', async () => {
    const command = {
      kind: 'command',
      command: 'sh',
      args: [
        '-c',
        'test -s "$1" && echo \'{"text":"Heard.","language":"chinese","segments":[]}\'',
        ...['sh', '{audio}'],
      ],
    };
    // The provider returns no timestamps, so one subtitle spans the whole video.
    const input = { url: douyin(shortVideo), format: 'srt' };
    const { outcome } = await transcribe(input, openTranscription({ speech: [command] }));
    const srt = expect.stringMatching(/^1\n00:00:00,000 --> 00:00:03,\d{3}\nHeard\.\n$/);
    expect(outcome).toMatchObject({ data: { text: 'Heard.', language: 'zh', segments: [], srt } });
  });

  test.each([
    ['broken', 'upstream_error'],
    ['busy', 'capability_unavailable'],
    ['truncated', 'upstream_error'],
    ['changed', 'upstream_error'],
    ['locked', 'capability_unavailable'],
  ] as const)('is not transcribed by a provider that is %s: %s', async (fault, code) => {
    providers.upstream.servers.openai.setFault(fault);
    const { outcome } = await transcribe({ url: douyin(shortVideo) });
    expect(outcome).toMatchObject({ kind: 'failed', code });
  });

  test('leaves no file behind in any outcome', async () => {
    // A call of another test may run in the same folder, so the test waits for its end.
    await until(async () => (workFolders().length === 0 ? true : null));
  });
});

test.each(['https://example.com/video.mp4', 'file:///etc/passwd', 'https://x.com/tessarune'])(
  'refuses the link %s before any hold',
  (url) => {
    const capability = openTranscription();
    expect(() => capability.check?.(capability.input.parse({ url }))).toThrow(
      'url is no link to a post',
    );
  },
);

test('removes files of a killed process and keeps files of running processes', async () => {
  const file = join(
    import.meta.dirname,
    '../../src/gateway/capabilities/transcribe/work-folder.ts',
  );
  const program = `import { withWorkFolder } from ${JSON.stringify(file)};
    await withWorkFolder((folder) => new Promise(() => {
      console.log(folder);
      setInterval(() => {}, 1e6);
    }));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program]);
  const [firstLine] = await once(child.stdout, 'data');
  const folder = String(firstLine).trim();
  await withWorkFolder(async (workFolder) => {
    await removeAbandonedFolders();
    expect([existsSync(folder), existsSync(workFolder)]).toEqual([true, true]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await removeAbandonedFolders();
    expect([existsSync(folder), existsSync(workFolder)]).toEqual([false, true]);
  });
});

test('names missing programs and settings', async () => {
  expect(await openTranscription({ speech: [] }).missing()).toContain('providers.speech');
  const withoutPrograms = openTranscription(
    download({ command: 'no-such-yt-dlp', ffprobe: 'no-such-ffprobe' }),
  );
  expect(await withoutPrograms.missing()).toMatch(/^Transcription needs yt-dlp .*ffprobe/);
  expect(await openTranscription(download({ minVersion: '2099.01.01' })).missing()).toContain(
    'older than',
  );
});

test('the sandbox measures, bills and returns the requested outcome', async () => {
  const call = testCall(providers.world, { livemode: false });
  const url = douyin(shortVideo);
  expect(await openTranscription().sandbox(call.context, { url, format: 'srt' })).toMatchObject({
    kind: 'done',
    quantity: 62,
    data: { srt: expect.stringContaining('00:01:01,200') },
  });
  expect(call.adjustedQuantities).toEqual([62]);
  const badLink = 'https://www.douyin.com/video/sandbox:media_unavailable';
  expect(await openTranscription().sandbox(call.context, { url: badLink })).toMatchObject({
    code: 'media_unavailable',
  });
});
