import { booterKinds } from '@netaclaw/contracts';
import type { BooterHost, HostParts } from '../booter.js';
import { ComputerError, type Computer } from '../components.js';
import { meaningOf, type Subject } from '../remote/meanings.js';
import { RemoteBooter } from '../remote/remote_booter.js';
import { RemoteFiles } from '../remote/remote_files.js';
import { RemotePython } from '../remote/remote_python.js';
import type { RemoteSandbox, RemoteService } from '../remote/remote_service.js';
import { RemoteShell } from '../remote/remote_shell.js';
import { jsonBody, ServiceClient } from '../remote/service_client.js';
import type { ServiceFailure } from '../remote/service_failure.js';
import { sessionHeader } from '../remote/session_header.js';
import { FlatSandboxWire } from './flat_wire.js';
import type { RemotePace } from './shipyard_neo.js';

const meanings = { name: 'Boxlite', keySetting: 'BOXLITE_URL', goneCodes: [] };
const meaning =
  (subject: Subject) =>
  (failure: ServiceFailure): ComputerError =>
    meaningOf(failure, meanings, subject);

const LONGEST_MS = 300_000;
const capabilities = ['shell', 'python', 'filesystem'] as const;

/** The one container of a Boxlite server; each session has a place of its own in it. */
export function createHost(
  { driver, settings, egress }: HostParts,
  pace: RemotePace = {},
): BooterHost {
  const { service } = settings;
  if (service === null) {
    throw new ComputerError('unavailable', driver.problem(settings) ?? '');
  }
  const client = new ServiceClient({
    name: 'Boxlite',
    baseUrl: service.url,
    egress,
    headers: async () => ({}),
    ...(pace.client ? { pace: pace.client } : {}),
  });
  const parts = {
    driver,
    prompts: driver.defaultPrompts(settings),
    service: new BoxliteContainer(client, new URL(service.url).host),
    ...(pace.boot ? { pace: pace.boot } : {}),
  };
  return {
    create: (request) => new RemoteBooter(parts, request),
    erase: async () => {},
    unavailableTools: async () => [],
    async check(signal) {
      await health(client, signal);
      return { version: null };
    },
    profiles: null,
    skills: null,
  };
}

/** It is there or it is not: nothing is made, extended or ended. */
class BoxliteContainer implements RemoteService {
  readonly name = 'Boxlite';

  constructor(
    private readonly client: ServiceClient,
    private readonly id: string,
  ) {}

  create(_request: unknown, signal: AbortSignal): Promise<RemoteSandbox> {
    return this.look(this.id, signal);
  }

  async look(_id: string, signal?: AbortSignal): Promise<RemoteSandbox> {
    await health(this.client, signal);
    return { id: this.id, state: 'usable', status: 'healthy', capabilities, expiresAt: null };
  }

  extend = async (): Promise<null> => null;
  stop = async (): Promise<void> => {};
  delete = async (): Promise<void> => {};

  computer(_sandbox: RemoteSandbox, sessionId: string): Computer {
    const wire = new FlatSandboxWire({
      client: this.client,
      headers: sessionHeader(sessionId),
      longestMs: LONGEST_MS,
      meaning,
      call: (type, payload) => ({ path: `/${type}`, body: jsonBody(payload) }),
      upload: '/upload',
      download: '/download',
    });
    const shell = new RemoteShell(wire);
    return {
      kind: booterKinds.boxlite,
      capabilities,
      shell,
      python: new RemotePython(wire),
      files: new RemoteFiles(wire, shell),
      browser: null,
      history: null,
      skills: null,
    };
  }
}

async function health(client: ServiceClient, signal?: AbortSignal): Promise<void> {
  await client.json({
    method: 'GET',
    path: '/health',
    repeatable: true,
    meaning: meaning({ doing: 'say how it is' }),
    ...(signal ? { signal } : {}),
  });
}
