// Converts an aspect ratio to the nearest size that the endpoint `/v1/images/generations` supports.

const sizes = [
  { name: '1024x1024', ratio: 1 },
  { name: '1536x1024', ratio: 1.5 },
  { name: '1024x1536', ratio: 1 / 1.5 },
] as const;

/** Parses `W:H` of whole numbers 1..32, between 1:4 and 4:1; null for other text. */
export function ratioOf(text: string): number | null {
  const match = /^([1-9]\d?):([1-9]\d?)$/.exec(text);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  if (!match || width > 32 || height > 32) return null;
  const ratio = width / height;
  return ratio >= 1 / 4 && ratio <= 4 ? ratio : null;
}

/**
 * The nearest size by the logarithm of the ratio, so that 3:2 and 2:3 are equally far from square.
 */
export function nearestSize(ratio: number): (typeof sizes)[number]['name'] {
  const distance = (size: { readonly ratio: number }) => Math.abs(Math.log(size.ratio / ratio));
  return [...sizes].sort((a, b) => distance(a) - distance(b))[0]?.name ?? '1024x1024';
}
