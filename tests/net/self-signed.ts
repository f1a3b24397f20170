// Makes a self-signed certificate and encodes it as DER (RFC 5280). The tests therefore need no
// external tool and no key in the repository.
import { createSign, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Tags of DER; the last four belong to fields of a certificate. */
const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  ipAddress: 0x87,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/** Object identifiers in the bytes of DER. */
const OID = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
} as const;

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
  const ecdsaWithSha256 = encodeDer(TAG.sequence, encodeOid(OID.ecdsaWithSha256));
  const commonName = encodeDer(
    TAG.sequence,
    encodeOid(OID.commonName),
    encodeDer(TAG.utf8String, Buffer.from('loopback')),
  );
  const name = encodeDer(TAG.sequence, encodeDer(TAG.set, commonName));
  const subjectAltName = encodeDer(
    TAG.sequence,
    ...names.map((dns) => encodeDer(TAG.dnsName, Buffer.from(dns))),
    ...addresses.map((ip) => encodeDer(TAG.ipAddress, Buffer.from(ip.split('.').map(Number)))),
  );
  const basicConstraints = encodeDer(TAG.sequence, encodeDer(TAG.boolean, Buffer.from([0xff])));
  const extensions = encodeDer(
    TAG.sequence,
    encodeDer(
      TAG.sequence,
      encodeOid(OID.subjectAltName),
      encodeDer(TAG.octetString, subjectAltName),
    ),
    encodeDer(
      TAG.sequence,
      encodeOid(OID.basicConstraints),
      encodeDer(TAG.boolean, Buffer.from([0xff])),
      encodeDer(TAG.octetString, basicConstraints),
    ),
  );
  const toBeSigned = encodeDer(
    TAG.sequence,
    encodeDer(TAG.version, encodeDer(TAG.integer, Buffer.from([2]))),
    encodeDer(TAG.integer, Buffer.concat([Buffer.from([0x40]), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    encodeDer(TAG.sequence, encodeTime(new Date('2000-01-01T00:00:00Z')), encodeTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(TAG.extensions, extensions),
  );
  const signature = createSign('sha256').update(toBeSigned).sign(privateKey);
  const signatureBits = encodeDer(TAG.bitString, Buffer.from([0]), signature);
  const certificate = encodeDer(TAG.sequence, toBeSigned, ecdsaWithSha256, signatureBits).toString(
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
  // A length of 128 or more is written as 0x82 and two bytes.
  const header = length < 0x80 ? [tag, length] : [tag, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(header), content]);
}

const encodeOid = (hex: string): Buffer => encodeDer(TAG.objectIdentifier, Buffer.from(hex, 'hex'));

/** GeneralizedTime, YYYYMMDDHHMMSSZ. */
function encodeTime(date: Date): Buffer {
  return encodeDer(
    TAG.generalizedTime,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\.\d+/g, '')
        .slice(0, 14)}Z`,
    ),
  );
}
