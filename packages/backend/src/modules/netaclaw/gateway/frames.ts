import {
  socketRequestSchema,
  type SocketError,
  type SocketRequest,
  type SocketRequestId,
  type SocketResponse,
} from '@netaclaw/contracts';
import { z } from 'zod';
import { DomainError, invalid } from '../../base/error.js';
import { failureAnswer } from '../../base/filter/error.js';
import { problemsOf } from '../../base/http/validate.js';

/** A frame that is a request, or why it is none and the id it seems to have. */
export type ReadFrame =
  { request: SocketRequest } | { id: SocketRequestId | null; refusal: DomainError };

/** Reads what a client sent. Never throws: any bytes may come. */
export function readFrame(data: string | null): ReadFrame {
  if (data === null) return refused(null, 'frames must be text');
  const value = parsed(data);
  if (value === undefined) return refused(null, 'the frame is not valid JSON');
  const result = socketRequestSchema.safeParse(value);
  if (result.success) return { request: result.data };
  return { id: idOf(value), refusal: invalid(problemsOf(result.error.issues)) };
}

const refused = (id: null, message: string): ReadFrame => ({
  id,
  refusal: new DomainError('validation', message),
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const idOnlySchema = z.object({ id: socketRequestSchema.shape.id });

function idOf(value: unknown): SocketRequestId | null {
  const result = idOnlySchema.safeParse(value);
  return result.success ? result.data.id : null;
}

/** The frame that answers a request. */
export const answerFrame = (id: SocketRequestId, payload: unknown): string =>
  frameOf({ type: 'res', id, ok: true, payload });

/** The frame that says why not; null for a request whose id could not be read. */
export const failureFrame = (id: SocketRequestId | null, error: unknown): string =>
  frameOf({ type: 'res', id, ok: false, error: errorOf(error) });

const frameOf = (response: SocketResponse): string => JSON.stringify(response);

function errorOf(error: unknown): SocketError {
  const { kind } = error instanceof DomainError ? error : { kind: 'internal' };
  const retryable = kind === 'rateLimited' || kind === 'notReady';
  return { ...failureAnswer(error).body, retryable };
}

/** An event of a run on its way; `json` holds its own fields. */
export interface EventToFrame {
  runId: string;
  sessionId: string;
  seq: number;
  type: string;
  json: string;
}

/** The frame of an event. The ids are UUIDs and the type is one of ours: nothing in them needs escaping. */
export const eventFrame = ({ runId, sessionId, seq, type, json }: EventToFrame): Buffer =>
  Buffer.from(
    `{"type":"event","event":"${type}","runId":"${runId}","sessionId":"${sessionId}","seq":${seq},"payload":${json}}`,
  );
