import { ComputerError, type ComputerErrorCode } from '../components.js';
import { quotePath } from '../workspace_path.js';
import { soundsMissing, type ServiceFailure } from './service_failure.js';

/** How the failures of one service are told apart and worded. */
export interface Meanings {
  /** The service's name. */
  name: string;
  /** Which setting holds what lets this server in. */
  keySetting: string;
  /** Codes that mean that the sandbox has ended for good. */
  goneCodes: readonly string[];
}

/** What a request was about: a path in the sandbox, or the sandbox itself. */
export interface Subject {
  path?: string;
  /** What was being done, for example `run a command`. */
  doing: string;
}

const codes: Readonly<Record<string, ComputerErrorCode>> = {
  invalid_path: 'invalid_path',
  file_not_found: 'not_found',
  capability_not_supported: 'unsupported',
};

const statuses: Readonly<Record<number, ComputerErrorCode>> = {
  401: 'denied',
  403: 'denied',
  404: 'gone',
  408: 'timeout',
  410: 'gone',
  413: 'too_large',
  504: 'timeout',
};

/** Words for a sandbox that is not there; a file that is missing in a sandbox is something else. */
const SANDBOX_MISSING =
  /\b(sandbox|ship|session)\b[^.]*\b(not found|does not exist|expired|deleted|gone)\b/i;

/**
 * What an error of a service means here. A 404 about a path is a missing file; about nothing but the sandbox, it
 * means that the sandbox is gone. Some services answer 502 for a missing file, with the 404 in their words.
 */
export function meaningOf(
  failure: ServiceFailure,
  { name, keySetting, goneCodes }: Meanings,
  subject: Subject,
): ComputerError {
  const code = codeOf(failure, goneCodes, subject);
  return new ComputerError(code, sentenceOf(code, failure, { name, keySetting, subject }));
}

function codeOf(
  { status, code, message }: ServiceFailure,
  goneCodes: readonly string[],
  { path }: Subject,
): ComputerErrorCode {
  if (code !== null && goneCodes.includes(code)) return 'gone';
  const known = code === null ? undefined : codes[code];
  if (known !== undefined) return known;
  if (path !== undefined && !SANDBOX_MISSING.test(message)) {
    if (status === 404 || (status >= 500 && soundsMissing(message))) return 'not_found';
  }
  return statuses[status] ?? (status === 429 || status >= 500 ? 'unavailable' : 'failed');
}

function sentenceOf(
  code: ComputerErrorCode,
  { status, message, details }: ServiceFailure,
  { name, keySetting, subject }: { name: string; keySetting: string; subject: Subject },
): string {
  const path = subject.path === undefined ? '' : quotePath(subject.path);
  switch (code) {
    case 'not_found':
      return `${path} does not exist in the sandbox. List the folder to see what is there.`;
    case 'invalid_path':
      return `${path} is no path that the sandbox takes (${message}). Use a path relative to the root of the workspace, for example "notes/plan.md".`;
    case 'gone':
      return `The sandbox has ended (${message}), and its files with it.`;
    case 'denied':
      return `${name} refused this server (${status}: ${message}). An operator should look at ${keySetting}.`;
    case 'unsupported':
      return `This sandbox cannot ${subject.doing}: ${message}.${availableIn(details)}`;
    case 'timeout':
      return `${name} took too long to ${subject.doing} (${message}). Do less at once.`;
    default:
      return `${name} could not ${subject.doing} (${status}: ${message}).`;
  }
}

function availableIn({ available }: ServiceFailure['details']): string {
  return Array.isArray(available) ? ` It offers: ${available.map(String).join(', ')}.` : '';
}
