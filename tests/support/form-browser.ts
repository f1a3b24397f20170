// Loads pages over real HTTP without a browser, keeps their cookies, and fills in and sends their
// forms.
import { sendRequest, type TestResponse } from './http-request.ts';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

export type Browser = {
  get(path: string): Promise<TestResponse>;
  /** Sends these fields without loading the page of the form first. */
  post(path: string, fields: Fields): Promise<TestResponse>;
  /**
   * Loads a page, changes fields of its form for `action`, and submits the form. Returns
   * the page after all redirects.
   */
  submit(page: string, action: string, fields?: Fields): Promise<TestResponse>;
  readonly cookies: ReadonlyMap<string, string>;
};

type BrowserOptions = {
  /** Called before each form is submitted. */
  readonly beforeSubmit?: () => void;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
};

export function openBrowser(origin: string, options: BrowserOptions = {}): Browser {
  const { beforeSubmit = () => {}, headers: extraHeaders = {} } = options;
  const cookies = new Map<string, string>();
  const send = async (method: string, path: string, body?: string): Promise<TestResponse> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const contentType = { 'content-type': 'application/x-www-form-urlencoded' };
    const headers = {
      ...extraHeaders,
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && contentType),
    };
    const response = await sendRequest(origin, {
      method,
      path,
      headers,
      ...(body !== undefined && { body }),
    });
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const get = (path: string) => send('GET', path);
  const post = (path: string, fields: Fields) => {
    beforeSubmit();
    return send('POST', path, encodeForm(fields));
  };
  return {
    get,
    post,
    cookies,
    submit: async (page, action, fields = {}) => {
      const { text } = await get(page);
      const response = await post(action, { ...readFormFields(text, action), ...fields });
      let followedPage = response;
      while (followedPage.headers.location !== undefined)
        followedPage = await get(followedPage.headers.location);
      return followedPage;
    },
  };
}

function encodeForm(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((text) => [name, text]),
  );
  return new URLSearchParams(pairs as [string, string][]).toString();
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '');

/** The fields that a browser would send for this form, except checkboxes. */
export function readFormFields(page: string, action: string): Record<string, string> {
  const start = page.indexOf(`action="${action}"`);
  if (start === -1) throw new Error(`no form to ${action} in ${page.slice(0, 2_000)}`);
  const form = page.slice(start, page.indexOf('</form>', start));
  const fields: Record<string, string> = {};
  for (const [, tag = ''] of form.matchAll(/<input([^>]*)>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name === undefined || tag.includes('type="checkbox"')) continue;
    if (tag.includes('type="radio"') && !/ checked\b/.test(tag)) continue;
    fields[name] = decodeEntities(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  for (const [, name = '', text = ''] of form.matchAll(
    /<textarea[^>]* name="([^"]*)"[^>]*>\n([^<]*)<\/textarea>/g,
  )) {
    fields[name] = decodeEntities(text);
  }
  for (const [, name = '', choices = ''] of form.matchAll(
    /<select[^>]* name="([^"]*)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const selectedOption =
      /value="([^"]*)" selected/.exec(choices) ?? /value="([^"]*)"/.exec(choices);
    fields[name] = decodeEntities(selectedOption?.[1] ?? '');
  }
  return fields;
}
