// Schemas of `data` for each capability. Source: the capability contract, "Success".
import { z } from 'zod';
import { count, open, text, time, url } from './values.ts';

const number = (description: string) => z.number().min(0).describe(description);

const post = z
  .object({
    id: text('Identifier on its platform.'),
    url: url('Where it can be seen.'),
    type: z.enum(['video', 'image', 'text', 'article']),
    title: z.string().nullable(),
    text: z.string().nullable(),
    author: z.object({
      id: z.string().nullable(),
      name: z.string().nullable(),
      url: z.string().nullable(),
      avatar_url: z.string().nullable(),
    }),
    published_at: time('When it was published; null when unknown.').nullable(),
    media: z.array(
      z.object({
        type: open('What it is.', ['video', 'image', 'audio']),
        url: url('Where its bytes are.'),
        width: z.number().nullable(),
        height: z.number().nullable(),
        duration_seconds: z.number().nullable(),
      }),
    ),
    metrics: z.object({
      views: z.number().nullable(),
      likes: z.number().nullable(),
      comments: z.number().nullable(),
      shares: z.number().nullable(),
      favorites: z.number().nullable(),
    }),
    tags: z.array(z.string()).describe('Without their marks.'),
    language: z.string().nullable(),
  })
  .describe('A public post. What is not known is null, never made up.');

const social = z.union([
  z.object({ platform: text('Id of the platform.'), post }),
  z.object({
    platform: text('Id of the platform.'),
    keyword: text('What was searched for.'),
    posts: z.array(post),
    next_page: z.string().nullable().describe('For params.page of the next call, or null.'),
  }),
]);

const transcript = z.object({
  text: text('Everything that is said.'),
  language: z.string().nullable(),
  duration_seconds: number('Length of the audio.'),
  segments: z.array(
    z.object({ start: number('Seconds.'), end: number('Seconds.'), text: z.string() }),
  ),
  title: z.string().nullable(),
  srt: z.string().optional().describe('With format srt.'),
  vtt: z.string().optional().describe('With format vtt.'),
});

const ocr = z.object({
  images: z
    .array(
      z.object({
        url: text('As it was sent.'),
        text: z.string().nullable().describe('Everything that is written in it.'),
        blocks: z
          .array(
            z.object({
              text: z.string(),
              confidence: number('How sure the reading is, 0 to 1.'),
              box: z.array(z.number()).length(4).describe('x, y, width, height in pixels.'),
            }),
          )
          .nullable(),
        error: z.unknown().describe('Null, or why this image alone could not be read.'),
      }),
    )
    .describe('In the order of image_urls.'),
});

const notes = z
  .array(z.string())
  .optional()
  .describe('What was made instead of what was asked for; absent when it was made as asked.');

const images = z.object({
  images: z.array(
    z.object({
      url: url('Kept for 24 hours.'),
      mime_type: z.string(),
      width: count('Pixels.'),
      height: count('Pixels.'),
    }),
  ),
  revised_prompt: z.string().nullable(),
  notes,
});

const search = z.object({
  query: text('What was asked.'),
  results: z.array(
    z.object({
      title: z.string(),
      url: url('Where it is.'),
      snippet: z.string(),
      published_at: z.string().nullable(),
      source: z.string().nullable(),
    }),
  ),
  provider: text('Who answered.'),
});

const videos = z.object({
  videos: z.array(
    z.object({
      url: url('Kept for seven days.'),
      mime_type: z.string(),
      width: count('Pixels.').nullable(),
      height: count('Pixels.').nullable(),
      duration_seconds: number('Length.').nullable(),
    }),
  ),
  notes,
});

const anything = z.record(z.string(), z.unknown()).describe('What the capability answers.');

const shapes: Readonly<Record<string, z.ZodType>> = {
  social,
  transcribe: transcript,
  ocr,
  'svc-image': images,
  'svc-video': videos,
  search,
};

/** The shape of `data`, or of a job's result, by the capability's id. */
export const dataOf = (capabilityId: string): z.ZodType => shapes[capabilityId] ?? anything;
