import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Computer } from '../src/modules/netaclaw/sandbox/components.js';
import { LocalBooterHost } from '../src/modules/netaclaw/sandbox/booters/local.js';

/** A real computer in a temporary folder, without isolation, for tests of what stands above it. */
export async function makeLocalComputer(): Promise<{
  computer: Computer;
  dispose(): Promise<void>;
}> {
  const workspacesFolder = await mkdtemp(join(tmpdir(), 'computer-'));
  const booter = new LocalBooterHost({ workspacesFolder, isolation: 'none' }).create({
    sessionId: 'session',
    profile: null,
    resume: null,
  });
  const computer = await booter.boot(new AbortController().signal);
  return {
    computer,
    dispose: async () => {
      await booter.shutdown();
      await rm(workspacesFolder, { recursive: true, force: true });
    },
  };
}
