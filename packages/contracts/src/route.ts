import type { z } from 'zod';
import type { Role } from './role.js';

/**
 * Who may call a route. `open`: anyone. `roles`: signed-in users with one of these roles.
 * `keys`: API keys as well.
 */
export type Access = 'open' | { roles: readonly Role[]; keys?: boolean };

/**
 * How the answer looks on the wire: `envelope` is `{ code, message, data }`; `raw` is the answer
 * itself; `stream` may be server-sent events or a file; `raw-stream` is the answer itself, or server-sent
 * events of `chunk`.
 */
export type AnswerForm = 'envelope' | 'raw' | 'stream' | 'raw-stream';

/** One route of the server: the source of its rights, its validation, its OpenAPI entry and its client. */
export interface Route<
  Body extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Params extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'get' | 'post' | 'delete';
  /** The full path; parameters as `:id`. */
  path: string;
  summary: string;
  access: Access;
  /** True for a route that changes nothing; documentation and audit tests use it. */
  reads?: boolean;
  body?: Body;
  /** The fields of a multipart body, for a route that takes one instead of JSON; documentation only. */
  multipart?: z.ZodType;
  query?: Query;
  params?: Params;
  /** Bytes its JSON body may have; without it the server's limit holds. */
  maxBodyBytes?: number;
  answer: Answer;
  form?: AnswerForm;
  /** What a success is on the wire where it is never JSON; documentation only. */
  media?: 'text/event-stream' | 'text/csv' | 'text/plain' | '*/*';
  /** The data of one event, where a stream has events of one kind. */
  chunk?: z.ZodType;
}

/** Gives a route table its types; returns what it is given. */
export const defineRoutes = <const T extends Record<string, Route>>(routes: T): T => routes;
