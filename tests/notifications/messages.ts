// Defines messages for tests: one story, digests, and titles with commands of chat services.
import type { NotificationMessage } from '../../src/notifications/message.ts';

export function messageOf(changes: Partial<NotificationMessage> = {}): NotificationMessage {
  return {
    event: 'story.new',
    language: 'en',
    title: 'Regulator opens a case',
    entries: [
      {
        title: null,
        url: null,
        summary: 'It concerns exports of chips.',
        lines: ['5 sources, first: The Press'],
      },
    ],
    omittedCount: 0,
    link: { url: 'https://radar.example/stories/sty_1', label: 'Read the story' },
    isUrgent: false,
    data: { reason: 'new', items: [] },
    ...changes,
  };
}

/** Titles as third parties could write them. */
export const hostileTitles: readonly string[] = [
  'x'.repeat(1_000),
  '👩‍👩‍👧‍👦'.repeat(1_000),
  '漢'.repeat(1_000),
  '&<>"'.repeat(250),
  '[]()*_~`#@!'.repeat(90),
  '\u202eevil\u200f\u061c\u2066right to left',
  '<!channel> <!here> <@U123> <#C1>',
  '@everyone @here <@123> <@&456>',
  '<at id=all></at> <at user_id="all">',
  '<@all> <@user>',
  'A](javascript:alert(1)) [b](http://evil.example)',
  '</a><b>bold <script>alert(1)</script>',
  '**bold** __under__ ~~gone~~ `code` ||spoiler||',
  'line\nbreak\r\n# heading\n> quote',
  '\u0000\u0007\u001b[31mred',
];

/** Two entries with their own titles, the second without any other text. */
export const digestMessage = (): NotificationMessage =>
  messageOf({
    event: 'digest',
    title: 'Chips: 3 stories',
    entries: [
      {
        title: 'Regulator opens a case',
        url: 'https://radar.example/stories/sty_1',
        summary: 'It concerns exports of chips.',
        lines: ['5 sources, first: The Press'],
      },
      { title: 'Prices', url: null, summary: null, lines: [] },
    ],
    omittedCount: 1,
    link: { url: 'https://radar.example/search?q=chips', label: 'Open the radar' },
  });

/** A message with ten entries, each with texts of the maximum length. */
export const longMessage = (title: string): NotificationMessage =>
  messageOf({
    event: 'digest',
    title,
    entries: Array.from({ length: 10 }, (_, index) => ({
      title: `${index} ${title}`,
      url: `https://radar.example/stories/sty_${index}?q=a&b=<>`,
      summary: title.repeat(3),
      lines: [`5 sources, first: ${title}`],
    })),
    omittedCount: 13,
  });
