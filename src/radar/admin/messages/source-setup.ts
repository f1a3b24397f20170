// Messages of source setup: one-line templates, found feeds, OPML import, removal.
import type { Language } from '../../../kernel/web/language.ts';

const en = {
  line: 'One line',
  lineHelp:
    'youtube:@handle, github:owner/repo, arxiv:cs.CL, hn:frontpage, reddit:r/name, bluesky:, ' +
    'mastodon:, telegram:, podcast:, substack: …, the address of a feed, or of any site.',
  find: 'Find the feed',
  orFillFields: 'Or fill in the fields',
  choices: (count: number) => `${count} feeds were found. Choose one.`,
  tried: 'No feed was found. Tried:',
  exists: 'This address is a source already:',
  foundOn: (page: string) => `This feed was found on ${page}.`,
  importOpml: 'Import OPML',
  exportOpml: 'Export OPML',
  importAbout:
    'An OPML 2.0 file of any feed reader, at most 1 MiB and 2,000 entries. ' +
    'Nothing is stored before you confirm.',
  opmlText: 'Content of the file',
  opmlHelp: 'Choose the file, or paste its text here.',
  opmlFile: 'File',
  preview: 'Show the feeds of the file',
  counts: (added: number, known: number, refused: number) =>
    `${added} new, ${known} existing, ${refused} refused`,
  add: 'Add the chosen sources',
  row: {
    new: 'new',
    exists: 'already exists',
    repeated: 'same address as an earlier line',
    refused: 'refused',
  },
  columns: { line: 'Line', folder: 'Folder', name: 'Name', address: 'Address', result: 'Result' },
  invalidFile: (line: number, problem: string) => `Line ${line}: ${problem}.`,
  nothingChosen: 'No source is chosen.',
  taken: (id: string) => `${id} was added by someone else meanwhile. Nothing was stored.`,
  remove: 'Remove this source',
  removeAbout: 'A removed source is not fetched any more. Its items stay public.',
  unchecked: 'not fetched yet',
};

const zh: typeof en = {
  line: '一行添加',
  lineHelp:
    'youtube:@handle、github:owner/repo、arxiv:cs.CL、hn:frontpage、reddit:r/name、bluesky:、' +
    'mastodon:、telegram:、podcast:、substack: 等，或订阅源地址，或任何网站的地址。',
  find: '查找订阅源',
  orFillFields: '或者填写各项',
  choices: (count) => `找到 ${count} 个订阅源，请选择一个。`,
  tried: '没有找到订阅源。尝试过：',
  exists: '这个地址已经是来源：',
  foundOn: (page) => `这个订阅源是在 ${page} 上找到的。`,
  importOpml: '导入 OPML',
  exportOpml: '导出 OPML',
  importAbout: '任何阅读器的 OPML 2.0 文件，不超过 1 MiB、2,000 条。确认之前不会保存任何内容。',
  opmlText: '文件内容',
  opmlHelp: '选择文件，或者把它的内容粘贴到这里。',
  opmlFile: '文件',
  preview: '查看其中的内容',
  counts: (added, known, refused) => `${added} 个新的，${known} 个已存在，${refused} 个被拒绝`,
  add: '添加选中的来源',
  row: { new: '新的', exists: '已存在', repeated: '与前面一行的地址相同', refused: '被拒绝' },
  columns: { line: '行', folder: '文件夹', name: '名称', address: '地址', result: '结果' },
  invalidFile: (line, problem) => `第 ${line} 行：${problem}。`,
  nothingChosen: '没有选择任何来源。',
  taken: (id) => `${id} 刚被其他人添加，没有保存任何内容。`,
  remove: '移除这个来源',
  removeAbout: '移除后不再读取该来源，已有的内容继续公开。',
  unchecked: '尚未读取',
};

export const sourceSetupMessages = (language: Language) => (language === 'zh-CN' ? zh : en);
