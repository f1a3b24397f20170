// The public API as an OpenAPI 3.1 document.
import type { ApiContext } from '../context.ts';

export function describeApi({ site }: ApiContext): object {
  return {
    openapi: '3.1.0',
    info: { title: `${site.name} Public API`, version: '4.0.0' },
    servers: [{ url: site.url }],
    paths: {},
  };
}
