// Scopes of a key: capabilities of its kind and, for chat, single models.
import type { KeyKind } from './key-text.ts';

const capabilities: Readonly<Record<KeyKind, readonly string[]>> = {
  sk: ['social', 'transcribe', 'ocr', 'svc-image', 'svc-video'],
  ak: ['search', 'chat'],
};

/**
 * Returns the capabilities of a kind of key. Models are not included, because their list is
 * open-ended.
 */
export const scopesOf = (kind: KeyKind): readonly string[] => capabilities[kind];

/**
 * Whether a text is a scope: a capability, or `model:<id>`, where a final `*` matches any text.
 * Only keys for chat have model scopes.
 */
export const isScope = (kind: KeyKind, scope: string): boolean =>
  capabilities[kind].includes(scope) || (kind === 'ak' && /^model:[^\s,]{1,200}$/.test(scope));
