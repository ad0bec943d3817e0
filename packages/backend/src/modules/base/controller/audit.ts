import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Inject, Provide, Scope, ScopeEnum } from '@midwayjs/core';
import { auditRoutes, type AuditRow } from '@netaclaw/contracts';
import { Audit } from '../audit/audit.js';
import { BYTE_ORDER_MARK, csvLine } from '../audit/csv.js';
import { handle, StreamAnswer, type Controller } from '../http/handler.js';

const columns = ['id', 'at', 'actor', 'action', 'target', 'before', 'after', 'ip'];

/** Who changed what, and which tools were called. */
@Provide()
@Scope(ScopeEnum.Singleton)
export class AuditController implements Controller {
  @Inject() audit: Audit;

  readonly handlers = [
    handle(auditRoutes.page, ({ body }) => this.audit.page(body)),
    handle(
      auditRoutes.export,
      async ({ body }) => new StreamAnswer((response) => writeCsv(response, this.audit.all(body))),
    ),
  ];
}

/** Writes chunk by chunk, no faster than the reader reads; stops when the reader has gone. */
async function writeCsv(
  response: ServerResponse,
  chunks: AsyncIterable<AuditRow[]>,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="audit.csv"',
  });
  response.write(BYTE_ORDER_MARK + csvLine(columns));
  for await (const rows of chunks) {
    if (response.destroyed) return;
    if (!response.write(rows.map(lineOf).join(''))) await drained(response);
  }
  response.end();
}

/** Resolves when there is room again, or when the reader has gone. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const abort = new AbortController();
  const options = { signal: abort.signal };
  try {
    await Promise.race([once(response, 'drain', options), once(response, 'close', options)]);
  } finally {
    abort.abort();
  }
}

function lineOf({ id, at, actor, action, target, before, after, ip }: AuditRow): string {
  return csvLine([String(id), at, actor, action, target, textOf(before), textOf(after), ip ?? '']);
}

const textOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value));
