// Defines the fictitious publishers: what they report, when and how. `demo/publishers` defines the
// irregularities of their servers.
import { requirePresent } from '../../src/kernel/errors/assert.ts';

export type Voice = 'party' | 'press' | 'blog' | 'forum' | 'media';

export type Publisher = {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly lang: 'en' | 'zh-CN';
  readonly voice: Voice;
  readonly tier: 'T1' | 'T1_5' | 'T2';
  readonly participation: 'editorial' | 'signal' | 'isolated';
  readonly intervalMinutes: number;
  /** The company that publishes this source. */
  readonly company?: string;
  /** Relative frequency with which it reports an event. */
  readonly activity: number;
  /** Delay of its report after an event in minutes, minimum and maximum. */
  readonly lag: readonly [number, number];
  readonly bylines: readonly string[];
  /** Everything, only papers, only companies' statements, or only its own company. */
  readonly covers: 'all' | 'papers' | 'statements' | 'own';
  /** Whether Chinese text has spaces around Latin letters. */
  readonly isSpaced?: boolean;
  /** The publisher whose reports it sometimes copies nearly word for word. */
  readonly copies?: string;
};

const partyDefaults = {
  voice: 'party',
  tier: 'T1',
  activity: 0,
  lag: [0, 0],
  covers: 'own',
} as const;
const editorial = { participation: 'editorial', intervalMinutes: 30, covers: 'all' } as const;

export const publishers: readonly Publisher[] = [
  {
    id: 'orrinfell',
    name: 'Orrinfell Newsroom',
    owner: 'Orrinfell',
    lang: 'en',
    ...editorial,
    ...partyDefaults,
    company: 'orrinfell',
    bylines: ['The Orrinfell team'],
  },
  {
    id: 'tessarune',
    name: 'Tessarune Notes',
    owner: 'Tessarune',
    lang: 'en',
    ...editorial,
    ...partyDefaults,
    company: 'tessarune',
    bylines: ['Tessarune Labs'],
  },
  {
    id: 'drumlin',
    name: 'Drumlin Forge Field Log',
    owner: 'Drumlin Forge',
    lang: 'en',
    ...editorial,
    ...partyDefaults,
    company: 'drumlin',
    bylines: ['Noor Hallewell', 'Piet Oosterwyk'],
  },
  {
    id: 'chengyan',
    name: '澄砚动态',
    owner: '澄砚科技',
    lang: 'zh-CN',
    ...editorial,
    ...partyDefaults,
    company: 'chengyan',
    bylines: ['澄砚科技'],
    isSpaced: true,
  },
  {
    id: 'handbill',
    name: 'Handbill Newswire',
    owner: 'Handbill',
    lang: 'en',
    ...editorial,
    voice: 'party',
    tier: 'T1_5',
    activity: 0,
    lag: [0, 4],
    covers: 'statements',
    bylines: [],
  },
  {
    id: 'opensheaf',
    name: 'OpenSheaf Preprints',
    owner: 'OpenSheaf',
    lang: 'en',
    ...editorial,
    voice: 'party',
    tier: 'T1',
    activity: 0,
    lag: [0, 0],
    covers: 'papers',
    bylines: [],
    intervalMinutes: 120,
  },
  {
    id: 'meridian',
    name: 'Meridian Wire',
    owner: 'Meridian Group',
    lang: 'en',
    ...editorial,
    voice: 'press',
    tier: 'T1_5',
    activity: 10,
    lag: [6, 120],
    bylines: ['Tess Alderman', 'Joris Penhale', 'Ama Whitlock', 'Rowland Speight'],
  },
  {
    id: 'quayside',
    name: 'Quayside Courier',
    owner: 'Harbour Media',
    lang: 'en',
    ...editorial,
    voice: 'press',
    tier: 'T2',
    activity: 6,
    lag: [60, 620],
    copies: 'meridian',
    bylines: ['Edda Marlowe', 'Finn Castell'],
  },
  {
    id: 'ferrous',
    name: 'Ferrous Daily',
    owner: 'Harbour Media',
    lang: 'en',
    ...editorial,
    voice: 'press',
    tier: 'T2',
    activity: 5,
    lag: [180, 1100],
    copies: 'meridian',
    bylines: ['Business desk', 'Orla Quist'],
  },
  {
    id: 'switchyard',
    name: 'Switchyard',
    owner: 'Switchyard',
    lang: 'en',
    ...editorial,
    voice: 'blog',
    tier: 'T1_5',
    activity: 7,
    lag: [90, 1000],
    bylines: ['Nell Harker', 'Sam Oduya'],
  },
  {
    id: 'lanternloom',
    name: 'Lantern & Loom',
    owner: 'Lantern & Loom',
    lang: 'en',
    ...editorial,
    voice: 'blog',
    tier: 'T2',
    activity: 3.5,
    lag: [300, 1500],
    bylines: ['Ursula Kemp'],
    intervalMinutes: 60,
  },
  {
    id: 'commons',
    name: 'Loss Curve Commons',
    owner: 'Loss Curve Commons',
    lang: 'en',
    ...editorial,
    voice: 'forum',
    tier: 'T2',
    activity: 6,
    lag: [15, 480],
    participation: 'signal',
    intervalMinutes: 15,
    bylines: [
      'tinfoil_abacus',
      'gradmother',
      'ossuary9',
      'lowrank_larry',
      'petri-dish',
      'nullable',
    ],
  },
  {
    id: 'sluice',
    name: 'The Sluice',
    owner: 'Sluice Letters',
    lang: 'en',
    ...editorial,
    voice: 'blog',
    tier: 'T2',
    activity: 2.5,
    lag: [600, 1700],
    bylines: ['Hettie Sluys'],
    intervalMinutes: 120,
  },
  {
    id: 'tidemark',
    name: 'Tidemark',
    owner: 'Tidemark',
    lang: 'en',
    ...editorial,
    voice: 'press',
    tier: 'T2',
    activity: 3,
    lag: [240, 1500],
    participation: 'isolated',
    bylines: [],
  },
  {
    id: 'yunpu',
    name: '云浦通讯社',
    owner: '云浦通讯社',
    lang: 'zh-CN',
    ...editorial,
    voice: 'press',
    tier: 'T1_5',
    activity: 8,
    lag: [10, 360],
    bylines: ['记者 柳岸', '记者 邢川', '记者 甘露'],
  },
  {
    id: 'caisuan',
    name: '财算日报',
    owner: '财算传媒',
    lang: 'zh-CN',
    ...editorial,
    voice: 'press',
    tier: 'T1_5',
    activity: 5,
    lag: [120, 1200],
    copies: 'yunpu',
    bylines: ['财算日报'],
    isSpaced: true,
  },
  {
    id: 'guixu',
    name: '硅序',
    owner: '硅序',
    lang: 'zh-CN',
    ...editorial,
    voice: 'media',
    tier: 'T2',
    activity: 5,
    lag: [120, 1100],
    bylines: ['序言', '阿陶'],
    isSpaced: true,
  },
  {
    id: 'moxingjie',
    name: '模型街',
    owner: '模型街',
    lang: 'zh-CN',
    ...editorial,
    voice: 'media',
    tier: 'T2',
    activity: 5,
    lag: [60, 1400],
    bylines: ['街坊老周', '街坊小满'],
  },
];

export function publisherOf(id: string): Publisher {
  return requirePresent(
    publishers.find((publisher) => publisher.id === id),
    `publisher ${id}`,
  );
}
