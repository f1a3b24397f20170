// Providers of one kind in their order: a failure moves on to the next one. A timeout is not passed
// on: what was asked may be under way there, and would be made twice.
import type { Failed } from './capability.ts';
import { notOffered } from './failed.ts';

export async function firstAble<P extends { readonly name: string }, A extends { kind: string }>(
  providers: readonly P[],
  /** As customers read it: `Text to image`. */
  what: string,
  ask: (provider: P) => Promise<A | Failed>,
): Promise<A | Failed> {
  const failures: Failed[] = [];
  for (const provider of providers) {
    const answer = await ask(provider);
    if (!isFailed(answer) || answer.code === 'upstream_timeout') return answer;
    failures.push(answer);
  }
  const internal = failures.map((failure) => failure.internal ?? failure.message).join(' · ');
  const told = failures.find(({ code }) => code !== 'capability_unavailable') ?? failures[0];
  if (told) return { ...told, internal };
  return notOffered(what);
}

function isFailed(answer: { readonly kind: string }): answer is Failed {
  return answer.kind === 'failed';
}
