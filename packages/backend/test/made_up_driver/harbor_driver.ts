import { z } from 'zod';
import type {
  Booter,
  BooterHost,
  SandboxDriver,
} from '../../src/modules/netaclaw/sandbox/booter.js';
import { ComputerError, type Computer } from '../../src/modules/netaclaw/sandbox/components.js';
import { driverTool } from '../../src/modules/netaclaw/sandbox/driver_tool.js';

/** Calls of `load`: the implementation is wanted when an agent uses it, not before. */
export const loads: string[] = [];

const missing = async (): Promise<never> => {
  throw new ComputerError('not_found', 'There is nothing here yet.');
};

const files = new Map<string, string>();

const harbor: Computer = {
  kind: 'harbor',
  capabilities: ['filesystem'],
  shell: null,
  python: null,
  browser: null,
  history: null,
  skills: null,
  files: {
    readText: async (path) => files.get(path) ?? (await missing()),
    writeText: async (path, text) => void files.set(path, text),
    list: async () => [...files.keys()].map((name) => ({ name, kind: 'file', size: null })),
    readBytes: missing,
    search: async () => ({ matches: [], incomplete: false }),
    upload: missing,
    download: missing,
    remove: async (path) => void files.delete(path),
  },
};

const names = ['read_file', 'write_file', 'list_dir', 'harbor_lights'];

class HarborBooter implements Booter {
  readonly remoteId = 'berth-1';
  readonly keepsFiles = false;
  readonly expiresAt = null;
  private isBooted = false;

  async boot(): Promise<Computer> {
    this.isBooted = true;
    return harbor;
  }
  tools = () => (this.isBooted ? names : null);
  promptParts = () => (this.isBooted ? ['The harbor is open.'] : null);
  healthy = async () => this.isBooted;
  extend = async () => {};
  shutdown = async () => {};
  destroy = async () => {};
}

const host: BooterHost = {
  create: () => new HarborBooter(),
  erase: async () => {},
  unavailableTools: async () => [],
  check: async () => ({ version: '4' }),
  profiles: async () => [{ id: 'quay', capabilities: ['filesystem'], description: null }],
  skills: null,
};

/** A fourth service, made up: all that it needs is this file. */
const harborDriver: SandboxDriver = {
  kind: 'harbor',
  label: 'The Harbor sandbox',
  runtime: 'sandbox',
  hasProfiles: true,
  ownTools: [
    driverTool({
      name: 'harbor_lights',
      toolset: 'sandbox',
      description: 'Turns the lights of the harbor on or off.',
      parameters: z.strictObject({ on: z.boolean().describe('Whether they shine.') }),
      run: async ({ kind }, { on }) => ({ ok: true, text: `${kind} lights ${on ? 'on' : 'off'}` }),
    }),
  ],
  defaultTools: () => names,
  defaultPrompts: () => ['The harbor opens at the first call.'],
  problem: ({ service }) => (service === null ? 'Set SANDBOX_HARBOR_URL to its address.' : null),
  load: async () => {
    loads.push('harbor');
    return { createHost: () => host };
  },
};
export default harborDriver;
