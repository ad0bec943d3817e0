import { toolPageBodySchema } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { readQuery, changedQuery } from './page-query.js';

describe('readQuery', () => {
  it('reads numbers, filters and the order from the address', () => {
    const query = { page: '3', status: '0', toolset: 'base', keyWord: '42', order: 'name' };
    expect(readQuery(toolPageBodySchema, query).body).toEqual({
      page: 3,
      size: 20,
      status: 0,
      toolset: 'base',
      keyWord: '42',
      order: 'name',
    });
  });

  it('leaves out what the address holds besides, or holds wrongly', () => {
    const query = {
      page: '-1',
      size: '9999',
      toolset: 'none',
      status: '7',
      order: ['a', 'b'],
      tool: '5',
    };
    expect(readQuery(toolPageBodySchema, query).body).toEqual({ page: 1, size: 20 });
  });
});

describe('the filters that are refused', () => {
  it.each([
    ['a text that is too long', { keyWord: 'x'.repeat(5000) }, ['keyWord']],
    ['a value that there is not', { status: '9', toolset: 'none' }, ['status', 'toolset']],
    ['one filter given twice', { status: ['0', '1'] }, ['status']],
    ['none that is understood', { status: '1', keyWord: '42' }, []],
    ['none that is empty', { status: '', keyWord: '' }, []],
    ['none that is of another kind', { tool: '5', page: '-1', size: '9999', order: 'x' }, []],
  ])('are told: %s', (_, query, refused) => {
    expect(readQuery(toolPageBodySchema, query).refused).toEqual(refused);
  });
});

describe('changedQuery', () => {
  it('sets what is given, takes out what is empty and keeps the rest', () => {
    const query = { page: '2', keyWord: 'bash', status: '1' };
    const changes = { page: undefined, keyWord: '', toolset: 'base' };
    expect(changedQuery(query, changes)).toEqual({ status: '1', toolset: 'base' });
  });
});
