// An https address for the demonstration's radar, with a certificate of this run. Some feed clients
// show no link of a plain-http radar. The certificate is made by `openssl` where that is installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';

export type TlsFront = {
  readonly port: number;
  /** PEM, for clients that are to trust it. */
  readonly certificate: string;
  close(): Promise<void>;
};

type Certificate = { readonly key: string; readonly cert: string };

/** `target`: port of a server on loopback. `port` 0: any free one. Null: there is no openssl. */
export async function openTlsFront(target: number, port: number): Promise<TlsFront | null> {
  const certificate = makeCertificate();
  if (certificate === null) return null;
  const server = createServer(certificate, (req, res) => {
    const headers = {
      ...req.headers,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
    };
    const { method, url } = req;
    const upstream = request({ host: '127.0.0.1', port: target, method, path: url, headers });
    upstream.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, res, () => {});
    });
    upstream.on('error', () => res.destroy());
    pipeline(req, upstream, () => {});
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    certificate: certificate.cert,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For `localhost` and 127.0.0.1, valid for a week. The files are removed at once. */
function makeCertificate(): Certificate | null {
  const folder = mkdtempSync(join(tmpdir(), 'radar-tls-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const options = [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', keyFile, '-out', certFile, '-days', '7', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
  ];
  try {
    const { status } = spawnSync('openssl', options, { stdio: 'ignore' });
    if (status !== 0) return null;
    return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
