// Derives a short name of the browser and its system from a user agent, so that an owner can
// distinguish the account's sessions.

// The first match wins: the user agents of Edge and Opera also contain `Chrome` and `Safari`.
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['HeadlessChrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
  ['curl', 'curl'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** `Firefox · Windows`; null for a user agent without a known name. */
export function knownBrowserName(agent: string): string | null {
  const firstMatch = (list: readonly (readonly [string, string])[]) =>
    list.find(([token]) => agent.includes(token))?.[1];
  const parts = [firstMatch(browsers), firstMatch(systems)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' · ') : null;
}

/** An unknown user agent is returned shortened; null for an empty one. */
export const browserName = (agent: string): string | null =>
  knownBrowserName(agent) ?? (agent.trim() === '' ? null : agent.slice(0, 60));
