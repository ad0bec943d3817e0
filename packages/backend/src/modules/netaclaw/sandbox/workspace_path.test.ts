import { describe, expect, it } from 'vitest';
import { isInside, toAbsolutePath, workspaceFolderName } from './workspace_path.js';

const roots = { workspace: '/data/w', readRoots: ['/data/books'] };
const resolve = (path: string, purpose: 'read' | 'write' = 'read') =>
  toAbsolutePath(roots, path, purpose);
const codeOf = (path: string, purpose: 'read' | 'write' = 'read'): unknown => {
  try {
    return resolve(path, purpose);
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
};

describe('toAbsolutePath', () => {
  it.each([
    ['a.txt', '/data/w/a.txt'],
    [' a.txt ', '/data/w/a.txt'],
    ['.', '/data/w'],
    ['./a/../b/', '/data/w/b'],
    ['/workspace', '/data/w'],
    ['/workspace/a', '/data/w/a'],
    ['/data/w/a', '/data/w/a'],
    ['/data/books/b', '/data/books/b'],
    ['..a/b', '/data/w/..a/b'],
    ['会话/笔记', '/data/w/会话/笔记'],
  ])('takes %j as %s', (path, expected) => {
    expect(resolve(path)).toBe(expected);
  });

  it.each([
    ['', 'invalid_path'],
    ['  \n ', 'invalid_path'],
    ['a\0b', 'invalid_path'],
    ['a\nb', 'invalid_path'],
    ['x'.repeat(5000), 'invalid_path'],
    ['..', 'outside_workspace'],
    ['a/../../x', 'outside_workspace'],
    ['/workspace/../etc', 'outside_workspace'],
    ['/workspaces', 'outside_workspace'],
    ['/data/w2/a', 'outside_workspace'],
    ['/etc/passwd', 'outside_workspace'],
    ['/data/books/../w2', 'outside_workspace'],
  ])('refuses %j as %s', (path, code) => {
    expect(codeOf(path)).toBe(code);
  });

  it('lets nothing be written to a read root', () => {
    expect(codeOf('/data/books/b', 'write')).toBe('outside_workspace');
  });
});

it('knows what is inside a folder', () => {
  expect(isInside('/a', '/a/..b')).toBe(true);
  expect(isInside('/a', '/ab')).toBe(false);
  expect(isInside('/', '/a')).toBe(true);
});

it('gives different sessions different plain folder names', () => {
  expect(workspaceFolderName('会话')).toMatch(/^[0-9a-f]{40}$/);
  expect(workspaceFolderName('a')).not.toBe(workspaceFolderName('b'));
});
