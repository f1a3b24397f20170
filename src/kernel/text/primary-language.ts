// Returns the primary subtag of a BCP 47 language tag.

/** `zh` of `zh-CN`, in lower case. A text without a hyphen is returned whole. */
export function primaryLanguage(tag: string): string {
  const [primary = ''] = tag.toLowerCase().split('-');
  return primary;
}
