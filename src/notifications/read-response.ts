// Decides by a service's response whether a delivery has arrived, is retried or has failed, and
// whether the channel is broken. The `responses` of the channel's kind define each code.

import { retryAfterMs } from '../kernel/http/retry-after.ts';
import type { NetFailure, NetOutcome } from '../kernel/net/net.ts';
import { HOUR_MS } from '../kernel/time/durations.ts';
import type { ChannelKind, CodeRule, ResponseRules, TextRule } from './channel-kind.ts';
import { failureTexts, responseAdvices } from './reason-texts.ts';

export type DeliveryResult =
  | { readonly kind: 'delivered'; readonly status: number; readonly remoteId: string | null }
  /** The delivery is retried later. `waitMs`: required pause of the whole channel. */
  | {
      readonly kind: 'retry';
      readonly status: number | null;
      readonly reason: string;
      readonly waitMs: number | null;
      /** The outcome is unknown: the request may have arrived. */
      readonly isUnsure: boolean;
    }
  | { readonly kind: 'too_long'; readonly status: number; readonly reason: string }
  /** Permanent failure of this delivery. */
  | { readonly kind: 'refused'; readonly status: number | null; readonly reason: string }
  /** Permanent failure of the channel, until an operator tries again. */
  | { readonly kind: 'broken'; readonly status: number | null; readonly reason: string }
  /** `chat`: the new id of a Telegram group that became a supergroup. */
  | { readonly kind: 'moved'; readonly chat: string };

/** Characters. */
const REASON_MAX = 300;
/** A longer body without JSON is not quoted. */
const QUOTED_CHARACTERS_MAX = 200;
const WAIT_MAX_MS = HOUR_MS;

export function readResponse(kind: ChannelKind, outcome: NetOutcome, now: number): DeliveryResult {
  if (outcome.kind === 'failed') return readFailure(outcome);
  const { status } = outcome;
  const text = Buffer.from(outcome.body).toString();
  const json = parseJson(text);
  const rules = kind.responses;
  const readRetryDelay = () =>
    readDelayInBody(rules, json) ?? retryAfterMs(outcome.headers, now, WAIT_MAX_MS);
  if (isSuccess(rules, status, text, json)) {
    const id = rules.idField === undefined ? undefined : valueAt(json, rules.idField);
    return { kind: 'delivered', status, remoteId: id === undefined ? null : String(id) };
  }
  const lowerCaseText = text.toLowerCase();
  const matchesText = (rule: TextRule) =>
    matchesRule(rule, status, json) &&
    (rule.text === undefined || lowerCaseText.includes(rule.text));
  // An earlier edit with an unknown outcome has arrived, so the repeated edit changes nothing.
  if (rules.unchanged !== undefined && matchesText(rules.unchanged)) {
    return { kind: 'delivered', status, remoteId: null };
  }
  const newChat = valueAt(json, 'parameters.migrate_to_chat_id');
  if (newChat !== undefined) return { kind: 'moved', chat: String(newChat) };
  const reason = describeReason(kind, status, text, json);
  const waitRule = rules.wait.find((rule) => matchesRule(rule, status, json));
  if (waitRule !== undefined) {
    const waitMs = readRetryDelay() ?? waitRule.waitMs ?? null;
    return { kind: 'retry', status, reason, waitMs, isUnsure: false };
  }
  if (rules.broken.some(matchesText)) return { kind: 'broken', status, reason };
  if (rules.shorten?.some((rule) => matchesRule(rule, status, json))) {
    return { kind: 'too_long', status, reason };
  }
  // With a body that is not JSON, the outcome is unknown.
  const isUnknownBody = status < 300 && rules.success.code !== undefined && json === undefined;
  if (status >= 500 || status < 400 || rules.otherRefusals === 'retry') {
    // A service with status codes in its body can refuse with the HTTP status 200.
    const isRefusal = status < 300 && !isUnknownBody && rules.otherRefusals === 'refuse';
    if (!isRefusal) {
      return { kind: 'retry', status, reason, waitMs: readRetryDelay(), isUnsure: isUnknownBody };
    }
  }
  return { kind: 'refused', status, reason };
}

/**
 * All connection failures have one text, so that no reason shows names and ports of the operator's
 * network.
 */
function readFailure({ reason }: NetFailure): DeliveryResult {
  switch (reason) {
    case 'address_refused':
    case 'invalid_url':
      return { kind: 'broken', status: null, reason: failureTexts.address };
    case 'dns':
    case 'connect':
    case 'tls':
      return retryLater(failureTexts.unreachable, false);
    case 'too_large':
      return retryLater(failureTexts.large, true);
    case 'timeout':
      return retryLater(failureTexts.slow, true);
    default:
      return retryLater(failureTexts.unreadable, true);
  }
}

const retryLater = (reason: string, isUnsure: boolean): DeliveryResult => ({
  kind: 'retry',
  status: null,
  reason,
  waitMs: null,
  isUnsure,
});

function isSuccess(rules: ResponseRules, status: number, text: string, json: unknown): boolean {
  const { statuses, code, text: requiredText } = rules.success;
  const isStatus = statuses === '2xx' ? status >= 200 && status < 300 : statuses.includes(status);
  if (!isStatus) return false;
  if (requiredText !== undefined && text.trim() !== requiredText) return false;
  return code === undefined || matchesRule(code, status, json);
}

function matchesRule({ field, values }: CodeRule, status: number, json: unknown): boolean {
  const value = field === null ? status : valueAt(json, field);
  return values.some((candidate) => candidate === value);
}

/** The value at a path such as `parameters.retry_after`; undefined: absent. */
function valueAt(json: unknown, path: string): number | string | boolean | undefined {
  let value = json;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return typeof value === 'object' || value === null
    ? undefined
    : (value as number | string | boolean | undefined);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function readDelayInBody(rules: ResponseRules, json: unknown): number | null {
  const seconds = rules.waitField === undefined ? undefined : valueAt(json, rules.waitField);
  if (seconds === undefined || !Number.isFinite(Number(seconds))) return null;
  return Math.min(Math.max(0, Math.ceil(Number(seconds) * 1000)), WAIT_MAX_MS);
}

function describeReason(kind: ChannelKind, status: number, text: string, json: unknown): string {
  const fields = ['code', 'errcode', 'error_code'].map((name) => valueAt(json, name));
  const code = fields.find((value) => value !== undefined) ?? status;
  const serviceText = ['msg', 'errmsg', 'description', 'message', 'error']
    .map((name) => valueAt(json, name))
    .find((value) => typeof value === 'string');
  const excerpt =
    serviceText ?? (json === undefined && text.length < QUOTED_CHARACTERS_MAX ? text : '');
  const advice = responseAdvices[`${kind.name} ${code}`] ?? '';
  const detail = [endSentence(String(excerpt).trim(), advice), advice].filter(
    (part) => part !== '',
  );
  const summary = detail.length === 0 ? `status ${status}` : detail.join(' ');
  return `${kind.title} ${code}: ${summary}`.replaceAll(/\s+/g, ' ').slice(0, REASON_MAX);
}

/** Ends the text with a period when advice follows. */
const endSentence = (text: string, advice: string): string =>
  text === '' || advice === '' || /[.!?。！？]$/.test(text) ? text : `${text}.`;
