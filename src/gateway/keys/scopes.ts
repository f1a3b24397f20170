// What a key may be limited to: capabilities of its kind and, for chat, single models.
import type { KeyKind } from './key-text.ts';

const capabilities: Readonly<Record<KeyKind, readonly string[]>> = {
  sk: ['social', 'transcribe', 'ocr', 'svc-image', 'svc-video'],
  ak: ['search', 'chat'],
};

/** Models are left out: they have no list that ends. */
export const scopesOf = (kind: KeyKind): readonly string[] => capabilities[kind];

/** `model:<id>`, a last `*` standing for any rest, is for keys that chat. */
export const isScope = (kind: KeyKind, scope: string): boolean =>
  capabilities[kind].includes(scope) || (kind === 'ak' && /^model:[^\s,]{1,200}$/.test(scope));
