import { expect, it } from 'vitest';
import { auditValue, isSecretName, MAX_VALUE_BYTES } from './audit_value.js';
import { csvCell, csvLine } from './csv.js';

it.each([
  ['password', true],
  ['newPassword', true],
  ['passwordHash', true],
  ['apiKey', true],
  ['X-Api-Key', true],
  ['key', true],
  ['keyHash', true],
  ['refreshToken', true],
  ['Authorization', true],
  ['client_secret', true],
  ['Set-Cookie', true],
  ['apiKeyHint', false],
  ['inputTokens', false],
  ['maxOutputTokens', false],
  ['passwordChanged', false],
  ['monkey', false],
  ['contentHash', false],
  ['name', false],
])('takes %s for the name of a secret: %s', (name, secret) => {
  expect(isSecretName(name)).toBe(secret);
});

it('replaces secrets at any depth and keeps the rest', () => {
  const at = new Date(0);
  const value = {
    name: 'a',
    apiKey: 'sk-1',
    headers: [{ authorization: 'x', accept: '*' }],
    at,
    none: null,
  };
  expect(auditValue(value)).toEqual({
    name: 'a',
    apiKey: '[secret]',
    headers: [{ authorization: '[secret]', accept: '*' }],
    at: at.toISOString(),
    none: null,
  });
});

it('gives an object for a bare value, null for none', () => {
  expect(auditValue('text')).toEqual({ value: 'text' });
  expect(auditValue(undefined)).toBeNull();
  expect(auditValue(null)).toBeNull();
});

it('cuts long text, wide values and deep ones', () => {
  expect(auditValue({ text: 'x'.repeat(2100) })).toEqual({
    text: `${'x'.repeat(2000)}… (100 more characters)`,
  });
  const wide = auditValue(Array.from({ length: 5000 }, (_, index) => `entry ${index}`));
  expect(wide).toMatchObject({ truncated: true, start: expect.stringContaining('entry 0') });
  let deep: unknown = 'bottom';
  for (let level = 0; level < 10_000; level++) deep = { deep };
  const stored = JSON.stringify(auditValue(deep));
  expect(stored).toContain('[too deep]');
  expect(Buffer.byteLength(stored)).toBeLessThan(MAX_VALUE_BYTES);
});

it.each([
  ['plain', 'plain'],
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@name', "'@name"],
  ['\tx', '"\'\tx"'],
  ['\rx', '"\'\rx"'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['=cmd("x")', '"\'=cmd(""x"")"'],
  ['two\nlines', '"two\nlines"'],
])('writes the cell %j safely', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

it('ends a line as RFC 4180 says', () => {
  expect(csvLine(['a', '', 'b'])).toBe('a,,b\r\n');
});
