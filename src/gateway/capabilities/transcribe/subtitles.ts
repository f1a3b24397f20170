// Formats segments as subtitles: SubRip in its common form, and WebVTT (W3C).

/** `start` and `end` are seconds from the beginning. */
export type SpeechSegment = { readonly start: number; readonly end: number; readonly text: string };

export function srtOf(segments: readonly SpeechSegment[]): string {
  return segments
    .map(({ start, end, text }, index) => {
      const times = `${formatTimestamp(start, ',')} --> ${formatTimestamp(end, ',')}`;
      return `${index + 1}\n${times}\n${oneLine(text)}\n`;
    })
    .join('\n');
}

export function vttOf(segments: readonly SpeechSegment[]): string {
  const cues = segments.map(({ start, end, text }) => {
    // Section 4.2.2: cue text escapes these characters and contains no arrow.
    const safe = oneLine(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
    return `${formatTimestamp(start, '.')} --> ${formatTimestamp(end, '.')}\n${safe}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

/** `HH:MM:SS.mmm`. */
function formatTimestamp(seconds: number, point: '.' | ','): string {
  const ms = Math.max(0, Math.round(seconds * 1000));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const hours = twoDigits(Math.floor(ms / 3_600_000));
  const minutes = twoDigits(Math.floor(ms / 60_000) % 60);
  const wholeSeconds = twoDigits(Math.floor(ms / 1000) % 60);
  const milliseconds = String(ms % 1000).padStart(3, '0');
  return `${hours}:${minutes}:${wholeSeconds}${point}${milliseconds}`;
}

/** Removes empty lines, because an empty line ends a cue. */
function oneLine(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter(Boolean).join(' ');
}
