// Classifies a User-Agent: too long, blocked by the operator, or the pseudonym of an actor (feed
// contract, "Requests", ActorUserAgent).

export type AgentVerdict = {
  readonly isTooLong: boolean;
  readonly isBlocked: boolean;
  /** The actor's UUID in lower case; null without one. */
  readonly actor: string | null;
};

export const USER_AGENT_MAX = 2048;

// A UUID of version 4, variant 1 (RFC 9562, 5.4), which is no part of a longer word.
const uuid = String.raw`[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}`;
const actorToken = new RegExp(String.raw`(?<![\w/-])(?:radar|aihot)-actor/(${uuid})(?![\w-])`, 'i');

/** `blocked`: parts of User-Agents; upper and lower case are equal. */
export function classifyAgent(agent: string, blocked: readonly string[]): AgentVerdict {
  const lowerCaseAgent = agent.toLowerCase();
  return {
    isTooLong: agent.length > USER_AGENT_MAX,
    isBlocked: blocked.some((part) => lowerCaseAgent.includes(part.toLowerCase())),
    actor: actorToken.exec(agent)?.[1]?.toLowerCase() ?? null,
  };
}
