// Large stories must stay one event. The generated news has companies and islands with a series of
// events. Many sources report each event, in two languages and in any order.
import { expect, test } from 'vitest';
import { seededRandom } from '../../../kernel/crypto/random.ts';
import { HOUR_MS } from '../../../kernel/time/durations.ts';
import { assignAll } from '../evaluation/assign-all.ts';
import { readStoryRules } from '../rules/read-story-rules.ts';
import { openEngine } from './engine.ts';
import type { StoryItem } from './story-item.ts';

const rules = await readStoryRules('editorial');

type TestEvent = { readonly titles: readonly string[]; readonly lead: string };

const storylines: readonly (readonly TestEvent[])[] = [
  [
    {
      titles: [
        'Halden Labs releases Orrin 7, a language model with open weights',
        'Orrin 7 is out: Halden Labs opens the weights of its language model',
        'Halden Labs 发布开源大模型 Orrin 7',
      ],
      lead: 'Halden Labs today released Orrin 7, a language model with open weights.',
    },
    {
      titles: [
        'Flaw in Orrin 7 lets attackers read private files',
        'Halden Labs patches Orrin 7 after researchers read private files',
        'Orrin 7 曝安全漏洞，可读取私人文件',
      ],
      lead: 'A flaw in Orrin 7 let attackers read private files of its users; a patch is out.',
    },
    {
      titles: [
        'Publishers sue Halden Labs over pirated books',
        'Eleven publishers take Halden Labs to court over pirated books',
        '出版商起诉 Halden Labs 使用盗版书',
      ],
      lead: 'Eleven publishers filed a lawsuit against Halden Labs over pirated books.',
    },
  ],
  [
    {
      titles: [
        'Brightwater raises $125M to build warehouse humanoids',
        'Warehouse humanoid maker Brightwater raises $125 million',
        '仓储机器人公司 Brightwater 融资 1.25亿美元',
      ],
      lead: 'Brightwater raised $125 million to build humanoid robots for warehouses.',
    },
    {
      titles: [
        'Brightwater names Ines Calloway chief executive',
        'Ines Calloway takes over at Brightwater as founder steps down',
        'Ines Calloway 出任 Brightwater 首席执行官',
      ],
      lead: 'Ines Calloway becomes chief executive of Brightwater; its founder steps down.',
    },
  ],
  [
    {
      titles: [
        'Ferry strike leaves Cape Sorrel islands without fuel',
        'Cape Sorrel islands run out of fuel as ferry strike goes on',
        'Cape Sorrel 渡轮罢工，岛屿燃料耗尽',
      ],
      lead: 'A strike of ferry crews has left the islands of Cape Sorrel without fuel.',
    },
    {
      titles: [
        'Cape Sorrel lighthouse sold to a marine biologist for one euro',
        'Marine biologist buys the lighthouse of Cape Sorrel for one euro',
        '海洋生物学家一欧元买下 Cape Sorrel 灯塔',
      ],
      lead: 'The lighthouse of Cape Sorrel went to a marine biologist for a single euro.',
    },
  ],
];

const reportCount = 24;

function buildStream(seed: number) {
  const random = seededRandom(seed);
  const events = new Map<string, string>();
  const items: StoryItem[] = [];
  storylines.forEach((testEvents, storyline) => {
    testEvents.forEach(({ titles, lead }, eventNumber) => {
      for (let reportNumber = 0; reportNumber < reportCount; reportNumber += 1) {
        const id = `${storyline}-${eventNumber}-${reportNumber}`;
        events.set(id, `${storyline}-${eventNumber}`);
        const title = titles[Math.floor(random.next() * titles.length)] ?? '';
        const [days, late] = [eventNumber * 2 + storyline, random.next() * 14];
        const timeMs = Date.parse('2026-05-04T08:00:00Z') + (days * 24 + late) * HOUR_MS;
        const lang = /\p{sc=Han}/u.test(title) ? 'zh' : 'en';
        const text = lang === 'zh' ? `${title}。` : `${lead} Report ${reportNumber}.`;
        items.push({ id, timeMs, lang, title, text });
      }
    });
  });
  items.sort((a, b) => (a.timeMs ?? 0) - (b.timeMs ?? 0));
  return { items, events };
}

/** Stories of at least twenty reports, of which no event has nine tenths. */
function impureStories(
  assigned: readonly { readonly id: string; readonly story: string }[],
  events: ReadonlyMap<string, string>,
) {
  const stories = Map.groupBy(assigned, ({ story }) => story);
  const large = [...stories.values()].filter((list) => list.length >= 20);
  expect(large.length).toBeGreaterThanOrEqual(storylines.length);
  return large.flatMap((list) => {
    const byEvent = Map.groupBy(list, ({ id }) => events.get(id));
    const largest = Math.max(...[...byEvent.values()].map((all) => all.length));
    return largest / list.length < 0.9
      ? [[...byEvent].map(([event, all]) => [event, all.length])]
      : [];
  });
}

test.each([1, 2, 3])('every large story is at least nine tenths one event (seed %i)', (seed) => {
  const { items, events } = buildStream(seed);
  expect(impureStories(assignAll(rules, items), events)).toEqual([]);
});

test.each([1, 2, 3])('splits a wrongly merged story of any size (seed %i)', (seed) => {
  const { items, events } = buildStream(seed);
  const engine = openEngine(rules);
  for (const item of items) engine.restore(item, `storyline-${item.id.charAt(0)}`);
  engine.recluster();
  expect(impureStories(engine.assigned(), events)).toEqual([]);
});
