// Simple paths into a JSON document (`data.items`, `authors[0].name`, `$`), and addresses made of
// them (`https://x.example/{id}`). Nothing is searched or computed: a path names one place.
import type { Problem } from '../../settings-messages.ts';

/** Why `path` is none; null when it is one. */
export function pathProblem(path: string): Problem | null {
  if (path === '$' || steps(path) !== null) return null;
  const typed = JSON.stringify(path);
  return {
    en: `is not a path: ${typed} (write data.items or authors[0].name)`,
    'zh-CN': `不是路径：${typed}（写成 data.items 或 authors[0].name）`,
  };
}

/** The value at `path`; undefined when the document has no such place. */
export function valueAt(document: unknown, path: string): unknown {
  if (path === '$') return document;
  let value = document;
  for (const step of steps(path) ?? []) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const part = /(?:^|\.)([^.[\]"'\s]+)|\[(\d+)\]|\["([^"]+)"\]|\['([^']+)'\]/y;

function steps(path: string): readonly string[] | null {
  const found: string[] = [];
  const from = path.startsWith('$.') ? 2 : path.startsWith('$[') ? 1 : 0;
  const rest = path.slice(from);
  let position = 0;
  while (position < rest.length) {
    part.lastIndex = position;
    const match = part.exec(rest);
    if (match === null) return null;
    found.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
    position = part.lastIndex;
  }
  return found.length > 0 ? found : null;
}

const placeholder = /\{([^{}]*)\}/g;

const noValue: Problem = {
  en: 'names no value of the item: write https://x.example/{id}',
  'zh-CN': '没有取用条目的值：写成 https://x.example/{id}',
};
const noHost: Problem = {
  en: 'must begin with http:// or https:// and a fixed host',
  'zh-CN': '须以 http:// 或 https:// 和固定的主机开头',
};

/** Why `template` cannot make addresses; null when it can. */
export function templateProblem(template: string): Problem | null {
  const paths = [...template.matchAll(placeholder)].map((m) => m[1] ?? '');
  if (paths.length === 0) return noValue;
  for (const path of paths) {
    const problem = pathProblem(path);
    if (problem !== null) return problem;
  }
  if (/^https?:\/\/[^/{}\s]+\//.test(template)) return null;
  return noHost;
}

export type FilledTemplate =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'missing'; readonly path: string };

/**
 * The address that `template` makes of one item. Values are percent-encoded, except their slashes:
 * an identifier such as `owner/name` is two segments of the path.
 */
export function fillTemplate(template: string, item: unknown): FilledTemplate {
  let missing: string | null = null;
  const url = template.replace(placeholder, (_, path: string) => {
    const value = valueAt(item, path);
    if (typeof value === 'string' && value !== '') return encodeSegments(value);
    if (typeof value === 'number') return String(value);
    missing ??= path;
    return '';
  });
  return missing === null ? { kind: 'url', url } : { kind: 'missing', path: missing };
}

function encodeSegments(value: string): string {
  return value.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
