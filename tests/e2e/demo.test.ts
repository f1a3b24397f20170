// The demonstration as a new user runs it: started, read by a client, stopped, started again,
// killed, and started again. The test uses a smaller world and a past of half a day.
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
const dataDir = temporaryDataDir();
const ffmpeg = requireTool('ffmpeg');

// The ports are fixed, because the radar's guide for agents contains the addresses of the gateway
// and the relay.
const portNames = ['RADAR_PORT', 'GATEWAY_PORT', 'RELAY_PORT'];
const ports: Record<string, string> = {};
for (const name of portNames) ports[name] = String(await freePort());

async function startDemo() {
  const args = ['demo/main.ts', '--now', NOW, '--items', '600', '--days', '0.5', '--data', dataDir];
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
  const exitPromise = new Promise<number | null>((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (bytes) => {
      text += bytes;
      if (text.includes('Ready.')) resolve();
    });
    exitPromise.then((code) => reject(new Error(`the demo ended with ${code}: ${text}`)));
  });
  const url = /Radar\s+(http:\/\/[^/\s]+)/.exec(text)?.[1] ?? '';
  return {
    url,
    imageUrl: /OCR example\s+(\S+)/.exec(text)?.[1] ?? '',
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return exitPromise;
    },
  };
}

type Item = { id: string; title: string; language: string; links: { original: string } };

async function readItems(url: string, query: string): Promise<Item[]> {
  const response = await fetch(`${url}/api/v1/items?limit=100&${query}`);
  expect(response.status).toBe(200);
  return ((await response.json()) as { items: Item[] }).items;
}

/**
 * Sends the requests of a client that explores: lists of items, a search, and a copy of the
 * selected set.
 */
async function exploreDemo(url: string) {
  const allItems = await readItems(url, 'mode=all');
  const selectedItems = await readItems(url, 'mode=selected');
  const mirror = emptyMirror();
  while (!(await step(url, mirror)).isCurrent);
  expect(Object.keys(mirror.items)).toEqual(
    expect.arrayContaining(selectedItems.map((item) => item.id)),
  );
  // The default query of three clients and of the guide for agents must return items.
  expect((await readItems(url, 'mode=selected&window=24h')).length).toBeGreaterThan(0);
  const skill = await fetch(`${url}/SKILL.md`);
  expect(await skill.text()).not.toMatch(/\{\w+_url\}/);
  const [word = ''] = /\p{L}{4,}/u.exec(selectedItems[0]?.title ?? '') ?? [];
  const foundItems = await readItems(url, `mode=all&q=${encodeURIComponent(word)}`);
  expect(foundItems.map((item) => item.id)).toContain(selectedItems[0]?.id);
  return {
    all: allItems.length,
    languages: [...new Set(allItems.map((item) => item.language))].sort(),
    titles: new Set(selectedItems.map((item) => item.title)),
  };
}

test('serves after a start, a stop and a kill -9', async () => {
  const firstRun = await startDemo();
  const firstVisit = await exploreDemo(firstRun.url);
  expect(firstVisit.all).toBe(100);
  expect(firstVisit.languages).toEqual(['en', 'zh']);
  expect(firstVisit.titles.size).toBeGreaterThan(3);
  const keys = JSON.parse(readFileSync(join(dataDir, 'first-run.json'), 'utf8')) as SkillKeys;
  const requests = await followSkill(firstRun.url, keys, {
    postUrl: 'https://www.youtube.com/watch?v=jNQXAC9IVRw',
    videoUrl: ffmpeg.kind === 'found' ? 'https://www.douyin.com/video/7412345678901234612' : null,
    imageUrl: firstRun.imageUrl,
  });
  expect(requests.length).toBeGreaterThan(30);
  expect(await firstRun.end('SIGTERM')).toBe(0);

  const secondRun = await startDemo();
  expect((await exploreDemo(secondRun.url)).titles).toEqual(firstVisit.titles);
  await secondRun.end('SIGKILL');

  const thirdRun = await startDemo();
  expect((await exploreDemo(thirdRun.url)).titles).toEqual(firstVisit.titles);
  expect(await thirdRun.end('SIGTERM')).toBe(0);
});
