// npm test: sets up, builds, runs every test, and says in its last line how many passed and failed.
// Without MySQL or MariaDB, or without bubblewrap, it says what it left out; with CI set that is an error.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root, setup } from './setup.mjs';

const DEFAULT_MYSQL = 'mysql://root@127.0.0.1:3306';
const required = Boolean(process.env.CI);

process.chdir(root);
setup();
build();
const leftOut = [];
const mysqlUrl = await findMysql();
if (!mysqlUrl) leftOut.push('the tests on MySQL or MariaDB (no server; set TEST_MYSQL_URL)');

const report = runVitest(mysqlUrl);
for (const name of report.skipped) leftOut.push(`skipped: ${name}`);
for (const what of leftOut) console.log(`Left out: ${what}`);
if (required && leftOut.length > 0) {
  console.error('With CI set nothing may be left out.');
  report.failed += leftOut.length;
}
console.log(`${report.passed} passed, ${report.failed} failed`);
process.exit(report.failed > 0 || report.status !== 0 ? 1 : 0);

async function findMysql() {
  const url = process.env.TEST_MYSQL_URL ?? DEFAULT_MYSQL;
  const { hostname, port } = new URL(url);
  return (await answers(hostname, Number(port || 3306))) ? url : null;
}

function answers(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

function runVitest(mysql) {
  const folder = mkdtempSync(join(tmpdir(), 'netaclaw-report-'));
  const file = join(folder, 'report.json');
  const { TEST_MYSQL_URL: _ignored, ...environment } = process.env;
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...process.argv.slice(2),
    ],
    { stdio: 'inherit', env: { ...environment, ...(mysql ? { TEST_MYSQL_URL: mysql } : {}) } },
  );
  try {
    return { status, ...summaryOf(JSON.parse(readFileSync(file, 'utf8'))) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file that could not even be loaded counts as one failure. */
function summaryOf({ numPassedTests, numFailedTests, testResults }) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const skipped = testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => ['pending', 'skipped', 'todo'].includes(status))
      .map((test) => test.fullName),
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped };
}
