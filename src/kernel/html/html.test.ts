import { expect, test } from 'vitest';
import { html, trusted, webAddress } from './html.ts';

test('escapes text in elements and in attributes', () => {
  const text = `<img src=x onerror="alert('1')"> & \u0000\u0007`;
  expect(html`<p title="${text}">${text}</p>`.text).toBe(
    '<p title="&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; ">' +
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; </p>',
  );
});

test('keeps nested HTML, joins lists and omits absent values', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`);
  expect(html`<ul>${items}${null}${false}${0}</ul>`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li>0</ul>',
  );
  expect(html`${trusted('<hr>')}${[['x'], []]}`.text).toBe('<hr>x');
});

test('permits only web addresses as links', () => {
  const links = ['https://a.example/?b=1&c', 'HTTP://A.example'].map(webAddress);
  expect(links).toEqual(['https://a.example/?b=1&c', 'http://a.example/']);
  for (const url of ['javascript:alert(1)', ' data:text/html,x', '/x', 'ftp://a.example', '']) {
    expect(webAddress(url)).toBeNull();
  }
});
