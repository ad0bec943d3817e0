// What every command does first: the right Node, and the dependencies of the lockfile. Repeats cost nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamps = join(root, '.setup');
const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Runs pnpm with these arguments; ends this process with pnpm's exit code when it fails. */
export function run(args, env = {}) {
  const { status, error } = spawnSync('npx', ['--yes', packageJson.packageManager, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...withoutNpmState(process.env), ...env },
  });
  if (error) fail(`npx could not be started (${error.message}). Install npm and try again.`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Checks Node's version and installs the dependencies if the lockfile or a manifest has changed. */
export function setup() {
  checkNode();
  const inputs = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()];
  once({ name: 'install', inputs, outputs: ['node_modules'] }, () => {
    console.log('Installing dependencies ...');
    run(['install', '--frozen-lockfile', '--reporter=append-only', '--loglevel=warn']);
  });
}

/** Builds every package if a source has changed since the last build. */
export function build() {
  const inputs = ['pnpm-lock.yaml', 'tsconfig.base.json', ...manifests(), ...sources()];
  const outputs = ['contracts', 'backend', 'frontend'].map((name) => `packages/${name}/dist`);
  once({ name: 'build', inputs, outputs }, () => {
    console.log('Building ...');
    run(['--recursive', '--reporter-hide-prefix', '--loglevel=warn', 'run', 'build']);
  });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`NetaClaw needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

/** Does `work` unless it was done for the same inputs and its outputs still stand. */
function once({ name, inputs, outputs }, work) {
  const stamp = join(stamps, name);
  const hash = hashOf(inputs);
  const done = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  if (done && outputs.every((output) => existsSync(join(root, output)))) return;
  work();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, hash);
}

const manifests = () => [
  'package.json',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/package.json`),
];

const sources = () =>
  readdirSync(join(root, 'packages')).flatMap((name) => filesBelow(join('packages', name)));

function filesBelow(folder) {
  return readdirSync(join(root, folder))
    .toSorted()
    .flatMap((name) => {
      if (name === 'node_modules' || name === 'dist') return [];
      const path = join(folder, name);
      return statSync(join(root, path)).isDirectory() ? filesBelow(path) : [path];
    });
}

function hashOf(files) {
  const hash = createHash('sha256').update(process.version);
  for (const file of files) {
    if (existsSync(join(root, file))) hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** npm's own settings confuse a package manager that it starts; where packages come from must stay. */
function withoutNpmState(env) {
  const isNpmState = (name) =>
    /^npm_(config|lifecycle|package|command)/i.test(name) &&
    !/registry|proxy|ca(file)?$/i.test(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isNpmState(name)));
}

export function fail(message) {
  console.error(message);
  process.exit(1);
}
