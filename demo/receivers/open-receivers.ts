// Serves a page with the messages of the demonstration's receivers. Each kind of channel except
// e-mail has one receiver.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Html, html } from '../../src/kernel/html/html.ts';
import { channelKinds } from '../../src/notifications/channel-kinds.ts';
import {
  openServices,
  type ReceivedMessage,
  type Services,
  serviceKinds,
} from './open-services.ts';

export type Receivers = Services & {
  /** Address of the page. */
  readonly pageUrl: string;
};

/** `mailUrl`: the page of the mailbox, which receives the messages of the e-mail channel. */
export async function openReceivers(now: () => number, mailUrl: string): Promise<Receivers> {
  const services = await openServices({ now });
  const server = createServer((req, res) => {
    if (req.url === '/receivers.css') {
      res.writeHead(200, { 'content-type': 'text/css; charset=utf-8' });
      return res.end(stylesheet);
    }
    res.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'self'",
      'cache-control': 'no-store',
    });
    res.end(renderPage(services.received, mailUrl));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...services,
    pageUrl: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await services.close();
    },
  };
}

const stylesheet = `:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; font: 15px/1.55 system-ui, sans-serif;
  background: light-dark(#fbfaf7, #141413); color: light-dark(#1b1a18, #ecebe6); }
h1 { font: 600 26px/1.2 Georgia, serif; }
section { padding: 16px 0; border-top: 1px solid light-dark(#e4e0d8, #2e2d2a); }
h2 { margin: 0 0 4px; font-size: 17px; }
p, time { margin: 0; color: light-dark(#5f5c56, #a8a59d); }
article { margin: 12px 0; }
pre { margin: 4px 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
details pre { font: 12px/1.5 ui-monospace, monospace; }
summary { min-height: 32px; line-height: 32px; cursor: pointer; }
.problem { color: light-dark(#a3261b, #ff8d73); }
`;

const MAX_SHOWN_MESSAGES = 20;

function renderPage(received: readonly ReceivedMessage[], mailUrl: string): string {
  const body = html`<html lang="en"><head><meta charset="utf-8"><title>Receivers</title>
<meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="/receivers.css"></head><body>
<h1>Receivers of the demonstration</h1>
<p>Each receiver responds like its service, and checks signatures and sizes. Load this page again
for newer messages. E-mail arrives in the <a href="${mailUrl}">mailbox</a>.</p>
${serviceKinds.map((kind) => {
  const messages = received.filter((message) => message.kind === kind);
  return html`<section id="${kind}"><h2>${channelKinds[kind].title}</h2>
<p>${messages.length === 0 ? 'Nothing arrived yet.' : `${messages.length} arrived.`}</p>
${messages.toReversed().slice(0, MAX_SHOWN_MESSAGES).map(renderMessage)}</section>
`;
})}</body></html>`;
  return `<!doctype html>\n${body}`;
}

function renderMessage({ at, body, problems }: ReceivedMessage): Html {
  return html`<article><time>${new Date(at).toISOString()}</time>
<pre>${textOf(body)}</pre>
${problems.length > 0 && html`<p class="problem">Refused: ${problems.join(', ')}</p>`}
<details><summary>Body</summary><pre>${JSON.stringify(body, null, 2)}</pre></details></article>
`;
}

/**
 * The readable text of a message, in the order of the body: every string with a space or with a
 * character beyond ASCII. A webhook body may have no such string, for example after a
 * withdrawal. Then the page shows its values with their names.
 */
function textOf(body: Readonly<Record<string, unknown>>): string {
  const texts: string[] = [];
  const values: string[] = [];
  const visit = (node: unknown, name: string): void => {
    if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) visit(value, key);
    } else if (typeof node === 'string' && /\s|[\u0080-\uffff]/.test(node)) texts.push(node);
    else if (node !== null) values.push(`${name}: ${node}`);
  };
  visit(body.data ?? body, '');
  const type = typeof body.type === 'string' ? [body.type] : [];
  return [...type, ...new Set(texts.length > 0 ? texts : values)].join('\n');
}
