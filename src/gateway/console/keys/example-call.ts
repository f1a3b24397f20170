// Builds an example call as a shell command with the real addresses of this installation.
import type { KeyKind } from '../../keys/key-text.ts';
import type { ConsoleSite } from '../shell/console-context.ts';

type Example = {
  readonly kind: KeyKind;
  readonly base: 'url' | 'relayUrl';
  readonly path: string;
  /** Absent: GET. */
  readonly body?: object;
};

const examples: Readonly<Record<string, Example>> = {
  social: {
    kind: 'sk',
    base: 'url',
    path: '/api/v1/capabilities/social',
    body: { platform: 'youtube', action: 'search', params: { keyword: 'AI', limit: 3 } },
  },
  transcribe: {
    kind: 'sk',
    base: 'url',
    path: '/api/v1/capabilities/transcribe',
    body: { url: 'https://www.youtube.com/watch?v=jNQXAC9IVRw' },
  },
  ocr: {
    kind: 'sk',
    base: 'url',
    path: '/api/v1/capabilities/ocr',
    body: { image_urls: ['https://www.w3.org/Icons/w3c_home.png'] },
  },
  'svc-image': {
    kind: 'sk',
    base: 'url',
    path: '/api/v1/capabilities/svc-image',
    body: { prompt: 'A lighthouse at dawn' },
  },
  'svc-video': {
    kind: 'sk',
    base: 'url',
    path: '/api/v1/capabilities/svc-video',
    body: { prompt: 'Waves at dawn', seconds: 5 },
  },
  search: { kind: 'ak', base: 'url', path: '/api/v1/search/engine/search?q=AI&limit=3' },
  chat: { kind: 'ak', base: 'relayUrl', path: '/relay/v1/models' },
};

const defaultCapability: Readonly<Record<KeyKind, string>> = { sk: 'social', ak: 'search' };

/** Selects the capability of a first call. `scopes`: allowed capabilities; empty: all. */
export function selectFirstCapability(kind: KeyKind, scopes: readonly string[]): string {
  return scopes.find((id) => examples[id]?.kind === kind) ?? defaultCapability[kind];
}

/** `key`: the key or a placeholder. `scopes`: allowed capabilities; empty: all of its kind. */
export function exampleCall(
  site: Pick<ConsoleSite, 'url' | 'relayUrl'>,
  { kind, key, scopes = [] }: { kind: KeyKind; key: string; scopes?: readonly string[] },
): string {
  const example = examples[selectFirstCapability(kind, scopes)];
  if (example === undefined) return '';
  const lines = [
    `curl '${site[example.base]}${example.path}'`,
    `-H 'Authorization: Bearer ${key}'`,
    ...(example.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(example.body)}'`]),
  ];
  return lines.join(' \\\n  ');
}
