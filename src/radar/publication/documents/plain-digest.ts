// The digest's place while its rules are being written: a title and the newest line, no text.
import type { Claim, Digest, DigestLanguage, ReportWithClaims } from '../digest/digest.ts';

export function claimsOf(_report: unknown): readonly Claim[] {
  return [];
}

export function writeDigest(
  reports: readonly ReportWithClaims[],
  _given: { readonly siteLanguage: DigestLanguage; readonly previous: Digest | null },
): Digest {
  const earliest = reports.findLast((report) => report.isFirstParty) ?? reports.at(-1);
  return {
    title: earliest?.title ?? '',
    latest: reports[0]?.title ?? '',
    text: '',
    language: earliest?.language ?? 'en',
    sentences: [],
    contradictions: [],
  };
}
