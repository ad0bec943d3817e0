import type { Handler } from './handler.js';

export interface Match {
  handler: Handler;
  params: Record<string, string>;
}

interface Pattern {
  segments: readonly string[];
  handler: Handler;
}

const keyOf = (method: string, path: string): string => `${method} ${path}`;

/** Finds the handler of a method and a path: a look-up for fixed paths, a walk for those with parameters. */
export class Router {
  private readonly fixed = new Map<string, Handler>();
  private readonly patterns = new Map<string, Pattern[]>();

  /** Throws when two handlers claim one route: that is a mistake in the code. */
  constructor(handlers: readonly Handler[]) {
    for (const handler of handlers) this.add(handler);
  }

  find(method: string, path: string): Match | null {
    const handler = this.fixed.get(keyOf(method.toLowerCase(), path));
    return handler ? { handler, params: {} } : this.findPattern(method.toLowerCase(), path);
  }

  private add(handler: Handler): void {
    const { method, path } = handler.route;
    if (path.includes(':')) {
      const patterns = this.patterns.get(method) ?? [];
      patterns.push({ segments: path.split('/'), handler });
      this.patterns.set(method, patterns);
      return;
    }
    if (this.fixed.has(keyOf(method, path))) throw new Error(`two handlers for ${method} ${path}`);
    this.fixed.set(keyOf(method, path), handler);
  }

  private findPattern(method: string, path: string): Match | null {
    const segments = path.split('/');
    for (const pattern of this.patterns.get(method) ?? []) {
      const params = matchSegments(pattern.segments, segments);
      if (params) return { handler: pattern.handler, params };
    }
    return null;
  }
}

function matchSegments(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    if (expected.startsWith(':')) params[expected.slice(1)] = decoded(actual);
    else if (expected !== actual) return null;
  }
  return params;
}

/** What is encoded wrongly stays as it is: it will name nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
