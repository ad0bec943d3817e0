import { createHash } from 'node:crypto';
import type { ChatBody } from '@netaclaw/contracts';

/** What makes two requests with one id the same: what is asked of whom and where, not how the answer is wanted. */
export function requestDigest(body: ChatBody, asked: unknown): string {
  const { agent, crew, sessionId, message, denyTools } = body;
  const content = asked ?? message;
  const facts = [agent, crew, sessionId, content, denyTools.toSorted()].map((fact) => fact ?? null);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The caller's id for a request with the digest of what it asks; null: it has none. */
export const requestMark = (
  body: ChatBody,
  asked: unknown,
): { id: string; digest: string } | null =>
  body.requestId === undefined ? null : { id: body.requestId, digest: requestDigest(body, asked) };
