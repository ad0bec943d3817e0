import { toolPageBodySchema } from '@netaclaw/contracts';
import { describe, expect, it } from 'vitest';
import { bodyOfQuery, changedQuery } from './page-query.js';

describe('bodyOfQuery', () => {
  it('reads numbers, filters and the order from the address', () => {
    const query = { page: '3', status: '0', toolset: 'base', keyWord: '42', order: 'name' };
    expect(bodyOfQuery(toolPageBodySchema, query)).toEqual({
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
    expect(bodyOfQuery(toolPageBodySchema, query)).toEqual({ page: 1, size: 20 });
  });
});

describe('changedQuery', () => {
  it('sets what is given, takes out what is empty and keeps the rest', () => {
    const query = { page: '2', keyWord: 'bash', status: '1' };
    const changes = { page: undefined, keyWord: '', toolset: 'base' };
    expect(changedQuery(query, changes)).toEqual({ status: '1', toolset: 'base' });
  });
});
