// What a measured child process says to its parent: its port, and what it has used of the processor.
import { fork, type ChildProcess } from 'node:child_process';
import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const saidSchema = z.object({
  port: z.number().optional(),
  cpuMs: z.number().optional(),
  rssMb: z.number().optional(),
});

/** In the child: listens on a free port, says which, and answers each message with its figures. */
export function serveAsChild(server: Server): void {
  server.listen({ port: 0, host: '127.0.0.1' }, () => {
    const address = server.address();
    if (typeof address === 'object' && address) reportToParent(address.port);
  });
}

export function reportToParent(port: number): void {
  process.send?.({ port });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpuMs: (user + system) / 1000,
      rssMb: process.memoryUsage().rss / 1024 / 1024,
    });
  });
}

/** In the parent: a running child. */
export interface Child {
  url: string;
  /** Milliseconds of processor time since its start. */
  cpuMs(): Promise<number>;
  rssMb(): Promise<number>;
  stop(): void;
}

/** Starts a file of this folder as a child process and waits until it listens. */
export async function startChild(
  file: string,
  args: string[] = [],
  environment: Record<string, string> = {},
): Promise<Child> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const { port } = await nextMessage(child);
  return {
    url: `http://127.0.0.1:${port}`,
    cpuMs: async () => (await askFigures(child)).cpuMs ?? 0,
    rssMb: async () => (await askFigures(child)).rssMb ?? 0,
    stop: () => child.kill('SIGKILL'),
  };
}

function askFigures(child: ChildProcess) {
  const answer = nextMessage(child);
  child.send('figures');
  return answer;
}

function nextMessage(child: ChildProcess): Promise<z.infer<typeof saidSchema>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a child ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(saidSchema.parse(message));
    });
  });
}
