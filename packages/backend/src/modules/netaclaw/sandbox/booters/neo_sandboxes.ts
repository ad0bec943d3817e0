import { randomUUID } from 'node:crypto';
import { booterKinds, computerCapabilitySchema, type SandboxProfile } from '@netaclaw/contracts';
import { z } from 'zod';
import type { BootRequest } from '../booter.js';
import { ComputerError, type Computer, type SkillComponent } from '../components.js';
import { RemoteFiles } from '../remote/remote_files.js';
import { RemotePython } from '../remote/remote_python.js';
import {
  SANDBOX_TTL_SECONDS,
  type RemoteSandbox,
  type RemoteService,
  type RemoteState,
} from '../remote/remote_service.js';
import { RemoteShell } from '../remote/remote_shell.js';
import { jsonBody, type ServiceClient, type ServiceRequest } from '../remote/service_client.js';
import { NeoBrowser, NeoHistory } from './neo_browser.js';
import { neoMeaning } from './neo_requests.js';
import { NeoWire } from './neo_wire.js';

const sandboxSchema = z.object({
  id: z.string(),
  status: z.string(),
  capabilities: z.array(z.string()).default([]),
  expires_at: z.string().nullish(),
});

/** `idle` can be used: it starts on demand. */
const states: Readonly<Record<string, RemoteState>> = {
  idle: 'usable',
  ready: 'usable',
  starting: 'starting',
  failed: 'broken',
  expired: 'gone',
};
const GONE = { state: 'gone', status: 'gone', capabilities: [], expiresAt: null } as const;
const CREATE_MS = 120_000;

/** What sandboxes are made with. */
export interface NeoParts {
  client: ServiceClient;
  skills: SkillComponent;
  profiles(signal: AbortSignal): Promise<SandboxProfile[]>;
}

/** The life of Shipyard Neo's sandboxes. */
export class NeoSandboxes implements RemoteService {
  readonly name = 'Shipyard Neo';

  constructor(private readonly parts: NeoParts) {}

  async create({ profile }: BootRequest, signal: AbortSignal): Promise<RemoteSandbox> {
    const chosen = profile ?? (await this.firstProfile(signal));
    return this.ask({
      method: 'POST',
      path: '/v1/sandboxes',
      body: jsonBody({ profile: chosen, ttl: SANDBOX_TTL_SECONDS }),
      headers: { 'idempotency-key': randomUUID() },
      signal,
      timeoutMs: CREATE_MS,
      meaning: neoMeaning({ doing: `create a sandbox of the profile ${chosen}` }),
    });
  }

  async look(id: string, signal?: AbortSignal): Promise<RemoteSandbox> {
    try {
      return await this.ask({
        method: 'GET',
        path: pathOf(id),
        ...(signal ? { signal } : {}),
        meaning: neoMeaning({ doing: 'say how the sandbox is' }),
      });
    } catch (error) {
      if (error instanceof ComputerError && error.code === 'gone') return { id, ...GONE };
      throw error;
    }
  }

  async extend(id: string, seconds: number): Promise<Date | null> {
    const isInfinite = Symbol('infinite');
    const meaning = neoMeaning({ doing: 'let the sandbox live longer' });
    let infinite: symbol | null = null;
    try {
      const { expiresAt } = await this.ask({
        method: 'POST',
        path: `${pathOf(id)}/extend_ttl`,
        body: jsonBody({ extend_by: seconds }),
        headers: { 'idempotency-key': randomUUID() },
        meaning: (failure) => {
          if (failure.code === 'sandbox_ttl_infinite') infinite = isInfinite;
          return meaning(failure);
        },
      });
      return expiresAt;
    } catch (error) {
      if (infinite === isInfinite) return null;
      throw error;
    }
  }

  async stop(id: string): Promise<void> {
    await this.end({ method: 'POST', path: `${pathOf(id)}/stop` }, 'stop the sandbox');
  }

  async delete(id: string): Promise<void> {
    await this.end({ method: 'DELETE', path: pathOf(id) }, 'delete the sandbox');
  }

  computer({ id, capabilities }: RemoteSandbox): Computer {
    const { client, skills } = this.parts;
    const wire = new NeoWire(client, id);
    const shell = new RemoteShell(wire);
    return {
      kind: booterKinds.shipyardNeo,
      capabilities: computerCapabilitySchema.options.filter((name) => capabilities.includes(name)),
      shell,
      python: new RemotePython(wire),
      files: new RemoteFiles(wire, shell),
      browser: capabilities.includes('browser') ? new NeoBrowser(client, id) : null,
      history: new NeoHistory(client, id),
      skills,
    };
  }

  /** What is not there any more has ended already. */
  private async end(
    request: Pick<ServiceRequest, 'method' | 'path'>,
    doing: string,
  ): Promise<void> {
    try {
      const meaning = neoMeaning({ doing });
      await this.parts.client.json({ ...request, repeatable: true, meaning });
    } catch (error) {
      if (!(error instanceof ComputerError) || error.code !== 'gone') throw error;
    }
  }

  private async firstProfile(signal: AbortSignal): Promise<string> {
    const [first] = await this.parts.profiles(signal);
    if (first) return first.id;
    throw new ComputerError('unavailable', 'Shipyard Neo offers no profile to make a sandbox of.');
  }

  private async ask(request: Omit<ServiceRequest, 'repeatable'>): Promise<RemoteSandbox> {
    const answer = await this.parts.client.json({ ...request, repeatable: true });
    const parsed = sandboxSchema.safeParse(answer);
    if (!parsed.success) {
      throw new ComputerError('failed', 'Shipyard Neo answered what is no sandbox.');
    }
    const { id, status, capabilities, expires_at: expires } = parsed.data;
    return {
      id,
      status,
      state: states[status] ?? 'starting',
      capabilities,
      expiresAt: expires ? new Date(expires) : null,
    };
  }
}

const pathOf = (id: string): string => `/v1/sandboxes/${encodeURIComponent(id)}`;
