// Defines the schema of `data` for each capability. Source: the capability contract, "Success".
import { z } from 'zod';
import { count, openEnum, text, time, url } from './values.ts';

const number = (description: string) => z.number().min(0).describe(description);

const post = z
  .object({
    id: text('Identifier on its platform.'),
    url: url('Address of the post.'),
    type: z.enum(['video', 'image', 'text', 'article']),
    title: z.string().nullable(),
    text: z.string().nullable(),
    author: z.object({
      id: z.string().nullable(),
      name: z.string().nullable(),
      url: z.string().nullable(),
      avatar_url: z.string().nullable(),
    }),
    published_at: time('Time of publication; null when unknown.').nullable(),
    media: z.array(
      z.object({
        type: openEnum('Kind of media.', ['video', 'image', 'audio']),
        url: url('Address of the file.'),
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
    tags: z.array(z.string()).describe('Tags without the sign `#`.'),
    language: z.string().nullable(),
  })
  .describe('A public post. Unknown values are null.');

const social = z.union([
  z.object({ platform: text('Identifier of the platform.'), post }),
  z.object({
    platform: text('Identifier of the platform.'),
    keyword: text('Searched keyword.'),
    posts: z.array(post),
    next_page: z
      .string()
      .nullable()
      .describe('Value of `params.page` for the next page; null on the last page.'),
  }),
]);

const transcript = z.object({
  text: text('Complete transcript.'),
  language: z.string().nullable(),
  duration_seconds: number('Length of the audio in seconds.'),
  segments: z.array(
    z.object({
      start: number('Start in seconds.'),
      end: number('End in seconds.'),
      text: z.string(),
    }),
  ),
  title: z.string().nullable(),
  srt: z.string().optional().describe('Subtitles, with format srt.'),
  vtt: z.string().optional().describe('Subtitles, with format vtt.'),
});

const ocr = z.object({
  images: z
    .array(
      z.object({
        url: text('Address of the image, as in the request.'),
        text: z.string().nullable().describe('Complete text of the image.'),
        blocks: z
          .array(
            z.object({
              text: z.string(),
              confidence: number('Confidence of the recognition, 0 to 1.'),
              box: z.array(z.number()).length(4).describe('x, y, width, height in pixels.'),
            }),
          )
          .nullable(),
        error: z
          .unknown()
          .describe('Reason why this image could not be read; null when it was read.'),
      }),
    )
    .describe('Images in the order of image_urls.'),
});

const notes = z
  .array(z.string())
  .optional()
  .describe('Differences between the request and the result; absent when there are none.');

const images = z.object({
  images: z.array(
    z.object({
      url: url('Address of the file, valid for 24 hours.'),
      mime_type: z.string(),
      width: count('Width in pixels.'),
      height: count('Height in pixels.'),
    }),
  ),
  revised_prompt: z.string().nullable(),
  notes,
});

const search = z.object({
  query: text('Search query.'),
  results: z.array(
    z.object({
      title: z.string(),
      url: url('Address of the page.'),
      snippet: z.string(),
      published_at: z.string().nullable(),
      source: z.string().nullable(),
    }),
  ),
  provider: text('Provider of the results.'),
});

const videos = z.object({
  videos: z.array(
    z.object({
      url: url('Address of the file, valid for seven days.'),
      mime_type: z.string(),
      width: count('Width in pixels.').nullable(),
      height: count('Height in pixels.').nullable(),
      duration_seconds: number('Length in seconds.').nullable(),
    }),
  ),
  notes,
});

const anyResult = z.record(z.string(), z.unknown()).describe('Result of the capability.');

const dataSchemas: Readonly<Record<string, z.ZodType>> = {
  social,
  transcribe: transcript,
  ocr,
  'svc-image': images,
  'svc-video': videos,
  search,
};

/** The schema of `data`, or of a job's result, by the capability's id. */
export const dataOf = (capabilityId: string): z.ZodType => dataSchemas[capabilityId] ?? anyResult;
