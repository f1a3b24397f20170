// Serves the demonstration's radar over https, because some feed clients show no links to a radar
// with plain http. The program `openssl` creates a new certificate for each run.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { createServer } from 'node:tls';

export type TlsFront = {
  readonly port: number;
  /** PEM of the certificate, for clients that must trust it. */
  readonly certificate: string;
  close(): Promise<void>;
};

type Certificate = { readonly key: string; readonly cert: string };

/**
 * Forwards to `targetPort` on loopback. `port` 0: any free port. Null: openssl is not installed.
 */
export async function openTlsFront(targetPort: number, port: number): Promise<TlsFront | null> {
  const certificate = makeCertificate();
  if (certificate === null) return null;
  const openSockets = new Set<Duplex>();
  const server = createServer(certificate, (client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      openSockets.add(socket);
      socket.once('close', () => openSockets.delete(socket));
    }
    pipeline(client, upstream, client, () => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    certificate: certificate.cert,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of openSockets) socket.destroy();
      await closed;
    },
  };
}

/** Creates a certificate for `localhost` and 127.0.0.1, valid for a week. Removes its files. */
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
