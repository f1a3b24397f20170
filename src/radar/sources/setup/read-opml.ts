// Reads an OPML 2.0 file: outlines with the address of a feed, their folders, and refused lines.
// The file is untrusted: a document type is refused, includes are reported, and sizes are limited.
import { readTokens } from '../../../kernel/text/markup.ts';
import { resolveEntities } from '../../../kernel/text/text.ts';
import { decodeText } from '../parse/decode-text.ts';
import type { SettingProblem } from '../settings-messages.ts';

export type OpmlOutline = {
  /** Line of the file, from 1. */
  readonly line: number;
  /** Names of the folders around the outline, joined by " / "; empty at the top. */
  readonly folder: string;
  readonly name: string;
  readonly url: string;
  /** The `language` attribute; null when absent. */
  readonly language: string | null;
  /** The radar's own definition as parsed JSON; undefined when another program wrote the file. */
  readonly definition?: unknown;
};

export type OpmlProblem = { readonly line: number; readonly problem: SettingProblem };

/** An outline that was not read. */
export type RefusedOutline = OpmlProblem & {
  readonly folder: string;
  readonly name: string;
  /** The text of its address; null when absent. */
  readonly url: string | null;
};

export type ReadOpmlResult =
  | {
      readonly kind: 'read';
      readonly outlines: readonly OpmlOutline[];
      readonly problems: readonly RefusedOutline[];
    }
  /** The whole file is refused. */
  | { readonly kind: 'invalid'; readonly problem: OpmlProblem };

const OPML_MAX_BYTES = 1024 * 1024;
const OUTLINES_MAX = 2_000;
const DEPTH_MAX = 20;
const NAME_MAX = 120;
const ADDRESS_SHOWN_MAX = 200;
const DEFINITION_MAX = 20_000;

const opmlProblems = {
  tooLarge: {
    en: 'the file has more than 1 MiB',
    'zh-CN': '文件超过 1 MiB',
  },
  doctype: {
    en: 'document types and entities are not supported',
    'zh-CN': '不支持文档类型声明和实体',
  },
  notOpml: { en: 'the file is not OPML', 'zh-CN': '这不是 OPML 文件' },
  noBody: { en: 'the file has no body', 'zh-CN': '文件没有 body' },
  noOutline: {
    en: 'the file has no complete outline with an xmlUrl',
    'zh-CN': '文件中没有带 xmlUrl 的完整条目',
  },
  tooMany: {
    en: `the file has more than ${OUTLINES_MAX} outlines`,
    'zh-CN': `文件中的条目超过 ${OUTLINES_MAX} 个`,
  },
  tooDeep: {
    en: `outlines are nested more than ${DEPTH_MAX} deep`,
    'zh-CN': `条目嵌套超过 ${DEPTH_MAX} 层`,
  },
  include: {
    en: 'an included file is not read',
    'zh-CN': '不会读取引用的其他文件',
  },
  address: {
    en: 'xmlUrl must be an absolute http or https address',
    'zh-CN': 'xmlUrl 须为完整的 http 或 https 地址',
  },
  type: { en: 'the type is not rss', 'zh-CN': '类型不是 rss' },
  definition: {
    en: 'radar:definition is not JSON',
    'zh-CN': 'radar:definition 不是 JSON',
  },
} as const satisfies Readonly<Record<string, SettingProblem>>;

type OutlineFields = ReadonlyMap<string, string>;
type OutlineResult =
  | { readonly kind: 'outline'; readonly outline: OpmlOutline }
  | { readonly kind: 'problem'; readonly problem: SettingProblem }
  /** An outline without an address is a folder. */
  | { readonly kind: 'folder' };

export function readOpml(bytes: Uint8Array): ReadOpmlResult {
  const refuseFile = (problem: SettingProblem, line = 1): ReadOpmlResult => ({
    kind: 'invalid',
    problem: { line, problem },
  });
  if (bytes.length > OPML_MAX_BYTES) return refuseFile(opmlProblems.tooLarge);
  const source = blankComments(decodeText(bytes, null).text);
  const lines = new LineCounter(source);
  const outlines: OpmlOutline[] = [];
  const problems: RefusedOutline[] = [];
  const folders: string[] = [];
  let outlineCount = 0;
  let isOpml = false;
  let hasBody = false;
  for (const token of readTokens(source)) {
    if (token.kind === 'doctype') return refuseFile(opmlProblems.doctype, lines.next('<!doctype'));
    if (token.kind === 'close' && hasName(token, 'outline')) folders.pop();
    if (token.kind !== 'open') continue;
    isOpml ||= hasName(token, 'opml');
    if (!isOpml) return refuseFile(opmlProblems.notOpml);
    hasBody ||= hasName(token, 'body');
    if (!hasBody || !hasName(token, 'outline')) continue;
    const line = lines.next('<outline');
    outlineCount += 1;
    if (outlineCount > OUTLINES_MAX) return refuseFile(opmlProblems.tooMany, line);
    if (folders.length >= DEPTH_MAX) return refuseFile(opmlProblems.tooDeep, line);
    const fields = new Map(
      token.attributes.map(([name, value]) => [name.toLowerCase(), resolveEntities(value)]),
    );
    const folder = folders.filter((name) => name !== '').join(' / ');
    const result = readOutline(fields, { line, folder });
    if (result.kind === 'outline') outlines.push(result.outline);
    if (result.kind === 'problem') {
      const { problem } = result;
      problems.push({ line, folder, name: nameIn(fields), url: shownAddress(fields), problem });
    }
    // Every closing tag removes one name, so an outline that is not a folder adds an empty name.
    if (!token.isSelfClosing) folders.push(result.kind === 'folder' ? nameIn(fields) : '');
  }
  if (!isOpml) return refuseFile(opmlProblems.notOpml);
  if (!hasBody) return refuseFile(opmlProblems.noBody);
  if (outlines.length + problems.length === 0) return refuseFile(opmlProblems.noOutline);
  return { kind: 'read', outlines, problems };
}

const hasName = ({ name }: { readonly name: string }, wantedName: string) =>
  name.toLowerCase() === wantedName;

function readOutline(
  fields: OutlineFields,
  { line, folder }: Pick<OpmlOutline, 'line' | 'folder'>,
): OutlineResult {
  const type = (fields.get('type') ?? '').trim().toLowerCase();
  const address = (fields.get('xmlurl') ?? '').trim();
  const definitionText = fields.get('radar:definition')?.slice(0, DEFINITION_MAX);
  if (type === 'include') return { kind: 'problem', problem: opmlProblems.include };
  if (address === '' && definitionText === undefined) {
    return type === '' || type === 'folder'
      ? { kind: 'folder' }
      : { kind: 'problem', problem: opmlProblems.address };
  }
  if (type !== '' && type !== 'rss' && definitionText === undefined) {
    return { kind: 'problem', problem: opmlProblems.type };
  }
  const url = URL.parse(address);
  if (definitionText === undefined && (url === null || !/^https?:$/.test(url.protocol))) {
    return { kind: 'problem', problem: opmlProblems.address };
  }
  const definition = definitionText === undefined ? undefined : tryParseJson(definitionText);
  if (definitionText !== undefined && definition === undefined) {
    return { kind: 'problem', problem: opmlProblems.definition };
  }
  return {
    kind: 'outline',
    outline: {
      line,
      folder,
      name: nameIn(fields) || (url?.host ?? ''),
      url: address,
      language: fields.get('language')?.trim() || null,
      ...(definition !== undefined && { definition }),
    },
  };
}

function nameIn(fields: OutlineFields): string {
  const text = fields.get('text')?.trim() || fields.get('title')?.trim() || '';
  return text.replaceAll(/\s+/g, ' ').slice(0, NAME_MAX).toWellFormed().trim();
}

function shownAddress(fields: OutlineFields): string | null {
  const address = fields.get('xmlurl')?.trim() || fields.get('url')?.trim() || '';
  return address === '' ? null : address.slice(0, ADDRESS_SHOWN_MAX).toWellFormed();
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const opaqueMarks = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
] as const;

/** Comments and CDATA become white space, so that line numbers stay. Linear in the text. */
function blankComments(text: string): string {
  let result = '';
  let position = 0;
  const nextStarts = opaqueMarks.map(({ start }) => text.indexOf(start));
  for (;;) {
    for (const [index, { start }] of opaqueMarks.entries()) {
      // A mark that was not found is not searched again.
      const markStart = nextStarts[index] ?? -1;
      if (markStart >= 0 && markStart < position) nextStarts[index] = text.indexOf(start, position);
    }
    const positions = nextStarts.filter((start) => start >= 0);
    if (positions.length === 0) return result + text.slice(position);
    const start = Math.min(...positions);
    const end = opaqueMarks[nextStarts.indexOf(start)]?.end ?? '-->';
    const closingMark = text.indexOf(end, start);
    const next = closingMark < 0 ? text.length : closingMark + end.length;
    result += text.slice(position, start) + text.slice(start, next).replaceAll(/[^\n]/g, ' ');
    position = next;
    if (position >= text.length) return result;
  }
}

/** Finds the lines of marks. The calls must follow the order of the marks in the text. */
class LineCounter {
  readonly #text: string;
  #position = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text.toLowerCase();
  }

  /** The line of the next `mark`. */
  next(mark: string): number {
    const markIndex = this.#text.indexOf(mark, this.#position);
    const end = markIndex < 0 ? this.#text.length : markIndex;
    for (let index = this.#text.indexOf('\n', this.#position); index >= 0 && index < end; ) {
      this.#line += 1;
      index = this.#text.indexOf('\n', index + 1);
    }
    this.#position = markIndex < 0 ? end : markIndex + mark.length;
    return this.#line;
  }
}
