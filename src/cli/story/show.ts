// Prints a story for `radar story show`, as text for people or as JSON.
import { Fault } from '../../kernel/errors/fault.ts';
import { readStoryRecord, type StoryRecord } from '../../radar/stories/operator/show-story.ts';
import type { App } from '../app.ts';

export async function showStory(app: App, id: string, isJson: boolean): Promise<void> {
  const story = await app.withApp(({ db }) => readStoryRecord(db, id));
  if (story === null) throw new Fault('not_found', `There is no story ${id}.`);
  app.terminal.out(isJson ? `${JSON.stringify(story, null, 2)}\n` : formatStory(story));
}

const formatTime = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');

function formatStory(story: StoryRecord): string {
  const parts = [
    `Story ${story.id}, version ${story.version}, since ${formatTime(story.foundedAt)} UTC`,
    ...(story.mergedInto === null ? [] : [`It was merged into ${story.mergedInto}.`]),
    ...(story.isClosed ? ['It is closed: no report joins it.'] : []),
    ...(story.tookIn.length === 0 ? [] : [`Merged into it: ${story.tookIn.join(', ')}.`]),
    section('Reports', story.members.map(formatMember)),
    section('Pins', story.pins.map(formatPin)),
    section('Actions', story.actions.map(formatAction)),
    section(
      'Related stories',
      story.links.map(
        ({ relation, storyId }) =>
          `${relation === 'storyline' ? 'same storyline' : 'related'}  ${storyId}`,
      ),
    ),
    section(
      'Log',
      story.log.map(({ at, text }) => `${formatTime(at)}  ${text}`),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  return `\n${title}\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

function formatMember(member: StoryRecord['members'][number]): string {
  const { itemId, at, sourceName, title, why } = member;
  const withdrawn = member.isWithdrawn ? ' [withdrawn]' : '';
  return `${itemId}  ${formatTime(at)}  ${sourceName}: ${title}${withdrawn}\n      ${why}`;
}

function formatPin(pin: StoryRecord['pins'][number]): string {
  const items = [pin.item_id, ...(pin.other_item_id === null ? [] : [pin.other_item_id])];
  return `${pin.id}  ${pin.kind}  ${items.join(' ')}`;
}

function formatAction(action: StoryRecord['actions'][number]): string {
  const undone = action.undone_by === null ? '' : ', undone';
  const note = action.note === null ? '' : `: ${action.note}`;
  const description = `${action.action} by ${action.actor}${undone}${note}`;
  return `${action.id}  ${formatTime(action.at)}  ${description}`;
}
