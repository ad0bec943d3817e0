import { isAbsolute, resolve } from 'node:path';
import { booterKinds, type BooterKind } from '@netaclaw/contracts';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';

const databaseUrlSchema = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'mysql:' && url.pathname.length > 1) return url;
  context.addIssue('must look like mysql://user:password@host:port/name');
  return z.NEVER;
});

const httpUrlSchema = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** What goes into a header: a line break in it would be another header. */
const serviceKeySchema = z
  .string()
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, 'must be one word of printable characters');

const originListSchema = z.string().transform((text, context) => {
  const origins = text.split(',').map((part) => part.trim());
  if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin))
    return origins;
  context.addIssue('must be origins like https://console.example.com, separated by commas');
  return z.NEVER;
});

/** Empty means "not set": that is how an `.env` file leaves a variable out. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

function numberBetween(least: number, most: number) {
  const sentence = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(sentence).int(sentence).min(least, sentence).max(most, sentence);
}

const proxiesSchema = z.string().transform((text, context) => {
  const proxies = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  try {
    proxyAddr.compile(proxies);
    return proxies;
  } catch {
    context.addIssue(
      'must be addresses, networks like 10.0.0.0/8, or loopback, linklocal, uniquelocal, separated by commas',
    );
    return z.NEVER;
  }
});

const environmentSchema = z.object({
  HOST: optional(z.string().min(1)).transform((value) => value ?? '127.0.0.1'),
  PORT: optional(numberBetween(0, 65_535)).transform((value) => value ?? 8001),
  DATA_DIR: optional(z.string().min(1)).transform((value) => value ?? './data'),
  DATABASE_URL: optional(databaseUrlSchema),
  ADMIN_PASSWORD: optional(z.string().min(12, 'must have at least 12 characters').max(200)),
  LOCAL_ISOLATION: optional(z.enum(['bubblewrap', 'none'])).transform(
    (value) => value ?? 'bubblewrap',
  ),
  EGRESS_ALLOW: optional(z.string()).transform((value) => value ?? ''),
  BAY_URL: optional(httpUrlSchema),
  BAY_API_KEY: optional(serviceKeySchema),
  BAY_DATA_DIR: optional(z.string().min(1)),
  SHIPYARD_URL: optional(httpUrlSchema),
  SHIPYARD_TOKEN: optional(serviceKeySchema),
  BOXLITE_URL: optional(httpUrlSchema),
  LOG_LEVEL: optional(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])).transform(
    (value) => value ?? 'info',
  ),
  SHUTDOWN_GRACE_MS: optional(numberBetween(0, 600_000)).transform((value) => value ?? 10_000),
  CHAT_RATE_LIMIT: optional(numberBetween(1, 1_000_000_000)).transform((value) => value ?? 6000),
  TRUSTED_PROXIES: optional(proxiesSchema).transform((value) => value ?? []),
  SOCKETS_PER_CALLER: optional(numberBetween(1, 1_000_000)).transform((value) => value ?? 10_000),
  SOCKET_ORIGINS: optional(originListSchema).transform((value) => value ?? []),
});

/** Where a service of sandboxes is and what lets this server in. */
export interface SandboxServiceSettings {
  url: string;
  key: string | null;
  /** The folder of the service that holds its `credentials.json`. */
  dataDir: string | null;
}

export interface Settings {
  host: string;
  /** 0: any free port. */
  port: number;
  /** Absolute. Holds the SQLite file, generated secrets, uploaded files and workspaces. */
  dataDir: string;
  /** Null: the embedded SQLite file. */
  databaseUrl: URL | null;
  adminPassword: string | null;
  localIsolation: 'bubblewrap' | 'none';
  egressAllow: string;
  /** The services of sandboxes that are set up, by the kind of their driver. */
  sandboxServices: ReadonlyMap<BooterKind, SandboxServiceSettings>;
  logLevel: string;
  /** Milliseconds that running turns get at shutdown before they are cancelled. */
  shutdownGraceMs: number;
  /** Chat requests a minute and caller, unless an API key says otherwise. */
  chatRateLimit: number;
  /** Whose `X-Forwarded-For` is believed. */
  trustedProxies: string[];
  /** WebSocket connections that one caller may have at this process. */
  socketsPerCaller: number;
  /** Origins of pages that may open a WebSocket, beside the server's own. */
  socketOrigins: readonly string[];
}

/** A setting that cannot be used. `message` names each wrong variable and says what it must be. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Sentences that came from a sample file must not become a password. */
const knownDefaults = new Set([
  'changeme',
  'change-me',
  'password',
  'netaclaw-admin',
  'administrator',
]);

/**
 * Reads the environment, once. The addresses of sandbox services are allowed for outgoing requests by
 * themselves. Throws `SettingsError`.
 */
export function parseSettings(environment: Record<string, string | undefined>): Settings {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) throw new SettingsError(describe(parsed.error.issues));
  const values = parsed.data;
  const services = sandboxServicesOf(values, environment);
  refuseKnownDefault(values.ADMIN_PASSWORD);
  return {
    host: values.HOST,
    port: values.PORT,
    dataDir: isAbsolute(values.DATA_DIR) ? values.DATA_DIR : resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL ?? null,
    adminPassword: values.ADMIN_PASSWORD ?? null,
    localIsolation: values.LOCAL_ISOLATION,
    egressAllow: withSandboxes(
      values.EGRESS_ALLOW,
      [...services.values()].map(({ url }) => url),
    ),
    sandboxServices: services,
    logLevel: values.LOG_LEVEL,
    shutdownGraceMs: values.SHUTDOWN_GRACE_MS,
    chatRateLimit: values.CHAT_RATE_LIMIT,
    trustedProxies: values.TRUSTED_PROXIES,
    socketsPerCaller: values.SOCKETS_PER_CALLER,
    socketOrigins: values.SOCKET_ORIGINS,
  };
}

function describe(issues: readonly z.core.$ZodIssue[]): string {
  const lines = issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  return `Wrong setting: ${lines.join('; ')}. See .env.example.`;
}

function refuseKnownDefault(password: string | undefined): void {
  const bare = password?.toLowerCase().replace(/[0-9!.]+$/, '');
  if (bare !== undefined && knownDefaults.has(bare)) {
    throw new SettingsError(
      'Wrong setting: ADMIN_PASSWORD is a well-known default; choose another.',
    );
  }
}

type Values = z.infer<typeof environmentSchema>;

/** The three services by their own variables; any other driver's by `SANDBOX_<KIND>_URL` and `SANDBOX_<KIND>_KEY`. */
function sandboxServicesOf(
  values: Values,
  environment: Record<string, string | undefined>,
): Map<BooterKind, SandboxServiceSettings> {
  const services = new Map<BooterKind, SandboxServiceSettings>();
  const add = (kind: BooterKind, { url, key, dataDir }: GivenService) => {
    if (url === undefined) return;
    services.set(kind, { url, key: key ?? null, dataDir: dataDir ? resolve(dataDir) : null });
  };
  add(booterKinds.shipyardNeo, {
    url: values.BAY_URL,
    key: values.BAY_API_KEY,
    dataDir: values.BAY_DATA_DIR,
  });
  add(booterKinds.shipyard, { url: values.SHIPYARD_URL, key: values.SHIPYARD_TOKEN });
  add(booterKinds.boxlite, { url: values.BOXLITE_URL });
  for (const name of Object.keys(environment)) {
    const kind = /^SANDBOX_([A-Z][A-Z0-9_]*)_URL$/.exec(name)?.[1];
    if (kind === undefined) continue;
    const keyName = `SANDBOX_${kind}_KEY`;
    const url = parseOne(name, optional(httpUrlSchema), environment[name]);
    const key = parseOne(keyName, optional(serviceKeySchema), environment[keyName]);
    add(kind.toLowerCase(), { url, key });
  }
  return services;
}

interface GivenService {
  url: string | undefined;
  key?: string | undefined;
  dataDir?: string | undefined;
}

function parseOne<T extends z.ZodType>(name: string, schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SettingsError(`Wrong setting: ${name} ${issue?.message ?? 'is not understood'}.`);
}

function withSandboxes(allow: string, urls: readonly string[]): string {
  const entries = urls.map((text) => {
    const url = new URL(text);
    return `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
  });
  return [allow, ...entries].filter((entry) => entry.trim() !== '').join(',');
}
