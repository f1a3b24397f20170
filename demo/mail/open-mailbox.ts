// Serves a page with all mails of the demonstration. A new account finds its confirmation link
// there.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Html, html } from '../../src/kernel/html/html.ts';
import { openMailServer } from './open-mail-server.ts';
import type { Mail } from './read-mail.ts';

export type Mailbox = {
  /** Address of the page. */
  readonly url: string;
  /** Port of the SMTP server on 127.0.0.1. */
  readonly smtpPort: number;
  close(): Promise<void>;
};

export async function openMailbox(): Promise<Mailbox> {
  const mailServer = await openMailServer(() => {});
  const server = createServer((req, res) => {
    if (req.url === '/mail.css') {
      res.writeHead(200, { 'content-type': 'text/css; charset=utf-8' });
      return res.end(stylesheet);
    }
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'self'",
      'cache-control': 'no-store',
    });
    res.end(renderPage(mailServer.mails.toReversed()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    smtpPort: mailServer.port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await mailServer.close();
    },
  };
}

/** The page has the same plain style as the pages that the mails link to. */
const stylesheet = `:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; font: 15px/1.55 system-ui, sans-serif;
  background: light-dark(#fbfaf7, #141413); color: light-dark(#1b1a18, #ecebe6); }
h1 { font: 600 26px/1.2 Georgia, serif; }
article { padding: 16px 0; border-top: 1px solid light-dark(#e4e0d8, #2e2d2a); }
h2 { margin: 0; font-size: 17px; }
p { margin: 4px 0 12px; overflow-wrap: anywhere; color: light-dark(#5f5c56, #a8a59d); }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
a { color: light-dark(#b4371f, #ff8d73); }
`;

function renderPage(mails: readonly Mail[]): string {
  const body = html`<html lang="en"><head><meta charset="utf-8"><title>Mail</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="/mail.css"></head>
<body>
<h1>Mail of the demonstration</h1>
${mails.length === 0 && html`<p>Nothing was sent yet. Load this page again.</p>`}
${mails.map(
  ({ to, subject, text }) => html`<article><h2>${subject}</h2><p>To ${to.join(', ')}</p>
<pre>${linkAddresses(text)}</pre></article>
`,
)}</body></html>`;
  return `<!doctype html>\n${body}`;
}

const linkAddresses = (text: string): readonly (Html | string)[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
