// `radar eval article`: the extracted article of an HTML file.

import { Fault } from '../../kernel/errors/fault.ts';
import { extractArticle } from '../../radar/sources/article/extract-article.ts';
import { decodeText } from '../../radar/sources/parse/decode-text.ts';
import type { App } from '../app.ts';
import { readFileAt } from '../read-file-at.ts';

export async function evaluateArticle(app: App, file: string, url: string): Promise<void> {
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new Fault('invalid_request', `${url} is not an http or https address.`);
  }
  const { text: html } = decodeText(await readFileAt(file), 'text/html');
  const now = await app.withOfflineApp(async ({ world }) => world.clock.now());
  const { title, text, publishedAt, language } = extractArticle(html, url, now);
  app.terminal.out(`${JSON.stringify({ title, text, publishedAt, language }, null, 2)}\n`);
}
