// A self-signed certificate, encoded as DER by this file (RFC 5280). The tests need no external
// tool and no key in the repository.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** `names` become DNS names, `addresses` (IPv4) IP addresses of the subject. */
export function selfSigned({
  names = [],
  addresses = [],
  notAfter = new Date('2099-01-01T00:00:00Z'),
}: {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notAfter?: Date;
}): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, oid('2a8648ce3d040302'));
  const commonName = der(0x30, oid('550403'), der(0x0c, Buffer.from('loopback')));
  const name = der(0x30, der(0x31, commonName));
  const subjectAltName = der(
    0x30,
    ...names.map((dns) => der(0x82, Buffer.from(dns))),
    ...addresses.map((ip) => der(0x87, Buffer.from(ip.split('.').map(Number)))),
  );
  const basicConstraints = der(0x30, der(0x01, Buffer.from([0xff])));
  const extensions = der(
    0x30,
    der(0x30, oid('551d11'), der(0x04, subjectAltName)),
    der(0x30, oid('551d13'), der(0x01, Buffer.from([0xff])), der(0x04, basicConstraints)),
  );
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    der(0x30, time(new Date('2000-01-01T00:00:00Z')), time(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey);
  const bits = der(0x03, Buffer.from([0]), signature);
  const certificate = der(0x30, toBeSigned, ecdsaWithSha256, bits).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

/** GeneralizedTime, YYYYMMDDHHMMSSZ. */
function time(date: Date): Buffer {
  return der(
    0x18,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(0, 14)}Z`,
    ),
  );
}
