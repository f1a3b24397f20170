// A line of the assignment log in words that an operator understands.
import type { StoredAssignment } from '../../../store/story-assignments.ts';

type Line = Pick<StoredAssignment, 'reason' | 'score'>;

/** Why an item is where it is. */
export function sayReason({ reason, score }: Line): string {
  const likely = `${Math.round(score * 100)} %`;
  switch (reason) {
    case 'founded':
      return `first report of its event; like no other story (${likely} sure)`;
    case 'joined':
      return `${likely} likely to be the same event`;
    case 'same-news':
      return 'the same news as a report that was here before';
    case 'roundup':
      return 'a roundup of several events: nothing joins it';
    case 'no-text':
      return 'without words to go by: nothing joins it';
    case 'pinned':
      return 'an editor said so';
    case 'merged':
      return score === 1
        ? 'its story was merged into this one'
        : `its story turned out to be this one (${likely} likely)`;
    case 'split':
      return 'taken out of a story that was two';
    case 'undone':
      return 'put back: what had moved it was undone';
    default:
      return reason;
  }
}

/** One line as it looks from a story: what came, or what left for another. */
export function sayAssignment(
  line: Line & Pick<StoredAssignment, 'story_id' | 'from_story_id'>,
  storyId: string,
  title: string,
): string {
  const { story_id: to, from_story_id: from } = line;
  if (to !== storyId) return `“${title}” left for ${to}: ${sayReason(line)}`;
  if (from === null) return `“${title}” came: ${sayReason(line)}`;
  return `“${title}” came from ${from}: ${sayReason(line)}`;
}
