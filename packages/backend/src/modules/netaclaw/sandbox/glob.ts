const MOST_ALTERNATIVES = 64;

/**
 * A test for paths, from a glob with `*`, `?`, `**` and `{a,b}`. A glob without a slash is compared with
 * the name alone, so `*.ts` fits at any depth. Takes time in proportion to glob times path, whatever the glob.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const patterns = expandBraces(glob.replace(/^\.?\//, '')).map((pattern) => pattern.split('/'));
  return (path) => {
    const segments = path.split('/');
    return patterns.some((pattern) =>
      fitsSegments(pattern, pattern.length === 1 ? segments.slice(-1) : segments),
    );
  };
}

/** Alternatives beyond the limit stay as they are written, and so fit nothing. */
function expandBraces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [whole, inner] = /\{([^{}]*)\}/.exec(next) ?? [];
    if (
      whole === undefined ||
      inner === undefined ||
      done.length + open.length > MOST_ALTERNATIVES
    ) {
      done.push(next);
    } else {
      const at = next.indexOf(whole);
      const [before, after] = [next.slice(0, at), next.slice(at + whole.length)];
      open.push(...inner.split(',').map((choice) => before + choice + after));
    }
  }
  return done;
}

const fitsSegments = (pattern: readonly string[], segments: readonly string[]): boolean =>
  fits(pattern, segments, {
    isStar: (part) => part === '**',
    equal: (part, segment) =>
      fits([...part], [...segment], {
        isStar: (sign) => sign === '*',
        equal: (sign, letter) => sign === '?' || sign === letter,
      }),
  });

interface Comparison {
  isStar(part: string): boolean;
  equal(part: string, item: string): boolean;
}

/** Compares from the left; on a misfit, lets the last star take one item more. */
function fits(pattern: readonly string[], items: readonly string[], by: Comparison): boolean {
  let part = 0;
  let item = 0;
  let star: { part: number; item: number } | null = null;
  while (item < items.length) {
    const sign = pattern[part];
    if (sign !== undefined && by.isStar(sign)) {
      star = { part, item };
      part += 1;
    } else if (sign !== undefined && by.equal(sign, items[item] ?? '')) {
      part += 1;
      item += 1;
    } else if (star === null) {
      return false;
    } else {
      star = { part: star.part, item: star.item + 1 };
      part = star.part + 1;
      item = star.item;
    }
  }
  return pattern.slice(part).every((sign) => by.isStar(sign));
}
