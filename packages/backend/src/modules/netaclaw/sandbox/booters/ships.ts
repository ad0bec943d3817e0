import { booterKinds } from '@netaclaw/contracts';
import { z } from 'zod';
import type { BootRequest } from '../booter.js';
import { ComputerError, type Computer } from '../components.js';
import { meaningOf, type Subject } from '../remote/meanings.js';
import { RemoteFiles } from '../remote/remote_files.js';
import { RemotePython } from '../remote/remote_python.js';
import {
  SANDBOX_TTL_SECONDS,
  type RemoteSandbox,
  type RemoteService,
} from '../remote/remote_service.js';
import { RemoteShell } from '../remote/remote_shell.js';
import { jsonBody, type ServiceClient, type ServiceRequest } from '../remote/service_client.js';
import type { ServiceFailure } from '../remote/service_failure.js';
import { sessionHeader } from '../remote/session_header.js';
import { FlatSandboxWire } from './flat_wire.js';

const shipSchema = z.object({
  id: z.string(),
  status: z.number(),
  expires_at: z.string().nullish(),
});
const RUNNING = 1;
const CREATE_MS = 120_000;
/** The service's own limit for whatever is run. */
const LONGEST_MS = 30_000;
const capabilities = ['shell', 'python', 'filesystem'] as const;

const meanings = { name: 'Shipyard', keySetting: 'SHIPYARD_TOKEN', goneCodes: [] };

/** How Shipyard's errors are meant when something was being done. */
export const shipMeaning =
  (subject: Subject) =>
  (failure: ServiceFailure): ComputerError =>
    meaningOf(failure, meanings, subject);

/** The life of Shipyard's sandboxes, which it calls ships. A stopped one does not come back. */
export class Ships implements RemoteService {
  readonly name = 'Shipyard';

  constructor(private readonly client: ServiceClient) {}

  create({ sessionId }: BootRequest, signal: AbortSignal): Promise<RemoteSandbox> {
    return this.ask({
      method: 'POST',
      path: '/ship',
      body: jsonBody({ ttl: SANDBOX_TTL_SECONDS, max_session_num: 1 }),
      headers: sessionHeader(sessionId),
      // Without a key of its own a second try could make a second ship.
      repeatable: false,
      signal,
      timeoutMs: CREATE_MS,
      meaning: shipMeaning({ doing: 'create a sandbox' }),
    });
  }

  async look(id: string, signal?: AbortSignal): Promise<RemoteSandbox> {
    const meaning = shipMeaning({ doing: 'say how the sandbox is' });
    try {
      return await this.ask({
        method: 'GET',
        path: pathOf(id),
        repeatable: true,
        meaning,
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (!(error instanceof ComputerError) || error.code !== 'gone') throw error;
      return { id, state: 'gone', status: 'gone', capabilities: [], expiresAt: null };
    }
  }

  async extend(id: string, seconds: number): Promise<Date | null> {
    await this.client.json({
      method: 'POST',
      path: `${pathOf(id)}/extend-ttl`,
      body: jsonBody({ ttl: seconds }),
      repeatable: false,
      meaning: shipMeaning({ doing: 'let the sandbox live longer' }),
    });
    return (await this.look(id)).expiresAt;
  }

  stop(id: string): Promise<void> {
    return this.delete(id);
  }

  async delete(id: string): Promise<void> {
    const meaning = shipMeaning({ doing: 'stop the sandbox' });
    try {
      await this.client.json({ method: 'DELETE', path: pathOf(id), repeatable: true, meaning });
    } catch (error) {
      if (!(error instanceof ComputerError) || error.code !== 'gone') throw error;
    }
  }

  computer({ id }: RemoteSandbox, sessionId: string): Computer {
    const wire = new FlatSandboxWire({
      client: this.client,
      headers: sessionHeader(sessionId),
      longestMs: LONGEST_MS,
      meaning: shipMeaning,
      call: (type, payload) => ({
        path: `${pathOf(id)}/exec`,
        body: jsonBody({ type, payload }),
      }),
      upload: `${pathOf(id)}/upload`,
      download: `${pathOf(id)}/download`,
    });
    const shell = new RemoteShell(wire);
    return {
      kind: booterKinds.shipyard,
      capabilities,
      shell,
      python: new RemotePython(wire),
      files: new RemoteFiles(wire, shell),
      browser: null,
      history: null,
      skills: null,
    };
  }

  private async ask(request: ServiceRequest): Promise<RemoteSandbox> {
    const parsed = shipSchema.safeParse(await this.client.json(request));
    if (!parsed.success) throw new ComputerError('failed', 'Shipyard answered what is no sandbox.');
    const { id, status, expires_at: expires } = parsed.data;
    const isRunning = status === RUNNING;
    const isNew = request.method === 'POST';
    return {
      id,
      status: String(status),
      state: isRunning ? 'usable' : isNew ? 'starting' : 'gone',
      capabilities,
      expiresAt: expires ? toDate(expires) : null,
    };
  }
}

const pathOf = (id: string): string => `/ship/${encodeURIComponent(id)}`;

/** A time without a zone is UTC. */
const toDate = (text: string): Date =>
  new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
