import { fileURLToPath } from 'node:url';
import type { Server } from 'node:http';
import { App, Config, Configuration, Inject } from '@midwayjs/core';
import * as koa from '@midwayjs/koa';
import * as orm from '@midwayjs/typeorm';
import { classes, controllers } from './classes.js';
import configDefault from './config/config.default.js';
import { Authorizer } from './modules/base/auth/authorize.js';
import { KeyUsage } from './modules/base/auth/key_usage.js';
import { Secrets } from './modules/base/auth/secrets.js';
import { Users } from './modules/base/auth/users.js';
import { Database } from './modules/base/data/database.js';
import { FolderLock } from './modules/base/data/folder_lock.js';
import { configureTrustedProxies } from './modules/base/http/client_address.js';
import type { Controller } from './modules/base/http/handler.js';
import { pagesOf } from './modules/base/http/pages.js';
import { Router } from './modules/base/http/router.js';
import {
  handleRequest,
  listen,
  refuseTakenPort,
  stopListening,
  type RequestHandling,
} from './modules/base/http/server.js';
import { configureLogger } from './modules/base/log/logger.js';
import { NetaClawGateway } from './modules/netaclaw/gateway/gateway.js';
import { NetaClawLifecycleService } from './modules/netaclaw/service/server/lifecycle.js';
import type { Settings } from './settings.js';

const consoleFolder = fileURLToPath(new URL('../../frontend/dist', import.meta.url));

/** What a new operator needs to know, once. */
const firstSteps = (address: string): string =>
  `A rehearsal channel and the agent "demo" are ready. API: ${address}/openapi.json. A first conversation: README.md.`;

/** The life of the application: get ready, listen, stop. */
@Configuration({ imports: [koa, orm], importConfigs: [{ default: configDefault }] })
export class AppConfiguration {
  @App('koa') app: koa.Application;
  @Config('settings') settings: Settings;
  @Inject() database: Database;
  @Inject() secrets: Secrets;
  @Inject() authorizer: Authorizer;
  @Inject() keyUsage: KeyUsage;
  @Inject() users: Users;
  @Inject() lifecycle: NetaClawLifecycleService;
  @Inject() gateway: NetaClawGateway;
  /** Where it listens; 0 until it does. */
  port = 0;
  private isFirstStart = false;
  private folder: FolderLock | null = null;
  private handling: RequestHandling;

  /** The database is connected; nobody is served yet. */
  async onReady(): Promise<void> {
    configureLogger(this.settings.logLevel);
    configureTrustedProxies(this.settings.trustedProxies);
    // Before anything is stored or a password is told.
    await refuseTakenPort(this.settings.host, this.settings.port);
    this.secrets.load(this.settings.dataDir);
    if (this.database.isSqlite) this.folder = await FolderLock.take(this.settings.dataDir);
    await this.database.migrate();
    await this.ensureFirstUser();
    this.isFirstStart = (await this.lifecycle.start()).isFirstStart;
    this.handling = {
      router: new Router((await this.controllers()).flatMap(({ handlers }) => handlers)),
      authorize: this.authorizer.authorize,
      servePage: pagesOf(consoleFolder),
    };
  }

  /** Everything is ready: take requests. */
  async onServerReady(): Promise<void> {
    const { host, port } = this.settings;
    this.takeRequests(this.server());
    this.gateway.start(this.server());
    this.port = await listen(this.server(), host, port);
    const address = `http://${host}:${this.port}`;
    if (this.isFirstStart) process.stdout.write(`${firstSteps(address)}\n`);
    process.stdout.write(`NetaClaw listening on ${address}\n`);
  }

  async onStop(): Promise<void> {
    const closed = stopListening(this.server());
    this.gateway.leave();
    await this.lifecycle.stop();
    await this.gateway.stop();
    await this.keyUsage.flush();
    this.server().closeAllConnections();
    await closed;
    await this.folder?.release();
  }

  /** A generated password is printed here, in plain words and this once; no log ever holds it. */
  private async ensureFirstUser(): Promise<void> {
    const { generatedPassword } = await this.users.ensureFirstUser();
    if (generatedPassword === null) return;
    const line = `First sign-in: user admin, password ${generatedPassword} (shown only now)`;
    process.stdout.write(`${line}\n`);
  }

  /**
   * Requests go to the dispatcher directly: the framework's own listener makes a context, a container
   * and a chain of middleware for each, of which nothing is used here.
   */
  private takeRequests(server: Server): void {
    server.removeAllListeners('request');
    server.on('request', (incoming, response) => {
      void handleRequest(incoming, response, this.handling);
    });
  }

  private server(): Server {
    const framework = this.app.getFramework() as koa.Framework;
    return framework.getServer();
  }

  /**
   * One after the other: asked for several at once, Midway makes a service that two of them share twice,
   * though it is a singleton.
   */
  private async controllers(): Promise<Controller[]> {
    const container = this.app.getApplicationContext();
    const made: Controller[] = [];
    for (const type of controllers) made.push(await container.getAsync<Controller>(type));
    return made;
  }
}

/** What Midway is given instead of a folder to scan: every class the container may create. */
export const appModule = Object.fromEntries(
  [AppConfiguration, ...classes].map((member) => [member.name, member]),
);
