import { describe, expect, it } from 'vitest';
import { readCode, readEntries, readExec } from './answers.js';
import { readFailure } from './service_failure.js';

describe('one reader for flat and nested answers', () => {
  const ran = { exitCode: 3, stdout: 'out', stderr: 'err', success: false };
  it.each<[string, unknown]>([
    ['flat', { success: false, return_code: 3, stdout: 'out', stderr: 'err', pid: 1, error: null }],
    [
      'nested',
      {
        success: true,
        data: { success: false, return_code: 3, stdout: 'out', stderr: 'err' },
        error: null,
      },
    ],
    ['of Neo', { success: false, output: 'out', error: 'err', exit_code: 3, execution_id: 'e' }],
  ])('reads a command %s', (_form, answer) => {
    expect(readExec(answer)).toMatchObject(ran);
  });

  const drew = { success: true, output: '42', images: 1 };
  it.each<[string, unknown]>([
    [
      'flat',
      { success: true, execution_count: 1, output: { text: '42', images: [{}] }, error: null },
    ],
    ['nested', { success: true, data: { success: true, output: { text: '42', images: [{}] } } }],
    ['of Neo', { success: true, output: '42', data: { output: { text: '42', images: [{}] } } }],
  ])('reads code %s', (_form, answer) => {
    expect(readCode(answer)).toMatchObject(drew);
  });

  const listed = [
    { name: 'a', kind: 'directory', size: null },
    { name: 'b', kind: 'file', size: 5 },
  ];
  it.each<[string, unknown]>([
    [
      'flat',
      {
        files: [
          { name: 'b', type: 'file', size: 5 },
          { name: 'a', type: 'directory', size: 9 },
        ],
      },
    ],
    [
      'nested',
      {
        success: true,
        data: {
          files: [
            { name: 'b', type: 'file', size: 5 },
            { name: 'a', type: 'directory' },
          ],
        },
      },
    ],
    [
      'of Neo',
      {
        entries: [
          { name: 'b', is_file: true, is_dir: false, size: 5 },
          { name: 'a', is_dir: true, size: 4096 },
        ],
      },
    ],
  ])('reads a listing %s', (_form, answer) => {
    expect(readEntries(answer)).toEqual(listed);
  });

  it.each([null, 'text', 7, [], {}])('takes %j for an empty answer', (answer) => {
    expect(readEntries(answer)).toEqual([]);
    expect(readExec(answer)).toMatchObject({ stdout: '', stderr: '', exitCode: null });
  });
});

describe('error bodies', () => {
  it.each<[string, string, string | null]>([
    ['{"error":{"code":"conflict","message":"busy"}}', 'busy', 'conflict'],
    ['{"error":{"code":"x","message":""}}', 'it answered 500 and gave no reason', 'x'],
    ['{"detail":"Ship not found"}', 'Ship not found', null],
    ['{"detail":[{"loc":["body","ttl"],"msg":"too small"}]}', 'ttl: too small', null],
    ['{"success":false,"error":"broken"}', 'broken', null],
    ['plain words', 'plain words', null],
    ['', 'it answered 500 and gave no reason', null],
    ['<html>Bad gateway</html>', 'it answered 500 and gave no reason', null],
    ['null', 'null', null],
  ])('of the form %s say %j', (text, message, code) => {
    expect(readFailure(500, text)).toMatchObject({ message, code });
  });
});
