import { z } from 'zod';
import {
  ComputerError,
  type SearchRequest,
  type SearchResult,
  type ShellComponent,
} from '../components.js';
import { globMatcher } from '../glob.js';
import { quotePath } from '../workspace_path.js';
import { quoteWord } from '../quote_word.js';

const SEARCH_MS = 25_000;
/** Lines that the sandbox sends at most; a glob leaves out some of them here. */
const MOST_LINES = 5_000;

/** Runs in the sandbox, whose Python is there on all of the services. One line of JSON is its answer. */
const PROGRAM = `
import json, os, re, sys
ask = json.loads(sys.argv[1])
answer = {"matches": [], "incomplete": False}
def out(problem=None):
    if problem: answer["problem"] = problem
    print(json.dumps(answer)); sys.exit(0)
try:
    text = re.escape(ask["pattern"]) if ask["literal"] else ask["pattern"]
    pattern = re.compile(text, re.I if ask["ignoreCase"] else 0)
except re.error as error:
    out("pattern: %s" % error)
root = ask["path"]
if not os.path.exists(root): out("missing")
def files():
    if os.path.isfile(root):
        yield root, ""; return
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in (".git", "node_modules"))
        for name in sorted(names):
            full = os.path.join(folder, name)
            if os.path.isfile(full) and not os.path.islink(full):
                yield full, os.path.relpath(full, root)
for full, below in files():
    try:
        if os.path.getsize(full) > 2097152:
            answer["incomplete"] = True; continue
        with open(full, encoding="utf-8", newline="") as handle: content = handle.read()
    except (OSError, UnicodeDecodeError):
        continue
    for number, line in enumerate(re.split("\\r?\\n", content), 1):
        if number > 1 and line == "" : continue
        if pattern.search(line):
            if len(answer["matches"]) >= ask["most"]:
                answer["incomplete"] = True; out()
            answer["matches"].append({"path": os.path.normpath(full), "below": below, "line": number, "text": line[:2000]})
out()
`;

const answerSchema = z.object({
  matches: z.array(
    z.object({ path: z.string(), below: z.string(), line: z.int(), text: z.string() }),
  ),
  incomplete: z.boolean(),
  problem: z.string().optional(),
});

/** Searches the files of a sandbox by a small program that runs in it. */
export async function searchRemote(
  shell: ShellComponent,
  request: SearchRequest,
): Promise<SearchResult> {
  const answer = await ask(shell, request);
  if (answer.problem !== undefined) throw refusalOf(answer.problem, request);
  const { glob } = request;
  const fits = glob === undefined ? () => true : globMatcher(glob);
  const fitting = answer.matches.filter(({ path, below }) => fits(below === '' ? path : below));
  return {
    matches: fitting
      .slice(0, request.maxMatches)
      .map(({ path, line, text }) => ({ path, line, text })),
    incomplete: answer.incomplete || fitting.length > request.maxMatches,
  };
}

async function ask(shell: ShellComponent, request: SearchRequest) {
  const { pattern, literal, ignoreCase, path, maxMatches, glob, signal } = request;
  const most = glob === undefined ? maxMatches : MOST_LINES;
  const asked = JSON.stringify({ pattern, literal, ignoreCase, path, most });
  const command = `python3 -c ${quoteWord(PROGRAM)} ${quoteWord(asked)}`;
  const { stdout, stderr, timedOut } = await shell.run({ command, timeoutMs: SEARCH_MS, signal });
  if (timedOut) {
    const message = 'The search took too long. Search in a smaller folder, or with a glob.';
    throw new ComputerError('timeout', message);
  }
  const answer = answerSchema.safeParse(parseQuietly(stdout));
  if (answer.success) return answer.data;
  const why = stderr.trim().split('\n').at(-1) ?? '';
  throw new ComputerError(
    'failed',
    `The search failed in the sandbox: ${why || 'no reason given'}.`,
  );
}

function refusalOf(problem: string, { path, pattern }: SearchRequest): ComputerError {
  if (problem === 'missing') {
    const message = `${quotePath(path)} does not exist. List the folder to see what is there.`;
    return new ComputerError('not_found', message);
  }
  const sentence = `The pattern ${quotePath(pattern)} is no regular expression (${problem}). Correct it, or search for plain text.`;
  return new ComputerError('failed', sentence);
}

function parseQuietly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
