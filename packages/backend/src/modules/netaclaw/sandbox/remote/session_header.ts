import { workspaceFolderName } from '../workspace_path.js';

/** A session's name as a header can hold it. */
export const sessionHeader = (sessionId: string): Record<string, string> => ({
  'x-session-id': /^[\w.-]{1,64}$/.test(sessionId) ? sessionId : workspaceFolderName(sessionId),
});
