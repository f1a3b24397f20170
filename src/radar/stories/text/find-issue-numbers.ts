// Finds numbers of issues, quarters and episodes. Two reports with different numbers are two events
// of a series: "第3届" and "第4届", "Q3 2025" and "Q4 2025".
const issueNumbers = new RegExp(
  [
    String.raw`第\s*([一二三四五六七八九十百\d]+)\s*([届期季轮次])`,
    String.raw`(?<!\d)(20\d\d)\s*年?\s*(?:第?([一二三四1-4])季度?|q([1-4]))`,
    String.raw`\bq([1-4])\s*(?:of\s*)?(20\d\d)?\b`,
    String.raw`\b(?:episode|issue|edition|vol\.?|volume|part|week)\s*#?(\d+)\b`,
  ].join('|'),
  'gu',
);

/** `text` is folded. Returns distinct numbers in order. */
export function findIssueNumbers(text: string): readonly string[] {
  const numbers = text
    .matchAll(issueNumbers)
    .map(([, ...parts]) => parts.filter((part) => part !== undefined).join('/'));
  return [...new Set(numbers)];
}
