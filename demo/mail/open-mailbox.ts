// Everybody's mail in the demonstration, as a page: whoever signs up finds the link there.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Html, html } from '../../src/kernel/html/html.ts';
import { openMailServer } from './open-mail-server.ts';
import type { Mail } from './read-mail.ts';

export type Mailbox = {
  /** Of the page. */
  readonly url: string;
  /** For mailers. */
  readonly smtpPort: number;
  close(): Promise<void>;
};

export async function openMailbox(): Promise<Mailbox> {
  const post = await openMailServer(() => {});
  const server = createServer((_req, res) => {
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    });
    res.end(page(post.mails.toReversed()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    smtpPort: post.port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await post.close();
    },
  };
}

function page(mails: readonly Mail[]): string {
  const body = html`<html lang="en"><head><meta charset="utf-8"><title>Mail</title></head><body>
<h1>Mail of the demonstration</h1>
${mails.length === 0 && html`<p>Nothing was sent yet. Load this page again.</p>`}
${mails.map(
  ({ to, subject, text }) => html`<article><h2>${subject}</h2><p>To ${to.join(', ')}</p>
<pre>${linked(text)}</pre></article><hr>
`,
)}</body></html>`;
  return `<!doctype html>\n${body}`;
}

const linked = (text: string): readonly (Html | string)[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, at) => (at % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
