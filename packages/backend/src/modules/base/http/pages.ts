import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import sirv from 'sirv';
import type { ServePage } from './server.js';

/** Serves the built console. Its hashed assets never change; its page is always asked for anew. */
export function pagesOf(folder: string): ServePage {
  if (!existsSync(folder)) return async () => false;
  const serve = sirv(folder, {
    etag: true,
    gzip: true,
    single: true,
    setHeaders(response, path) {
      const isAsset = path.startsWith('/assets/');
      const caching = isAsset ? 'public, max-age=31536000, immutable' : 'no-cache';
      response.setHeader('cache-control', caching);
    },
  });
  return (incoming, response) =>
    new Promise((resolve) => {
      if (!mayBePage(incoming)) {
        resolve(false);
        return;
      }
      response.once('close', () => resolve(true));
      serve(incoming, response, () => resolve(false));
    });
}

/** A browser's request for a page or an asset; a program's mistake is answered as one. */
function mayBePage({ method, url = '/' }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return !/^\/(admin|api|v1|ws|health|metrics)(\/|$|\?)/.test(url);
}
