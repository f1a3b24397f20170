// JSON out of what a model wrote: alone, fenced, after its thoughts or amid prose. Bounded in size
// and depth before it is parsed: a hostile answer must not cost more than a look.

/** Characters of an answer that are read; no step of ours wants a tenth of it. */
export const mostCharacters = 200_000;
const mostDepth = 32;

export type ReadJson =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'wrong'; readonly what: string };

const wrong = (what: string): ReadJson => ({ kind: 'wrong', what });

export function readJson(text: string): ReadJson {
  if (text.length > mostCharacters) return wrong('it is far too long');
  // Some models think aloud first; what they mean comes after it.
  const said = text.slice(text.lastIndexOf('</think>') + 1).replace(/^\/think>/, '');
  const whole = parse(said.trim());
  if (whole.kind === 'json') return whole;
  for (const [, fenced = ''] of said.matchAll(/```(?:json)?\s*\n([\s\S]*?)\n\s*```/gi)) {
    const inside = parse(fenced.trim());
    if (inside.kind === 'json') return inside;
  }
  const amid = balanced(said);
  if (amid === null) return whole;
  return parse(amid);
}

function parse(text: string): ReadJson {
  if (text === '') return wrong('it is empty');
  if (!/^[[{]/.test(text)) return wrong('it is not a JSON object');
  if (depthOf(text) > mostDepth) return wrong('it is nested too deeply');
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch {
    return wrong('it is not valid JSON');
  }
}

/** How deeply brackets nest, outside of strings; more than needed is not counted on. */
function depthOf(text: string): number {
  let deepest = 0;
  for (const { depth } of brackets(text, 0)) {
    if (depth > deepest) deepest = depth;
    if (deepest > mostDepth) break;
  }
  return deepest;
}

/** From the first brace to the one that closes it. */
function balanced(text: string): string | null {
  const from = text.indexOf('{');
  if (from === -1) return null;
  for (const { depth, at } of brackets(text, from)) {
    if (depth === 0) return text.slice(from, at + 1);
  }
  return null;
}

/** Every bracket outside of strings, and the depth after it. */
function* brackets(text: string, from: number) {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (isString) {
      if (char === '\\') at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') isString = true;
    else if (char === '{' || char === '[') yield { at, depth: ++depth };
    else if (char === '}' || char === ']') yield { at, depth: --depth };
  }
}
