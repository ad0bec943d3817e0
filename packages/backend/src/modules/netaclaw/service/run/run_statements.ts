// The statements on the path of every turn. Written by hand, for SQLite and MySQL alike: a query builder
// would take longer to word them than the database to run them.

export const INSERT_RUN =
  'INSERT INTO netaclaw_run (id, sessionId, activeSessionId, parentRunId, crew, owner, actor, agent, source, ' +
  'model, messageCount, snapshotHash, nodeId, startedAt, messages, layers, status) ' +
  "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running')";

export const INSERT_REQUEST =
  'INSERT INTO netaclaw_run_request (requestKey, runId, digest) VALUES (?, ?, ?)';

export const INSERT_SESSION =
  'INSERT INTO netaclaw_session (id, owner, agent, title, crew, parentRunId, memory, createTime, updateTime) ' +
  'VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';

export const SAVE_PROGRESS =
  "UPDATE netaclaw_run SET messages = ?, messageCount = ?, events = ? WHERE id = ? AND status = 'running'";

export const FINISH_RUN =
  'UPDATE netaclaw_run SET activeSessionId = NULL, status = ?, error = ?, inputTokens = ?, ' +
  'outputTokens = ?, toolCallCount = ?, messageCount = ?, messages = ?, events = ?, endedAt = ? ' +
  "WHERE id = ? AND status = 'running'";

/** The session's owner, memory and number of turns beside each turn after a given one, newest first; one row without a turn when there is none. */
export const READ_HISTORY =
  'SELECT s.owner AS owner, s.memory AS memory, r.id AS runId, r.status AS status, r.messages AS messages, ' +
  '(SELECT COUNT(*) FROM netaclaw_run c WHERE c.sessionId = s.id) AS total ' +
  'FROM netaclaw_session s LEFT JOIN netaclaw_run r ON r.sessionId = s.id AND r.id > ? ' +
  'WHERE s.id = ? ORDER BY r.id DESC LIMIT ?';

/** The turns that the session's summary does not hold, and the summary. */
export const READ_UNSUMMARIZED =
  'SELECT s.owner AS owner, s.memory AS memory, s.summary AS summary, r.id AS runId, r.status AS status, ' +
  'r.messages AS messages, 0 AS total FROM netaclaw_session s ' +
  "LEFT JOIN netaclaw_run r ON r.sessionId = s.id AND r.id > COALESCE(s.summaryUpTo, '') " +
  'WHERE s.id = ? ORDER BY r.id DESC LIMIT ?';

export const SAVE_SUMMARY = 'UPDATE netaclaw_session SET summary = ?, summaryUpTo = ? WHERE id = ?';

/** For so many sessions. */
export const DELETE_REQUESTS_OF = (count: number): string =>
  'DELETE FROM netaclaw_run_request WHERE runId IN (SELECT id FROM netaclaw_run WHERE sessionId IN ' +
  `(${Array.from({ length: count }, () => '?').join(', ')}))`;
