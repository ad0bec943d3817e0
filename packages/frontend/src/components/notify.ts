import { isAbort, toFailure } from '../failure.js';

/** Shows a failure with the server's sentence. A lost connection has its own banner. */
export function notifyFailure(error: unknown): void {
  if (isAbort(error)) return;
  const failure = toFailure(error);
  if (failure.kind === 'network') return;
  const places = failure.unsaidProblems.map(({ path, message }) => `${path}: ${message}`);
  const message = [failure.message, ...places].join('\n');
  ElMessage({ type: 'error', message, duration: 8000, showClose: true, grouping: true });
}

export function notifySuccess(message: string): void {
  ElMessage({ type: 'success', message, grouping: true });
}
