// Simulates three search engines over the demonstration's posts, each in its own format and order.
import { demoPosts, findMatching } from './posts.ts';
import { jsonReply, type Reply, type UpstreamRequest } from './server.ts';

export const braveKey = 'demo-brave-key';
export const tavilyKey = 'demo-tavily-key';

function findPosts(query: string) {
  return findMatching(demoPosts('en'), query).map((post) => ({
    title: post.title,
    url: `https://news.example/${post.handle}/${post.number}`,
    text: post.text,
    at: new Date(post.at * 1000).toISOString(),
  }));
}

export function handleSearxng({ path, query }: UpstreamRequest): Reply {
  if (path !== '/search' || query.get('format') !== 'json') {
    return { status: 403, headers: {}, body: 'Forbidden' };
  }
  const start = (Number(query.get('pageno') ?? 1) - 1) * 10;
  const results = findPosts(query.get('q') ?? '')
    .slice(start, start + 10)
    .map(({ title, url, text, at }) => {
      return { title, url, content: text, engine: 'demo', score: 1, publishedDate: at };
    });
  return jsonReply({ query: query.get('q'), number_of_results: results.length, results });
}

export function handleBrave({ query, headers }: UpstreamRequest): Reply {
  if (headers['x-subscription-token'] !== braveKey)
    return jsonReply({ type: 'ErrorResponse' }, 401);
  const count = Number(query.get('count') ?? 20);
  const start = Number(query.get('offset') ?? 0) * count;
  const results = findPosts(query.get('q') ?? '')
    .toReversed()
    .slice(start, start + count)
    .map(({ title, url, text, at }) => {
      const description = text.replace(/(\w+)/, '<strong>$1</strong>');
      return { title, url, description, age: '3 weeks ago', page_age: at.slice(0, 19) };
    });
  return jsonReply({ type: 'search', ...(results.length > 0 && { web: { results } }) });
}

export function handleTavily({ body, headers }: UpstreamRequest): Reply {
  if (headers.authorization !== `Bearer ${tavilyKey}`) return jsonReply({ detail: {} }, 401);
  const input = JSON.parse(body.toString()) as { query: string; max_results: number };
  const results = findPosts(input.query)
    .slice(0, input.max_results)
    .map(({ title, url, text }, index) => {
      return { title, url: `${url}?utm_source=tavily`, content: text, score: 1 - index / 100 };
    });
  return jsonReply({ query: input.query, results, response_time: 0.1 });
}
