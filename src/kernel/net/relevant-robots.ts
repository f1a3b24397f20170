// Reduces a robots.txt to the rules for one agent and for "*". The parser stores each rule once per
// agent of its group, so a hostile file of 500 KiB would fill the memory.

/** Longer patterns occur only in attacks. */
const maxLineLength = 2_048;
/**
 * Matching a wildcard rule takes time proportional to its length times the path's. Rules of 500 KiB
 * blocked the process for 2.2 s per URL. The wildcard rules of real files have a few hundred
 * characters together. Wildcard rules beyond the limit are dropped.
 */
const maxWildcardCharacters = 20_000;

/**
 * Returns the groups of `text` for `agent` (a lower-case product token) and for "*". The result
 * contains only agents, rules and crawl delays, and each line once per group.
 */
export function relevantRobots(text: string, agent: string): string {
  const relevantLines: string[] = [];
  let group = new Set<string>();
  let rules = new Set<string>();
  let isInAgents = false;
  let wildcardLength = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, name = '', value = ''] =
      /^\s*([A-Za-z-]+)[ \t]*:([^#]*)/.exec(line.slice(0, maxLineLength + 1)) ?? [];
    const field = name.toLowerCase();
    if (field === 'user-agent') {
      if (!isInAgents) {
        group = new Set();
        rules = new Set();
      }
      isInAgents = true;
      const agentName = value.trim().toLowerCase().split('/')[0]?.trim() ?? '';
      const appliesToAgent = agentName === '*' || agentName === agent;
      if (appliesToAgent && !group.has(agentName)) relevantLines.push(`user-agent: ${agentName}`);
      if (appliesToAgent) group.add(agentName);
      continue;
    }
    if (field !== 'allow' && field !== 'disallow' && field !== 'crawl-delay') continue;
    isInAgents = false;
    const rule = `${field}: ${value.trim()}`;
    if (group.size === 0 || line.length > maxLineLength || rules.has(rule)) continue;
    if (rule.includes('*')) wildcardLength += rule.length;
    if (rule.includes('*') && wildcardLength > maxWildcardCharacters) continue;
    rules.add(rule);
    relevantLines.push(rule);
  }
  return relevantLines.join('\n');
}
