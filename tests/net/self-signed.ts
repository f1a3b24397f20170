// Makes a self-signed certificate and encodes it as DER (RFC 5280). The tests therefore need no
// external tool and no key in the repository.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** `names` become DNS names, `addresses` (IPv4) IP addresses of the subject. */
export function createCertificate({
  names = [],
  addresses = [],
  notAfter = new Date('2099-01-01T00:00:00Z'),
}: {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notAfter?: Date;
}): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = encodeDer(0x30, encodeOid('2a8648ce3d040302'));
  const commonName = encodeDer(0x30, encodeOid('550403'), encodeDer(0x0c, Buffer.from('loopback')));
  const name = encodeDer(0x30, encodeDer(0x31, commonName));
  const subjectAltName = encodeDer(
    0x30,
    ...names.map((dns) => encodeDer(0x82, Buffer.from(dns))),
    ...addresses.map((ip) => encodeDer(0x87, Buffer.from(ip.split('.').map(Number)))),
  );
  const basicConstraints = encodeDer(0x30, encodeDer(0x01, Buffer.from([0xff])));
  const extensions = encodeDer(
    0x30,
    encodeDer(0x30, encodeOid('551d11'), encodeDer(0x04, subjectAltName)),
    encodeDer(
      0x30,
      encodeOid('551d13'),
      encodeDer(0x01, Buffer.from([0xff])),
      encodeDer(0x04, basicConstraints),
    ),
  );
  const toBeSigned = encodeDer(
    0x30,
    encodeDer(0xa0, encodeDer(0x02, Buffer.from([2]))),
    encodeDer(0x02, Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    encodeDer(0x30, encodeTime(new Date('2000-01-01T00:00:00Z')), encodeTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(0xa3, extensions),
  );
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey);
  const signatureBits = encodeDer(0x03, Buffer.from([0]), signature);
  const certificate = encodeDer(0x30, toBeSigned, ecdsaWithSha256, signatureBits).toString(
    'base64',
  );
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  };
}

function encodeDer(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

const encodeOid = (hex: string): Buffer => encodeDer(0x06, Buffer.from(hex, 'hex'));

/** GeneralizedTime, YYYYMMDDHHMMSSZ. */
function encodeTime(date: Date): Buffer {
  return encodeDer(
    0x18,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(0, 14)}Z`,
    ),
  );
}
