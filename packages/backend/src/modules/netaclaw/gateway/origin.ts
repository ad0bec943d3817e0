import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a page may open a socket here. Browsers name the page's origin and let no script change it;
 * programs name none, and may. A token is sent in the first message, never by a cookie, so that a
 * foreign page gains nothing by connecting; it is turned away all the same, before it costs anything.
 *
 * The page is at home when its host is the one that was asked for: by `Host`, or where a proxy has
 * changed that, by `X-Forwarded-Host`, which no page can set either.
 */
export function isWelcome(headers: IncomingHttpHeaders, allowed: readonly string[]): boolean {
  const { origin } = headers;
  if (origin === undefined || allowed.includes(origin)) return true;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  return host !== null && hostsOf(headers).some((asked) => asked === host);
}

const hostsOf = (headers: IncomingHttpHeaders): string[] =>
  [headers.host, headers['x-forwarded-host']].flatMap((value) =>
    [value ?? []]
      .flat()
      .flatMap((text) => text.split(',').map((part) => part.trim().toLowerCase())),
  );
