// A customer's webhook receiver. It stores requests, verifies signatures as the standard's
// libraries do, and returns the response that the test sets.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../../support/at-end.ts';

export type ReceivedWebhook = {
  readonly id: string;
  readonly timestamp: string;
  /**
   * The secrets, among the given secrets, that signed the message, in the order of the signatures.
   */
  signedBy(secrets: readonly string[]): readonly number[];
  readonly body: string;
};

export type Receiver = {
  readonly url: string;
  readonly receivedWebhooks: ReceivedWebhook[];
  /** Sets status and headers of later responses. */
  respond(status: number, headers?: Readonly<Record<string, string>>): void;
  /** Later requests receive no response. */
  stall(): void;
};

export async function openReceiver(): Promise<Receiver> {
  let response: { status: number; headers: Readonly<Record<string, string>> } = {
    status: 204,
    headers: {},
  };
  let isStalled = false;
  const receivedWebhooks: ReceivedWebhook[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const header = (name: string) => String(req.headers[name]);
      const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
      const signatures = header('webhook-signature').split(' ');
      const signedBy = (secrets: readonly string[]) =>
        signatures.map((signature) =>
          secrets.findIndex((secret) => {
            const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
            const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
            return signature === `v1,${hmac.digest('base64')}`;
          }),
        );
      receivedWebhooks.push({ id, timestamp, signedBy, body });
      if (isStalled) return;
      res.writeHead(response.status, response.headers);
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    receivedWebhooks,
    stall: () => {
      isStalled = true;
    },
    respond: (status, headers = {}) => {
      response = { status, headers };
    },
  };
}
