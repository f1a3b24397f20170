// The front page: top stories, then one row for each story. No story appears twice, and each shows
// where its reports disagree.
import { expect, test } from 'vitest';
import { sendRequest } from '../support/http-request.ts';
import { openReaderRadar, STORY } from '../support/reader-radar.ts';

const radar = await openReaderRadar();
const { origin, chinese, itemId } = radar;

async function textOf(path: string, headers: Record<string, string> = {}, site = origin) {
  const { status, text } = await sendRequest(site, { path, headers });
  expect([path, status]).toEqual([path, 200]);
  return text;
}

const linkTo = `<a href="/stories/${STORY}">`;
const countIn = (text: string, part: string) => text.split(part).length - 1;

test('a story is one block with its sources and its contradiction', async () => {
  const text = await textOf('/');
  expect(countIn(text, `${linkTo}Orrery Labs opens a plant`)).toBe(1);
  expect(text).not.toContain(`href="/items/${itemId}"><`);
  expect(text).toMatch(/<b>3 sources<\/b>: <span class="name-of">[^<]+<\/span>/);
  expect(text).toContain(`<a href="/stories/${STORY}#disagree">Reports disagree</a>`);
  expect(text).toContain('$40 million / $55 million');
});

test('the ranking counts the sources as the front page does', async () => {
  const lineOf = (text: string) =>
    /<span class="sources"><b>.*?<\/b>.*?<\/span><\/span>/.exec(text);
  const rankingLine = lineOf(await textOf('/hot'))?.[0];
  expect(rankingLine).toContain('sources');
  expect(rankingLine).toBe(lineOf(await textOf('/'))?.[0]);
});

test('the headline of a report links to its story, and the contents to its sections', async () => {
  for (const path of ['/daily', '/weekly', '/monthly']) {
    const text = await textOf(path);
    const anchors = [...text.matchAll(/href="#(s-[^"]+)"/g)].map(([, id]) => id);
    expect(anchors.filter((id) => !text.includes(`id="${id}"`))).toEqual([]);
  }
  const daily = await textOf('/daily');
  expect(daily).toMatch(/<h1 lang="en"><a href="\/(?:stories|items)\/[^"]+">/);
});

test('the language filter selects the title and the items of that language', async () => {
  const text = await textOf('/?language=zh');
  expect(text).toContain(`<h2 lang="zh">${linkTo}奥勒里实验室在北方开设工厂</a></h2>`);
  expect(await textOf('/latest?language=zh')).not.toMatch(/<h3 lang="en">/);
  expect(await textOf('/latest?language=en')).not.toMatch(/<h3 lang="zh">/);
});

test('lists use the language of the cookie, unless the address has a language', async () => {
  const cookie = 'language=zh';
  for (const path of ['/', '/latest', '/hot', '/search?q=plant', '/disagreements']) {
    const separator = path.includes('?') ? '&' : '?';
    const chosenLanguage = await textOf(path, { cookie });
    expect([path, chosenLanguage === (await textOf(`${path}${separator}language=zh`))]).toEqual([
      path,
      true,
    ]);
    const allLanguages = await textOf(`${path}${separator}language=all`, { cookie });
    // The search has a form field instead of links for the language.
    expect([
      path,
      allLanguages.includes('data-language="all" aria-current') || path.startsWith('/search'),
    ]).toEqual([path, true]);
  }
  const { headers } = await sendRequest(origin, { path: '/' });
  expect(String(headers.vary)).toContain('Cookie');
});

test('every list marks a story with a contradiction, in both languages', async () => {
  for (const path of ['/', '/hot', '/latest', '/all', '/search?q=plant', '/disagreements']) {
    for (const [site, mark] of [
      [origin, 'Reports disagree</a>'],
      [chinese, '各方说法不一</a>'],
    ] as const) {
      expect([path, (await textOf(path, {}, site)).includes(mark)]).toEqual([path, true]);
    }
  }
});

test('a revised figure is marked in lists, feeds and the story', async () => {
  const story = '0b6f6f0e-5a3c-4c55-9a0e-0d6b8f1c2a33';
  const title = 'Lichuan to cut jobs in the north';
  const texts = [
    ['wire', 'Lichuan said it will cut 420 jobs in the north.'],
    ['ledger', 'Lichuan will cut 420 jobs, the company said.'],
    ['wire', 'Correction: the number of jobs is 530, not 420 as first stated.'],
  ] as const;
  for (const [index, [source, text]] of texts.entries()) {
    const report = { source, title: `${title} (${index + 1})`, text, summary: text, story };
    await radar.publisher.publish({ ...report, at: radar.clock.now() + index });
  }
  await radar.settle();
  for (const path of ['/', '/latest', '/disagreements']) {
    const text = await textOf(path);
    expect([path, text.includes(`<a href="/stories/${story}#revised">Revised</a>`)]).toEqual([
      path,
      true,
    ]);
    expect(text).not.toContain(`/stories/${story}#disagree`);
  }
  expect(await textOf(`/stories/${story}`)).toMatch(/<del>420<\/del> → <ins>530<\/ins>/);
  expect(await textOf(`/feed/story/${story}.xml`)).toContain('420 → 530');
});
