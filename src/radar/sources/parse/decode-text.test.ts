// The table `tests/corpus/encodings.json` holds a title and its bytes per label. Published mappings
// and independent software produced the bytes.
import { readFileSync } from 'node:fs';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { fetchWarning } from '../fetch/fetch-warning.ts';
import { decodeText } from './decode-text.ts';
import { readFeed } from './feed/read-feed.ts';

type Row = {
  readonly label: string;
  readonly title: string;
  /** The title in hexadecimal; the rest of the document is ASCII. */
  readonly bytes?: string;
  /** The whole document, for encodings that do not contain ASCII. */
  readonly document?: string;
  /** Another label of an encoding in the table. */
  readonly isAlias?: boolean;
};

const file = new URL('../../../../tests/corpus/encodings.json', import.meta.url);
const rows: readonly Row[] = JSON.parse(readFileSync(file, 'utf8'));

function documentOf(row: Row, declaration: string): Uint8Array {
  if (row.document !== undefined) return Buffer.from(row.document, 'hex');
  return Buffer.concat([
    Buffer.from(`${declaration}<rss><channel><title>`),
    Buffer.from(row.bytes ?? '', 'hex'),
    Buffer.from('</title></channel></rss>'),
  ]);
}

function titleOf(bytes: Uint8Array, contentType: string | null): string | null {
  const outcome = readFeed(bytes, { url: null, contentType });
  return outcome.kind === 'read' ? outcome.feed.title : null;
}

test('the table has at least eighty-two encodings and aliases of some of them', () => {
  const names = rows.map(({ label }) => label.toLowerCase());
  expect(new Set(names).size).toBe(rows.length);
  expect(rows.filter(({ isAlias }) => !isAlias).length).toBeGreaterThanOrEqual(82);
});

test.each(rows)('decodes a document that declares $label', (row) => {
  const bytes = documentOf(row, `<?xml version="1.0" encoding="${row.label}"?>`);
  expect(titleOf(bytes, null)).toBe(row.title.normalize('NFC'));
});

test.each(rows)('uses the charset $label of the HTTP header', (row) => {
  const bytes = documentOf(row, '');
  const contentType = `text/xml; charset="${row.label}"`;
  expect(titleOf(bytes, contentType)).toBe(row.title.normalize('NFC'));
});

const utf8 = (text: string) => Buffer.from(text, 'utf8');
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const xml = (label: string) => `<?xml version="1.0" encoding="${label}"?>`;

describe('precedence of declarations', () => {
  test('a byte order mark precedes the header, and the header precedes the document', () => {
    const markedDocument = Buffer.concat([
      Buffer.from([0xef, 0xbb, 0xbf]),
      utf8(`${xml('koi8-r')}é`),
    ]);
    expect(decodeText(markedDocument, 'text/xml; charset=windows-1251')).toEqual({
      text: `${xml('koi8-r')}é`,
      encoding: 'utf8',
      warnings: [],
    });
    expect(decodeText(latin1(`${xml('koi8-r')}\xc6`), 'text/xml; charset=windows-1251')).toEqual({
      text: `${xml('koi8-r')}Ж`,
      encoding: 'windows1251',
      warnings: [],
    });
  });

  test('text/xml without a charset is not ASCII, contrary to RFC 3023', () => {
    expect(decodeText(latin1(`${xml('koi8-r')}\xf6`), 'text/xml').text).toBe(`${xml('koi8-r')}Ж`);
    expect(decodeText(utf8('<a>é</a>'), 'text/xml').text).toBe('<a>é</a>');
  });

  test('valid UTF-8 precedes a declared Latin-1', () => {
    expect(decodeText(utf8(`${xml('iso-8859-1')}“é”`), 'text/xml; charset=ISO-8859-1')).toEqual({
      text: `${xml('iso-8859-1')}“é”`,
      encoding: 'utf8',
      warnings: [
        fetchWarning('encoding-wrong', 'ISO-8859-1', 'HTTP header'),
        fetchWarning('encoding-wrong', 'iso-8859-1', 'document'),
      ],
    });
  });

  test('UTF-16 without a mark is detected by its zero bytes, against any declaration', () => {
    const bytes = Buffer.from(`${xml('utf-8')}<a>Ж</a>`, 'utf16le');
    expect(decodeText(bytes, 'text/xml; charset=utf-8').text).toBe(`${xml('utf-8')}<a>Ж</a>`);
  });

  test('ignores a declared UTF-16 that the bytes contradict', () => {
    expect(decodeText(utf8(`${xml('utf-16')}é`), null).text).toBe(`${xml('utf-16')}é`);
  });

  test('reads the charset of an HTML meta element', () => {
    const bytes = Buffer.concat([utf8('<html><meta charset=gbk>'), Buffer.from('d6d0', 'hex')]);
    expect(decodeText(bytes, 'text/html').text).toBe('<html><meta charset=gbk>中');
  });

  test('ignores an unknown label', () => {
    expect(decodeText(utf8(`${xml('martian')}é`), 'text/xml; charset="?"')).toEqual({
      text: `${xml('martian')}é`,
      encoding: 'utf8',
      warnings: [
        fetchWarning('encoding-wrong', '?', 'HTTP header'),
        fetchWarning('encoding-wrong', 'martian', 'document'),
      ],
    });
  });
});

describe('bytes that contradict their declaration', () => {
  test('windows-1252 bytes inside UTF-8 are repaired', () => {
    const bytes = Buffer.concat([utf8('日本語 it'), Buffer.from([0x92]), utf8('s é')]);
    expect(decodeText(bytes, 'text/xml; charset=utf-8').text).toBe('日本語 it’s é');
  });

  test('drops a character cut off at the end', () => {
    expect(decodeText(utf8('Привет').subarray(0, -1), null).text).toBe('Приве');
  });

  test('detects Russian declared as UTF-8', () => {
    const bytes = Buffer.concat([
      utf8(xml('utf-8')),
      Buffer.from('cfeee7e0e2f7e5f0e020e2fbf8ebe020edeee2e0ff20e2e5f0f1e8ff20ece0eae5f2e0', 'hex'),
    ]);
    expect(decodeText(bytes, null).text).toBe(`${xml('utf-8')}Позавчера вышла новая версия макета`);
  });

  test.each([
    ['windows-1251', 'Новая языковая модель показала хорошие результаты на тестах'],
    ['koi8-r', 'Новая языковая модель показала хорошие результаты на тестах'],
    ['iso-8859-7', 'Νέα μοντέλα τεχνητής νοημοσύνης παρουσιάστηκαν σήμερα'],
    ['shift_jis', '新しい人工知能モデルが今日発表されました。とても速いです'],
    ['euc-jp', '新しい人工知能モデルが今日発表されました。とても速いです'],
    ['euc-kr', '새로운 인공지능 모델이 오늘 공개되었습니다. 매우 빠릅니다'],
    ['big5', '人工智慧研究有新的進展，模型能力持續提升'],
    ['gbk', '人工智能研究取得重要进展，模型能力继续提升'],
    ['iso-8859-2', 'Nowy model językowy pokazał świetne wyniki w testach, żółć gęślą jaźń'],
    ['latin1', 'Le nouveau modèle a été présenté à Montréal, où il a montré ses capacités'],
    ['latin1', 'La compañía presentó ayer su modelo más rápido según los análisis'],
  ])('detects %s without a declaration', (encoding, title) => {
    const document = `<rss><channel><title>${title}</title></channel></rss>`;
    expect(decodeText(iconv.encode(document, encoding), null).text).toBe(document);
  });

  test('decodes empty input and noise', () => {
    expect(decodeText(new Uint8Array(), null)).toEqual({
      text: '',
      encoding: 'utf8',
      warnings: [],
    });
    expect(decodeText(Uint8Array.of(0xc3, 0x28, 0x00, 0xff), null).encoding).toBe('cp1252');
  });
});
