// Replaces yt-dlp in the demonstration: the same arguments, the same JSON and the same error texts.
// It fetches the file through the same proxy.
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

type Info = {
  readonly id: string;
  readonly title: string;
  readonly duration: number | null;
  readonly is_live: boolean;
  readonly formats: readonly object[];
  readonly url: string;
};

const [origin = '', ...options] = process.argv.slice(2);
const argumentOf = (flag: string) => options[options.indexOf(flag) + 1] ?? '';

function fail(message: string): never {
  process.stderr.write(`ERROR: ${message}\n`);
  process.exit(1);
}

function describe(link: string): Info {
  const id = link.replace(/^.*?([\w-]+)\/?$/, '$1').replace(/^.*=/, '');
  if (/(?:0404|gone)$/i.test(id)) fail(`[demo] ${id}: Video unavailable`);
  if (/0403$/.test(id)) fail(`[demo] ${id}: Sign in to confirm you’re not a bot`);
  const sound = `${origin}/sound/${id}.wav`;
  return {
    id,
    title: `Demonstration ${id}`,
    url: sound,
    duration: durationOf(id),
    is_live: /0777$/.test(id),
    formats: [{ format_id: '0', url: sound, ext: 'wav', protocol: 'http', acodec: 'pcm' }],
  };
}

/** Seconds, by the end of the id; null: unknown. */
function durationOf(id: string): number | null {
  if (id.endsWith('612')) return 61.2;
  return id.endsWith('0000') ? null : 3.3;
}

/** Sends one GET through the proxy as a raw request, because this program has no kernel code. */
function fetchFile(url: string, proxy: URL): Promise<Buffer> {
  const credentials = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64');
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(proxy.port), proxy.hostname);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.once('close', () => {
      const response = Buffer.concat(chunks);
      const headEnd = response.indexOf('\r\n\r\n');
      const isSuccess = /^HTTP\/1\.1 200 /.test(response.subarray(0, 20).toString('latin1'));
      if (isSuccess && headEnd > 0) resolve(response.subarray(headEnd + 4));
      else reject(new Error(`HTTP Error ${response.subarray(9, 30).toString('latin1')}`));
    });
    const head = `GET ${url} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nconnection: close`;
    socket.write(`${head}\r\nproxy-authorization: Basic ${credentials}\r\n\r\n`);
  });
}

if (options.includes('--version')) {
  process.stdout.write('2026.01.01\n');
} else if (options.includes('-J')) {
  process.stdout.write(`${JSON.stringify(describe(options.at(-1) ?? ''))}\n`);
} else {
  const info = JSON.parse(readFileSync(argumentOf('--load-info-json'), 'utf8')) as Info;
  const bytes = await fetchFile(info.url, new URL(argumentOf('--proxy'))).catch((error) =>
    fail(`[download] ${error instanceof Error ? error.message : 'broken'}`),
  );
  if (bytes.length <= Number(argumentOf('--max-filesize'))) {
    writeFileSync(join(process.cwd(), argumentOf('-o').replace('%(ext)s', 'wav')), bytes);
  }
}
