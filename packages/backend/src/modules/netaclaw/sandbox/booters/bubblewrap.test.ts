import { describe, expect, it } from 'vitest';
import { bubblewrapOptions, commandEnvironment } from './bubblewrap.js';
import { unavailableSentence } from './isolation.js';

const view = {
  workspace: '/data/w',
  readRoots: ['/data/books'],
  hiddenFolders: ['/usr/src/app', '/root'],
  scratchBytes: 4096,
};
const setup = {
  systemFolders: [
    { path: '/usr', linkTo: null },
    { path: '/bin', linkTo: 'usr/bin' },
  ],
  disablesNamespaces: true,
};
const options = bubblewrapOptions(view, setup).join(' ');

describe('bubblewrapOptions', () => {
  it.each(['user', 'pid', 'ipc', 'net', 'uts'])('gives a %s namespace of its own', (name) => {
    expect(options).toContain(`--unshare-${name} `);
  });

  it('ends with the server and has no terminal', () => {
    expect(options).toContain('--die-with-parent');
    expect(options).toContain('--new-session');
  });

  it('makes the workspace the only folder of the machine that can be written', () => {
    expect(options.match(/(?<= )--(dev-)?bind(-try)? \S+ \S+/g)).toEqual([
      '--bind /data/w /workspace',
    ]);
  });

  it('keeps the system as it is and shows read roots read-only', () => {
    expect(options).toContain('--ro-bind /usr /usr --symlink usr/bin /bin');
    expect(options).toContain('--ro-bind /data/books /data/books');
  });

  it('hides a server folder only where it would show', () => {
    expect(options).toContain('--tmpfs /usr/src/app --remount-ro /usr/src/app');
    expect(options).not.toContain('/root');
  });

  it('makes process and root folders read-only', () => {
    expect(options).toContain('--proc /proc --remount-ro /proc');
    expect(options).toMatch(/--remount-ro \/$/);
  });
});

it('gives a command four variables', () => {
  expect(Object.keys(commandEnvironment('/workspace'))).toEqual(['PATH', 'HOME', 'LANG', 'TERM']);
});

it('says what to install and which setting accepts the risk', () => {
  const sentence = unavailableSentence('the program bwrap is not installed');
  expect(sentence).toContain('apt-get install bubblewrap');
  expect(sentence).toContain('LOCAL_ISOLATION=none');
});
