// Reads the data of server-sent events. A chunk may end anywhere, and a line may have any of the
// three line ends. Source: HTML standard, "Interpreting an event stream".

/** Yields the data of each event. Cancels the stream when the reader stops early. */
export async function* eventData(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let data: string[] = [];
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end, so it is kept for the
      // next chunk.
      const lines = text.split(/\r\n|\n|\r(?!$)/);
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (data.length > 0) yield data.join('\n');
          data = [];
        } else if (line.startsWith('data:')) {
          data.push(line.slice(line[5] === ' ' ? 6 : 5));
        }
      }
      // An event without its final blank line was cut off.
      if (done) return;
    }
  } finally {
    if (!isOver) await reader.cancel().catch(() => {});
  }
}
