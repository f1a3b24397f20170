// A client that reads a stream at the test's speed and disconnects when the test requires it.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export type SlowClient = {
  readonly status: number;
  readonly requestId: string;
  /** Reads until this number of bytes, or until the end. */
  readBytes(count: number): Promise<string>;
  /** Reads to the end, even when the stream is cut off. */
  readAll(): Promise<string>;
  disconnect(): void;
};

export async function openStream(
  origin: string,
  { key, body }: { readonly key: string; readonly body: object },
): Promise<SlowClient> {
  const clientRequest = request(`${origin}/relay/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  });
  clientRequest.on('error', () => {});
  clientRequest.end(JSON.stringify(body));
  const [response] = (await once(clientRequest, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  let text = '';
  const readUntil = async (isEnough: () => boolean) => {
    while (!isEnough() && !response.destroyed && !response.readableEnded) {
      const chunk = response.read() as Buffer | null;
      if (chunk !== null) text += chunk.toString('latin1');
      else await Promise.race(['readable', 'end', 'close'].map((name) => once(response, name)));
    }
    return Buffer.from(text, 'latin1').toString();
  };
  return {
    status: response.statusCode ?? 0,
    requestId: String(response.headers['x-request-id']),
    readBytes: (count) => readUntil(() => text.length >= count),
    readAll: () => readUntil(() => false),
    disconnect: () => clientRequest.destroy(),
  };
}
