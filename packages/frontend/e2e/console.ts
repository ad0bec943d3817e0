import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { chromiumPath } from './vitest.config.js';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const builtServer = join(import.meta.dirname, '../../backend/dist/main.js');
/** The same with ten thousand tools. */
export const crowdedServer = join(import.meta.dirname, 'crowded-server.mjs');
export const adminPassword = 'correct-horse-battery';

/** The built server with a database of its own, and a browser. */
export interface Console {
  url: string;
  /** What the browser complained of: errors of the page and breaches of its policy. */
  complaints: string[];
  newPage(options?: BrowserContextOptions): Promise<Page>;
  stopServer(): Promise<void>;
  /** With what was stored before it was stopped. */
  startServer(server?: string): Promise<void>;
  close(): Promise<void>;
}

/** `settings`: environment variables of the server besides the usual. */
export async function startConsole(settings: Record<string, string> = {}): Promise<Console> {
  const folder = await mkdtemp(join(tmpdir(), 'netaclaw-e2e-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const complaints: string[] = [];
  let process = await boot({ folder, port, server: builtServer, settings });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: flags });
  return {
    url,
    complaints,
    newPage: (options) =>
      pageOf(browser, { baseURL: url, locale: 'en-US', ...options }, complaints),
    stopServer: () => stop(process),
    startServer: async (server = builtServer) => {
      process = await boot({ folder, port, server, settings });
    },
    close: async () => {
      await browser.close();
      await stop(process);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Signs in and waits for the first page. */
export async function signIn(page: Page, username = 'admin', password = adminPassword) {
  await page.goto('/');
  await page.getByLabel('Name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByTestId('person').waitFor();
}

async function pageOf(
  browser: Browser,
  options: BrowserContextOptions,
  complaints: string[],
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.on('pageerror', (error) => {
    // A stopped server has no files to give.
    if (!/preload CSS|dynamically imported/.test(String(error))) complaints.push(String(error));
  });
  page.on('console', (message) => {
    if (/Content Security Policy|\[intlify\]/.test(message.text())) complaints.push(message.text());
  });
  return page;
}

interface Place {
  folder: string;
  port: number;
  server: string;
  settings: Record<string, string>;
}

async function boot({ folder, port, server, settings }: Place): Promise<ChildProcess> {
  const child = spawn(process.execPath, [server], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATA_DIR: folder,
      PORT: String(port),
      ADMIN_PASSWORD: adminPassword,
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (isReady) return child;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new Error('the server did not become ready; has it been built?');
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill();
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
