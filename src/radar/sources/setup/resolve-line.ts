// Resolves one line from an operator to a source: a template, the address of a feed, or the address
// of a site. The source is fetched once, so that a mistake shows before anything is stored.
import type { Robots } from '../../../kernel/net/robots.ts';
import { readTokens } from '../../../kernel/text/markup.ts';
import type { World } from '../../../kernel/world.ts';
import { sourceIdFrom } from '../add-source.ts';
import { fetchWarning } from '../fetch/fetch-warning.ts';
import { decodeText } from '../parse/decode-text.ts';
import type { ParsedFeed } from '../parse/entry.ts';
import { type SettingProblem, settingProblems } from '../settings-messages.ts';
import { parseSourceDefinition, type SourceDefinition } from '../source-settings.ts';
import { trySource } from '../try-source.ts';
import { discoverFeeds, type FailedAttempt, type FeedCandidate } from './discover-feeds.ts';
import { parseTemplate, type SourceDraft } from './parse-template.ts';
import type { TemplateAddresses } from './template-addresses.ts';

export type ResolveDeps = {
  readonly world: World;
  readonly robots: Robots;
  readonly addresses: TemplateAddresses;
  /** True when the operator works on this machine, so the line may be a loopback address. */
  readonly canOpenLoopback: boolean;
};

export type ResolveLineResult =
  | {
      readonly kind: 'source';
      readonly definition: SourceDefinition;
      /** The content of the feed; null when nothing was requested. */
      readonly feed: ParsedFeed | null;
      /** The page of the site, when the line is its address and this feed was found from it. */
      readonly foundOn: string | null;
    }
  | { readonly kind: 'choices'; readonly candidates: readonly FeedCandidate[] }
  | { readonly kind: 'failed'; readonly tried: readonly FailedAttempt[] }
  | { readonly kind: 'invalid'; readonly problem: SettingProblem };

export type ResolveOptions = {
  /** Resolves a line without a request, except for templates that need a lookup. */
  readonly isWithoutRequest?: boolean;
};

const LOOKUP_TIMEOUT_MS = 15_000;
const LOOKUP_MAX_BYTES = 4 * 1024 * 1024;
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const plainFeed = (url: string): SourceDraft => ({
  kind: 'feed',
  name: null,
  owner: null,
  tier: 'T2',
  participation: 'editorial',
  intervalMinutes: 30,
  settings: { url },
});

export async function resolveLine(
  deps: ResolveDeps,
  line: string,
  options: ResolveOptions = {},
): Promise<ResolveLineResult> {
  const parsed = parseTemplate(line, deps.addresses);
  switch (parsed.kind) {
    case 'invalid':
      return parsed;
    case 'draft':
      return readDraft(deps, parsed.draft, options);
    case 'lookup': {
      const lookup = await requestLookup(deps, parsed.service, parsed.url);
      if (lookup.kind === 'failed') return { kind: 'failed', tried: [lookup.attempt] };
      const url =
        parsed.service === 'podcast'
          ? lookup.value
          : deps.addresses['youtube.channel'].replace('{id}', lookup.value);
      return readDraft(deps, plainFeed(url), options);
    }
    case 'none':
      return resolveAddress(deps, line.trim(), options);
  }
}

async function resolveAddress(
  deps: ResolveDeps,
  text: string,
  options: ResolveOptions,
): Promise<ResolveLineResult> {
  // A bare host such as `example.org/blog` is the address of a site.
  const isHostOnly = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:\/\S*)?$/.test(text);
  const url = URL.parse(isHostOnly ? `https://${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return { kind: 'invalid', problem: settingProblems.line };
  }
  const address = isHostOnly ? url.href : text;
  if (options.isWithoutRequest) return readDraft(deps, plainFeed(address), options);
  const discoverResult = await discoverFeeds(
    { world: deps.world, robots: deps.robots, privateHosts: allowedPrivateHosts(deps, address) },
    address,
  );
  switch (discoverResult.kind) {
    case 'failed':
      return discoverResult;
    case 'feed':
      return completeDraft(deps, plainFeed(address), discoverResult.feed, null);
    case 'candidates': {
      const [firstCandidate, ...otherCandidates] = discoverResult.candidates;
      if (firstCandidate === undefined || otherCandidates.length > 0) {
        return { kind: 'choices', candidates: discoverResult.candidates };
      }
      const result = await readDraft(deps, plainFeed(firstCandidate.url), options);
      return result.kind === 'source' ? { ...result, foundOn: address } : result;
    }
  }
}

const allowedPrivateHosts = (
  { canOpenLoopback }: ResolveDeps,
  address: string,
): readonly string[] => {
  const url = URL.parse(address);
  return canOpenLoopback && url !== null && loopback.test(url.hostname) ? [url.host] : [];
};

async function readDraft(
  deps: ResolveDeps,
  draft: SourceDraft,
  { isWithoutRequest = false }: ResolveOptions,
): Promise<ResolveLineResult> {
  if (isWithoutRequest) return completeDraft(deps, draft, null, null);
  const preview = completeDraft(deps, draft, null, null);
  if (preview.kind !== 'source') return preview;
  const outcome = await trySource(deps.world, deps.robots, preview.definition);
  return outcome.kind === 'read'
    ? completeDraft(deps, draft, outcome.feed, null)
    : { kind: 'failed', tried: [{ url: draft.settings.url, warning: outcome.warning }] };
}

/** Completes the draft from its feed: title, language, and an id from the name or the address. */
function completeDraft(
  deps: ResolveDeps,
  draft: SourceDraft,
  feed: ParsedFeed | null,
  foundOn: string | null,
): ResolveLineResult {
  const { url } = draft.settings;
  const title = feed?.title?.trim().slice(0, 120) || null;
  const name = draft.name ?? title ?? URL.parse(url)?.host ?? url;
  const declaredLanguage = feed?.entries.find((entry) => entry.language !== null)?.language;
  const hosts = allowedPrivateHosts(deps, url);
  const parsed = parseSourceDefinition({
    id: idOf(draft.name ?? title, url),
    kind: draft.kind,
    name,
    owner: draft.owner ?? name,
    tier: draft.tier,
    language: declaredLanguage ?? 'en',
    intervalMinutes: draft.intervalMinutes,
    participation: draft.participation,
    settings: draft.settings,
    ...(hosts.length > 0 && { privateHosts: hosts }),
  });
  if (parsed.kind === 'invalid') {
    return { kind: 'failed', tried: [{ url, warning: fetchWarning('feed-none') }] };
  }
  return { kind: 'source', definition: parsed.source, feed, foundOn };
}

/** A name in Latin letters is preferred to the address. */
export function idOf(name: string | null, url: string): string {
  const fromName = sourceIdFrom(name ?? '');
  if (fromName !== 'source' && fromName.length > 2) return fromName;
  const parsed = URL.parse(url);
  return sourceIdFrom(parsed === null ? url : `${parsed.host} ${parsed.pathname}`);
}

type LookupResult =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'failed'; readonly attempt: FailedAttempt };

async function requestLookup(
  deps: ResolveDeps,
  service: 'youtube' | 'podcast',
  url: string,
): Promise<LookupResult> {
  const outcome = await deps.world.net.request({
    url,
    headers: { accept: service === 'podcast' ? 'application/json' : 'text/html' },
    timeoutMs: LOOKUP_TIMEOUT_MS,
    maxBytes: LOOKUP_MAX_BYTES,
    privateHosts: allowedPrivateHosts(deps, url),
  });
  const failedLookup = (attempt: FailedAttempt): LookupResult => ({ kind: 'failed', attempt });
  if (outcome.kind === 'failed') {
    return failedLookup({ url, warning: fetchWarning('net', outcome.reason, outcome.message) });
  }
  if (outcome.status !== 200) {
    return failedLookup({ url, warning: fetchWarning('status', String(outcome.status)) });
  }
  const { text } = decodeText(outcome.body, outcome.headers['content-type'] ?? null);
  const value = service === 'podcast' ? findFeedUrl(text) : findChannelId(text);
  return value === null
    ? failedLookup({ url, warning: fetchWarning('lookup-none') })
    : { kind: 'value', value };
}

/** The channel id of a handle's page, from its canonical address. */
function findChannelId(page: string): string | null {
  for (const token of readTokens(page)) {
    if (token.kind !== 'open' || token.name.toLowerCase() !== 'link') continue;
    const fields = new Map(token.attributes);
    if (fields.get('rel') !== 'canonical') continue;
    return /\/channel\/(UC[\w-]{22})(?:[/?#]|$)/.exec(fields.get('href') ?? '')?.[1] ?? null;
  }
  return null;
}

function findFeedUrl(json: string): string | null {
  try {
    const { results } = JSON.parse(json) as { readonly results?: unknown };
    const first: unknown = Array.isArray(results) ? results[0] : null;
    const url =
      typeof first === 'object' && first !== null && 'feedUrl' in first ? first.feedUrl : null;
    return typeof url === 'string' && /^https?:\/\//.test(url) ? url : null;
  } catch {
    return null;
  }
}
