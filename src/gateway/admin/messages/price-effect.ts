// Messages about the effect that a price list would have, in both languages.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  show: 'Show the effect',
  title: 'Effect of this list',
  starts: 'Begins',
  until: (time: string) => `in ${time}`,
  noChange: 'No price changes.',
  now: 'Now',
  later: 'New',
  change: 'Change',
  typical: 'A typical call',
  fromFree: 'no longer free',
  toFree: 'free from then on',
  typicalCalls: {
    social_data: 'one call',
    transcribe: 'a video of 3 minutes',
    svc_image: 'one image',
    ocr: 'one image',
  },
  notYet: 'Nothing is stored yet. After a change of the values, the page shows the new effect.',
};

const zh: typeof en = {
  show: '查看影响',
  title: '这份价格的影响',
  starts: '生效',
  until: (time) => `${time}后`,
  noChange: '没有价格变化。',
  now: '现价',
  later: '新价',
  change: '变化',
  typical: '一次常见的调用',
  fromFree: '不再免费',
  toFree: '此后免费',
  typicalCalls: {
    social_data: '一次调用',
    transcribe: '3 分钟的视频',
    svc_image: '一张图片',
    ocr: '一张图片',
  },
  notYet: '尚未保存。更改数值后会先显示新的影响。',
};

export const priceEffectMessages = (language: Language): typeof en => (language === 'en' ? en : zh);
