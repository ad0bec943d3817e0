import { describe, expect, it } from 'vitest';
import { searchTexts, termsOf } from './text_search.js';

const texts = [
  'The user lives in Hamburg and works as a nurse.',
  '用户喜欢喝乌龙茶，不喝咖啡。',
  'Deploys happen on Fridays with kubectl 1.29.',
  '项目的数据库是 MariaDB，部署在周五。',
  'Prefers short answers.',
].map((text, id) => ({ id, text }));

describe('termsOf', () => {
  it.each([
    ['Two Words', ['two', 'words']],
    ['乌龙茶', ['乌龙', '龙茶']],
    ['茶', ['茶']],
    ['喝茶', ['喝茶']],
    ['用MariaDB库', ['用', '库', 'mariadb']],
    ['v1.29', ['v1', '29']],
    ['', []],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });
});

describe('searchTexts', () => {
  it.each<[string, number[]]>([
    ['hamburg', [0]],
    ['Hamburk', [0]],
    ['nur', [0]],
    ['乌龙茶', [1]],
    ['喜欢喝什么茶', [1]],
    ['咖啡', [1]],
    ['茶', [1]],
    ['mariadb 数据库', [3]],
    ['kubectl', [2]],
    ['short answers', [4]],
    ['茶 宠物', [1]],
    ['饮料 茶', [1]],
    ['欢茶', [1]],
    ['库周', [3]],
    ['猫茶', []],
    ['zebra', []],
    ['  ', []],
    ['!?', []],
  ])('finds for %j the texts %j', (query, ids) => {
    expect(searchTexts(texts, query, 10)).toEqual(ids);
  });

  it('puts the better match first and holds to the limit', () => {
    const two = [
      { id: 'a', text: 'The user likes tea.' },
      { id: 'b', text: 'The user likes green tea in the morning, green tea only.' },
    ];
    expect(searchTexts(two, 'green tea', 10)).toEqual(['b', 'a']);
    expect(searchTexts(two, 'tea', 1)).toHaveLength(1);
  });
});
