// Formats `/.well-known/security.txt` (RFC 9116), which states where to report a vulnerability of
// this installation.
import { toWireTime } from '../time/calendar.ts';

export const SECURITY_TEXT_PATH = '/.well-known/security.txt';
export const SECURITY_TEXT_TYPE = 'text/plain; charset=utf-8';

export type SecurityTextFields = {
  /** URIs in order of preference: `mailto:`, `https:` or `tel:`. */
  readonly contact: readonly string[];
  /** Epoch milliseconds. */
  readonly expires: number;
  readonly encryption?: string | undefined;
  readonly acknowledgments?: string | undefined;
  readonly policy?: string | undefined;
  readonly hiring?: string | undefined;
  readonly preferredLanguages?: readonly string[] | undefined;
  readonly canonical?: readonly string[] | undefined;
};

/** Lines end in LF, as section 2.2 permits. */
export function formatSecurityText(fields: SecurityTextFields): string {
  const { contact, expires, canonical = [], preferredLanguages } = fields;
  const lines: readonly (readonly [string, string | undefined])[] = [
    ...contact.map((uri) => ['Contact', uri] as const),
    ['Expires', toWireTime(expires)],
    ['Encryption', fields.encryption],
    ['Acknowledgments', fields.acknowledgments],
    ['Preferred-Languages', preferredLanguages?.join(', ')],
    ...canonical.map((uri) => ['Canonical', uri] as const),
    ['Policy', fields.policy],
    ['Hiring', fields.hiring],
  ];
  return lines
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}
