// The demonstration for a newcomer: started, read by a client, stopped, started again, killed,
// started again. It uses a smaller world and half a day of the past.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyMirror, step } from '../../examples/mirror.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryDataDir } from '../support/radar-process.ts';
import { requireTool } from '../support/tools.ts';
import { followSkill, type SkillKeys } from './follow-skill.ts';

const root = join(import.meta.dirname, '../..');
const NOW = '2026-08-22T12:00:00Z';
const data = temporaryDataDir();
const ffmpeg = requireTool('ffmpeg');

// Known ports: the radar's guide for agents has the addresses of the gateway and the relay.
const portNames = ['RADAR_PORT', 'GATEWAY_PORT', 'RELAY_PORT'];
const ports: Record<string, string> = {};
for (const name of portNames) ports[name] = String(await freePort());

async function startDemo() {
  const args = ['demo/main.ts', '--now', NOW, '--items', '600', '--days', '0.5', '--data', data];
  const { PATH, HOME } = process.env;
  const child = spawn(join(root, 'bin/node24'), args, {
    cwd: root,
    env: { PATH, HOME, ...ports },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let text = '';
  child.stderr.on('data', (bytes) => {
    text += bytes;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    ended.then((code) => reject(new Error(`the demo ended with ${code}: ${text}`)));
  });
  const url = /Radar\s+(http:\/\/[^/\s]+)/.exec(text)?.[1] ?? '';
  return {
    url,
    imageUrl: /OCR example\s+(\S+)/.exec(text)?.[1] ?? '',
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

type Item = { id: string; title: string; language: string; links: { original: string } };

async function items(url: string, query: string): Promise<Item[]> {
  const response = await fetch(`${url}/api/v1/items?limit=100&${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: Item[] }).items;
}

/** Requests of a client that explores: both languages, search, the selected set as a mirror. */
async function exploreDemo(url: string) {
  const all = await items(url, 'mode=all');
  const selected = await items(url, 'mode=selected');
  const mirror = emptyMirror();
  while (!(await step(url, mirror)).isCurrent);
  expect(Object.keys(mirror.items)).toEqual(expect.arrayContaining(selected.map((i) => i.id)));
  // The default question of three clients, and of the guide for agents.
  expect((await items(url, 'mode=selected&window=24h')).length).toBeGreaterThan(0);
  const skill = await fetch(`${url}/SKILL.md`);
  expect(await skill.text()).not.toMatch(/\{\w+_url\}/);
  const [word = ''] = /\p{L}{4,}/u.exec(selected[0]?.title ?? '') ?? [];
  const found = await items(url, `mode=all&q=${encodeURIComponent(word)}`);
  expect(found.map((item) => item.id)).toContain(selected[0]?.id);
  return {
    all: all.length,
    languages: [...new Set(all.map((item) => item.language))].sort(),
    titles: new Set(selected.map((item) => item.title)),
  };
}

test('serves after a start, a stop and a kill -9', async () => {
  const first = await startDemo();
  const pages = await exploreDemo(first.url);
  expect(pages.all).toBe(100);
  expect(pages.languages).toEqual(['en', 'zh']);
  expect(pages.titles.size).toBeGreaterThan(3);
  const keys = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as SkillKeys;
  const requests = await followSkill(first.url, keys, {
    postUrl: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
    videoUrl: ffmpeg.kind === 'found' ? 'https://www.douyin.com/video/7412345678901234612' : null,
    imageUrl: first.imageUrl,
  });
  expect(requests.length).toBeGreaterThan(30);
  expect(await first.end('SIGTERM')).toBe(0);

  const second = await startDemo();
  expect((await exploreDemo(second.url)).titles).toEqual(pages.titles);
  await second.end('SIGKILL');

  const third = await startDemo();
  expect((await exploreDemo(third.url)).titles).toEqual(pages.titles);
  expect(await third.end('SIGTERM')).toBe(0);
});
